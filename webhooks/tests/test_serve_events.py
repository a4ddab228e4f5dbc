"""The receiver on a real socket: what only a server can get wrong."""

import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from partner import testing as partner
from webhooks.models import Delivery
from webhooks.receiver import MOST_BYTES
from webhooks.testing import payload, some_payload
from webhooks.tests.serving import ADDRESS, connected_program, request, web_program

RECEIVED = b'{"data": {}}'
CHUNKED = "Transfer-Encoding: chunked"

pytestmark = pytest.mark.slow


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


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


class TestServeEvents:
    def test_it_works(self, web):
        answer = web.say(request(payload()))

        head, _blank, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        assert b"content-type: application/json" in head.lower()
        assert body == RECEIVED
        assert bytes(Delivery.objects.get().raw) == payload()

    def test_the_address_without_its_slash_is_no_redirect(self, web):
        path = ADDRESS.replace("/?", "?")

        assert status(web.say(request(payload(), path=path))) == "200"

    def test_no_middleware_runs(self, web):
        answer = web.say(request(payload())).lower()

        assert b"set-cookie" not in answer
        assert b"cross-origin-opener-policy" not in answer
        assert b"nosniff" in answer

    def test_it_takes_a_body_in_chunks(self, web):
        answer = web.say(request(chunk(b'{"a":') + chunk(b" 1}") + chunk(b""), CHUNKED))

        assert status(answer) == "200"
        assert bytes(Delivery.objects.get().raw) == b'{"a": 1}'

    def test_an_incomplete_body_is_refused(self, web):
        answer = web.say(request(payload()[:20], length=len(payload())), ends=True)

        assert status(answer) == "400"
        assert not Delivery.objects.exists()

    def test_a_body_that_never_ends_coming_is_refused_in_time(self, web):
        began = time.monotonic()
        answer = web.say(request(b"{", length=100))

        assert status(answer) == "400"
        assert time.monotonic() - began < 3

    def test_a_body_that_comes_in_drops_is_refused_in_time(self, web):
        with socket.create_connection(("127.0.0.1", web.port), timeout=5) as wire:
            wire.sendall(request(b"", length=1000))
            for _ in range(10):
                wire.sendall(b"x")
                time.sleep(0.1)
            assert wire.recv(100).startswith(b"HTTP/1.1 400")

    def test_a_length_over_the_limit_is_refused_before_it_is_sent(self, web):
        assert status(web.say(request(b"", length=3_000_000))) == "413"

    def test_chunks_over_the_limit_are_refused(self, web):
        whole = chunk(b"x" * MOST_BYTES) + chunk(b"x") + chunk(b"")
        endless = chunk(b"x" * 8192) * 30

        assert status(web.say(request(whole, CHUNKED))) == "413"
        assert status(web.say(request(endless, CHUNKED))) == "413"

    def test_slow_senders_hold_up_nobody(self, web):
        slow = request(b"{", length=100)
        with ThreadPoolExecutor(40) as pool:
            waiting = [pool.submit(web.say, slow) for _ in range(40)]
            time.sleep(0.1)
            began = time.monotonic()
            answer = web.say(request(payload()))
            took = time.monotonic() - began

        assert status(answer) == "200"
        assert took < 0.4
        assert {status(each.result()) for each in waiting} == {"400"}

    def test_another_token_finds_nothing(self, web):
        for path in ("/webhooks/partner/", ADDRESS[:-1], ADDRESS + "x"):
            assert status(web.say(request(payload(), path=path))) == "404"
        assert not Delivery.objects.exists()

    def test_other_methods_are_answered_405(self, web):
        for method in ("GET", "PUT", "DELETE", "OPTIONS"):
            answer = web.say(request(b"", method=method))

            assert status(answer) == "405"
            assert b"allow: post" in answer.lower()

    def test_a_locked_database_is_answered_in_time(self, web):
        web.say(request(payload()))
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("LOCK TABLE webhooks_delivery IN ACCESS EXCLUSIVE MODE")
            began = time.monotonic()
            answers = [status(web.say(request(payload()))) for _ in range(2)]
            took = time.monotonic() - began

        # SQLite has a file beside it, on the same disk.
        assert answers == ["503" if connection.vendor == "postgresql" else "200"] * 2
        assert took < 2 * 0.8
        assert status(web.say(request(payload()))) == "200"
        acknowledged = 2 + answers.count("200")
        while Delivery.objects.count() < acknowledged:
            assert status(web.say(request(b"", path="/health/live"))) == "200"

    def test_a_burst_is_stored_whole(self, web):
        sent = sorted(some_payload() for _ in range(200))
        with ThreadPoolExecutor(50) as pool:
            answers = set(pool.map(lambda raw: status(web.say(request(raw))), sent))

        assert answers == {"200"}
        assert sorted(map(bytes, Delivery.objects.values_list("raw", flat=True))) == sent

    def test_the_token_is_in_no_log(self, web):
        web.say(request(payload()))
        web.say(request(payload(), path=ADDRESS + "x"))
        web.say(request(payload(), path=ADDRESS.replace("partner", "nobody")))

        assert partner.WEBHOOK_TOKEN not in web.log()


@pytest.mark.django_db(transaction=True)
def test_an_absent_broker_delays_no_answer():
    partner.connection()
    with web_program(CELERY_BROKER_URL="redis://127.0.0.1:1/0") as web:
        began = time.monotonic()
        answers = {status(web.say(request(payload()))) for _ in range(20)}
        took = time.monotonic() - began

        assert answers == {"200"}
        assert took < 1
