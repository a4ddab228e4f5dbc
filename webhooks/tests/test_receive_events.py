"""The receiver's answers, one rule a test. The socket's part is in test_serve_events."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.test import SimpleTestCase
from django.utils import timezone

from partner import testing as partner
from partner.models import Connection, Slot
from partner.models.connection import hash_token
from partner.models.webhook_tokens import KnownToken, TokenTable
from webhooks.models import Delivery, HourlyCount
from webhooks.receiver import MOST_BYTES, Inbox, handle
from webhooks.testing import payload

URL = "/webhooks/partner/"
TOKEN = partner.WEBHOOK_TOKEN


@pytest.fixture
def post(client, db):
    partner.connection()

    def post(raw=None, *, path=URL, token=TOKEN, **extra):
        query = f"?token={token}" if token is not None else ""
        content_type = extra.pop("content_type", "application/json")
        return client.post(path + query, payload() if raw is None else raw, content_type, **extra)

    return post


LENGTHS = ["many", "-5", "+5", "1_0", "٥", " 7 ", "0x10", "1e3", "5, 5", "9" * 5000]


@pytest.mark.django_db
@pytest.mark.parametrize("length", LENGTHS)
def test_whatever_a_server_hands_on_as_length_is_answered(length):
    """Granian refuses these itself; under another server a fault would be a 500."""
    partner.connection()
    inbox = Inbox()
    inbox.refresh()
    environ = {"REQUEST_METHOD": "POST", "QUERY_STRING": f"token={TOKEN}"}

    body = {"CONTENT_LENGTH": length, "wsgi.input": BytesIO(payload())}
    answer = handle(environ | body, inbox=inbox)

    assert answer.status[:3] in ("400", "413")
    assert not Delivery.objects.exists()


def counted(what):
    return sum(HourlyCount.objects.filter(what=what).values_list("count", flat=True))


class TestReceiveEvents:
    def test_it_works(self, post):
        response = post()

        assert response.status_code == 200
        assert response.content == b'{"data": {}}'
        assert response["Content-Type"] == "application/json"
        delivery = Delivery.objects.get()
        assert bytes(delivery.raw) == payload()
        assert (delivery.size, delivery.slot) == (len(payload()), Slot.CURRENT)
        assert delivery.state == Delivery.State.NEW

    def test_the_address_without_its_slash_is_no_redirect(self, post):
        assert post(path="/webhooks/partner").status_code == 200

    @pytest.mark.parametrize(
        "raw",
        [
            b"",
            b"{",
            b"\x00\xff\xfe",
            b'{"uuid": "\\u0000"}',
            b"[" * MOST_BYTES,
            b'{"entityType": "menu", "eventType": "menuChanged"}',
        ],
    )
    def test_it_stores_what_is_odd_byte_for_byte(self, post, raw):
        assert post(raw).status_code == 200
        assert bytes(Delivery.objects.get().raw) == raw

    def test_it_stores_the_same_event_twice(self, post):
        post()
        post()

        assert Delivery.objects.count() == 2

    def test_it_takes_any_content_type(self, post):
        assert post(content_type="text/plain").status_code == 200

    def test_it_needs_no_known_host(self, post):
        assert post(headers={"host": "127.0.0.1"}).status_code == 200

    def test_it_needs_no_session_and_sets_no_cookie(self, post):
        assert not post().cookies

    @pytest.mark.parametrize(
        "token", [None, "", "wrong", TOKEN[:-1], TOKEN + "x", "x" * 5000, f"{TOKEN}&token={TOKEN}"]
    )
    def test_another_token_finds_nothing(self, post, token):
        response = post(token=token)

        assert response.status_code == 404
        assert not Delivery.objects.exists()
        assert counted("wrong_token") == 1

    @pytest.mark.parametrize("written", ["chosen+by/hand=%261", "chosen%2Bby%2Fhand%3D%261"])
    def test_a_token_of_odd_characters_is_found(self, post, written):
        connection = Connection.objects.get()
        connection.set_webhook_token("chosen+by/hand=&1")
        connection.save()

        assert connection.webhook_url.endswith("?token=chosen%2Bby%2Fhand%3D%261")
        assert post(token=written).status_code == 200

    def test_a_token_in_the_body_is_none(self, post):
        raw = f"token={TOKEN}".encode()

        assert post(raw, token=None).status_code == 404

    def test_endless_parameters_find_nothing(self, post):
        assert post(token="x&a=1" + "&b=2" * 50).status_code == 404

    def test_both_tokens_work_during_a_rotation(self, post):
        connection = Connection.objects.get()
        connection.rotate_webhook_token("the-next-token-0123456789-0123456789")
        connection.save()

        assert post().status_code == 200
        assert post(token="the-next-token-0123456789-0123456789").status_code == 200
        slots = Delivery.objects.order_by("pk").values_list("slot", flat=True)
        assert list(slots) == [Slot.PREVIOUS, Slot.CURRENT]

    def test_the_previous_token_ends_with_its_overlap(self, post):
        connection = Connection.objects.get()
        connection.rotate_webhook_token("the-next-token-0123456789-0123456789")
        connection.previous_expires_at = timezone.now() - timedelta(seconds=1)
        connection.save()

        assert post().status_code == 404

    def test_nothing_is_found_before_a_connection_is_set_up(self, post):
        Connection.objects.all().delete()

        assert post().status_code == 404

    @pytest.mark.parametrize("method", ["get", "put", "patch", "delete", "head", "options"])
    def test_other_methods_are_answered_405(self, client, post, method):
        response = getattr(client, method)(f"{URL}?token={TOKEN}")

        assert response.status_code == 405
        assert response["Allow"] == "POST"

    def test_other_methods_learn_nothing_without_the_token(self, client, post):
        assert client.get(URL).status_code == 404

    def test_64_kib_are_stored(self, post):
        assert post(b"x" * MOST_BYTES).status_code == 200

    def test_one_byte_more_is_too_large(self, post):
        assert post(b"x" * (MOST_BYTES + 1)).status_code == 413
        assert not Delivery.objects.exists()
        assert counted("oversize") == 1


class FakeInbox(Inbox):
    """An inbox whose database, reading or counts may fail."""

    def __init__(self, *, stores=True, is_known=True):
        known = [KnownToken(1, Slot.CURRENT, hash_token(TOKEN))]
        self.tokens = TokenTable(known) if is_known else None
        self.stores = stores
        self.stored, self.counted = [], []

    def take(self, read, *, token):
        self.stored.append((read(), token.slot))
        return self.stores

    def count(self, what):
        self.counted.append(what)


class BrokenStream:
    def read(self, size):
        raise OSError("the connection was lost")


class LateStream:
    def read(self, size):
        raise TimeoutError


def environ(raw=b"{}", **changes):
    usual = {
        "REQUEST_METHOD": "POST",
        "QUERY_STRING": f"token={TOKEN}",
        "CONTENT_LENGTH": str(len(raw)),
        "wsgi.input": BytesIO(raw),
        "wsgi.input_terminated": True,
    }
    return {key: value for key, value in (usual | changes).items() if value is not None}


class TestJudgeRequests(SimpleTestCase):
    def test_it_works(self):
        inbox = FakeInbox()

        assert handle(environ(), inbox=inbox).status == "200 OK"
        assert inbox.stored == [(b"{}", Slot.CURRENT)]

    def test_what_is_not_stored_is_answered_503(self):
        inbox = FakeInbox(stores=False)

        assert handle(environ(), inbox=inbox).status == "503 Service Unavailable"
        assert inbox.counted == ["unavailable"]

    def test_nobody_is_turned_away_while_the_tokens_cannot_be_read(self):
        inbox = FakeInbox(is_known=False)

        assert handle(environ(), inbox=inbox).status == "503 Service Unavailable"

    def test_a_lost_connection_leaves_an_incomplete_body(self):
        inbox = FakeInbox()

        answer = handle(environ(**{"wsgi.input": BrokenStream()}), inbox=inbox)

        assert answer.status == "400 Bad Request"
        assert inbox.counted == ["incomplete"]
        assert inbox.stored == []

    def test_a_body_that_comes_too_slowly_is_incomplete(self):
        answer = handle(environ(**{"wsgi.input": LateStream()}), inbox=FakeInbox())

        assert answer.status == "400 Bad Request"

    def test_a_body_shorter_than_its_length_is_incomplete(self):
        answer = handle(environ(b"{}", CONTENT_LENGTH="3"), inbox=FakeInbox())

        assert answer.status == "400 Bad Request"

    def test_a_length_over_the_limit_is_not_even_read(self):
        answer = handle(
            environ(CONTENT_LENGTH="65537", **{"wsgi.input": BrokenStream()}), inbox=FakeInbox()
        )

        assert answer.status == "413 Content Too Large"

    def test_a_body_in_chunks_is_counted_as_it_comes(self):
        inbox = FakeInbox()

        whole = b'{"a": "%s"}' % (b"x" * (MOST_BYTES - 9))
        fits = handle(environ(whole, CONTENT_LENGTH=None), inbox=inbox)
        exceeds = handle(environ(b"x" * (MOST_BYTES + 1), CONTENT_LENGTH=None), inbox=inbox)

        assert len(whole) == MOST_BYTES
        assert (fits.status, exceeds.status) == ("200 OK", "413 Content Too Large")

    def test_a_body_in_chunks_that_is_no_whole_object_is_incomplete(self):
        inbox = FakeInbox()

        answer = handle(environ(b'{"a": 1', CONTENT_LENGTH=None), inbox=inbox)

        assert answer.status == "400 Bad Request"
        assert inbox.counted == ["incomplete"]
        assert inbox.stored == []

    def test_without_length_and_promise_of_an_end_there_is_no_body(self):
        inbox = FakeInbox()

        handle(environ(b"{}", CONTENT_LENGTH=None, **{"wsgi.input_terminated": None}), inbox=inbox)

        assert inbox.stored == [(b"", Slot.CURRENT)]
