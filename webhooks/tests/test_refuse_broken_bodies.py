"""A body that is broken or cut anywhere is never acknowledged: it is stored whole or not at all.

Against the real server, because it ends a broken body as it ends a whole one.
"""

import gzip

import pytest
from django.test import SimpleTestCase

from webhooks.events import decompressed, is_object
from webhooks.models import Delivery
from webhooks.testing import payload
from webhooks.tests.serving import connected_program, request

EVENT = payload()
HALF = len(EVENT) // 2
CHUNKED = "Transfer-Encoding: chunked"
LENGTH = f"Content-Length: {len(EVENT)}"
GZIP = "Content-Encoding: gzip"
ZIPPED = gzip.compress(EVENT)
END = b"0\r\n\r\n"
GARBAGE = b"ZZ\r\nwhatever\r\n"


@pytest.fixture(scope="module")
def program(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), connected_program(WEBHOOK_BODY_SECONDS="0.5") as program:
        yield program


@pytest.fixture
def web(program):
    Delivery.objects.all().delete()
    return program


def status(answer):
    return answer.split(b" ", 2)[1].decode() if answer else ""


def chunk(data, *, size=None):
    return b"%x\r\n%s\r\n" % (len(data) if size is None else size, data)


FIRST, SECOND = chunk(EVENT[:HALF]), chunk(EVENT[HALF:])
BROKEN = {
    "no size that is a number": (GARBAGE, CHUNKED),
    "no number for the second size": (FIRST + GARBAGE + SECOND + END, CHUNKED),
    "a size below the chunk's": (FIRST + chunk(EVENT[HALF:], size=5) + END, CHUNKED),
    "a size above the chunk's": (FIRST + chunk(EVENT[HALF:], size=4000) + END, CHUNKED),
    "a size beyond all numbers": (b"f" * 17 + b"\r\n" + EVENT + b"\r\n" + END, CHUNKED),
    "a negative size": (b"-5\r\n" + EVENT + b"\r\n" + END, CHUNKED),
    "line ends without their first half": (b"5\n" + EVENT[:5] + b"\n0\n\n", CHUNKED),
    "an end after the first chunk": (FIRST, CHUNKED),
    "an end before the first chunk": (b"", CHUNKED),
    "no chunks at all, but the event": (EVENT, CHUNKED),
    "both, and the body is not in chunks": (EVENT, LENGTH, CHUNKED),
    "both in the other order": (EVENT, CHUNKED, LENGTH),
    "both, and only half of it in chunks": (FIRST + END, LENGTH, CHUNKED),
    "two lengths": (EVENT, LENGTH, f"Content-Length: {HALF}"),
    "a length that is no number": (EVENT, "Content-Length: many"),
    "a length above the body's": (EVENT, f"Content-Length: {len(EVENT) + 1}"),
    "a compressed body": (FIRST + SECOND + END, "Transfer-Encoding: gzip"),
    "neither length nor chunks": (EVENT, "Accept: */*"),
    "a negative length": (EVENT, f"Content-Length: -{len(EVENT)}"),
    "a length with a sign": (EVENT, f"Content-Length: +{len(EVENT)}"),
    "an empty length": (EVENT, "Content-Length:"),
    "half of a compressed body, in chunks": (chunk(ZIPPED[:-9]) + END, CHUNKED, GZIP),
}


@pytest.mark.slow
class TestRefuseBrokenBodies:
    @pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
    def test_it_works(self, web, broken):
        body, *headers = broken
        # A sender that ends before the answer of a proper request gets none from the server.
        ends = not body.endswith(END)

        assert status(web.say(request(body, *headers), ends=ends)) == "400"
        assert not Delivery.objects.exists()

    def test_wherever_chunks_are_cut_nothing_is_stored_but_the_whole_event(self, web):
        body = FIRST + SECOND + END
        for cut in range(0, len(body), 3):
            answer = status(web.say(request(body[:cut], CHUNKED), ends=True))
            is_there = cut >= len(FIRST + SECOND) - 2
            assert answer == ("200" if is_there else "400"), body[:cut]

        assert set(map(bytes, Delivery.objects.values_list("raw", flat=True))) == {EVENT}

    def test_wherever_a_body_with_a_length_is_cut_nothing_is_stored(self, web):
        for cut in range(0, len(EVENT), 7):
            assert status(web.say(request(EVENT[:cut], LENGTH), ends=True)) == "400"
        assert not Delivery.objects.exists()

    def test_a_whole_event_in_chunks_is_stored(self, web):
        assert status(web.say(request(FIRST + SECOND + END, CHUNKED))) == "200"
        assert bytes(Delivery.objects.get().raw) == EVENT

    def test_a_compressed_event_is_stored_as_it_was_before(self, web):
        assert status(web.say(request(ZIPPED, f"Content-Length: {len(ZIPPED)}", GZIP))) == "200"
        assert status(web.say(request(chunk(ZIPPED) + END, CHUNKED, GZIP))) == "200"
        assert [bytes(row.raw) for row in Delivery.objects.all()] == [EVENT, EVENT]

    def test_where_length_and_chunks_differ_the_chunks_count(self, web):
        both = ("Content-Length: 3", CHUNKED)

        assert status(web.say(request(FIRST + SECOND + END, *both))) == "200"
        assert bytes(Delivery.objects.get().raw) == EVENT


class TestDecompress(SimpleTestCase):
    def test_it_works(self):
        assert decompressed(ZIPPED, most=len(EVENT)) == EVENT

    def test_what_is_no_whole_one_or_too_large_stays_as_it_came(self):
        bomb = gzip.compress(b" " * 10_000_000)
        for raw in (EVENT, b"", GZIP.encode(), ZIPPED[:-1], ZIPPED + b"x", b"\x1f\x8b{}", bomb):
            assert decompressed(raw, most=65536) == raw


class TestIsObject(SimpleTestCase):
    def test_it_works(self):
        assert is_object(b' {"a": [1, {"b": "}"}]}\n')

    def test_no_beginning_of_an_object_is_one(self):
        assert not any(is_object(EVENT[:cut]) for cut in range(len(EVENT)))

    def test_what_may_be_the_beginning_of_something_longer_is_none(self):
        assert not any(map(is_object, (b"", b"12", b"null", b'"a"', b"[1]", b"{} {")))

    def test_odd_insides_are_left_to_the_router(self):
        assert is_object(b'{"a": %s}' % (b"9" * 5000))
        assert is_object(b'\xef\xbb\xbf{"a": "\xff\\ud83c"}')
