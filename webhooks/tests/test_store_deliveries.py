"""The inbox: many requests, one commit, and an honest answer to each of them."""

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count

import pytest
from django.db import connection, transaction

from partner import testing as partner
from partner.models import Slot
from partner.models.webhook_tokens import KnownToken
from webhooks.models import Delivery
from webhooks.receiver import STORE_SECONDS, Inbox

CURRENT = Slot.CURRENT


@pytest.fixture
def inbox(transactional_db):
    started = Inbox(has_threads=True)
    yield started
    started.connection.close()


@contextmanager
def locked():
    """Hold what every writer needs: on SQLite the one write lock, which `atomic` takes at once."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("LOCK TABLE webhooks_delivery IN ACCESS EXCLUSIVE MODE")
        yield


def raws():
    return sorted(bytes(raw) for raw in Delivery.objects.values_list("raw", flat=True))


def store(inbox, raw, *, slot):
    """As the receiver does: hand over what reads the body, and wait for the answer."""
    return inbox.take(lambda: raw, token=KnownToken(None, slot))


class TestStoreDeliveries:
    def test_it_works(self, inbox):
        assert store(inbox, b"\x00{}", slot=Slot.PREVIOUS) is True

        delivery = Delivery.objects.get()
        assert (bytes(delivery.raw), delivery.size) == (b"\x00{}", 3)
        assert delivery.slot == Slot.PREVIOUS
        assert delivery.state == Delivery.State.NEW

    def test_every_one_of_a_crowd_is_stored_and_none_without_being_sent(self, inbox):
        sent = [b"%04d" % number for number in range(300)]

        def send(raw):
            """As the service does: again, until the answer is that it was stored."""
            return next(times for times in count(1) if store(inbox, raw, slot=CURRENT))

        with ThreadPoolExecutor(32) as crowd:
            times_sent = dict(zip(sent, crowd.map(send, sent), strict=True))

        stored = Counter(raws())
        assert stored.keys() == times_sent.keys()
        assert all(times <= times_sent[raw] for raw, times in stored.items())

    def test_slow_senders_hold_up_nobody(self, inbox):
        token, goes_on = KnownToken(None, CURRENT), threading.Event()

        def read_slowly():
            assert goes_on.wait(4)
            return b"slow"

        with ThreadPoolExecutor(8) as crowd:
            slow = [crowd.submit(inbox.take, read_slowly, token=token) for _ in range(8)]
            assert store(inbox, b"quick", slot=CURRENT) is True
            assert raws() == [b"quick"]
            goes_on.set()

        assert all(one.result() for one in slow)

    def test_what_cannot_be_stored_is_refused_in_time(self, inbox):
        store(inbox, b"first", slot=CURRENT)
        with locked():
            began = time.monotonic()
            answer = store(inbox, b"second", slot=CURRENT)
            took = time.monotonic() - began

        assert answer is False
        assert took < STORE_SECONDS + 0.2

    def test_it_goes_on_when_the_database_comes_back(self, inbox):
        with locked():
            store(inbox, b"refused", slot=CURRENT)

        assert store(inbox, b"stored", slot=CURRENT) is True
        assert raws() == [b"stored"]

    def test_a_connection_that_died_while_idle_costs_no_delivery(self, inbox):
        if connection.vendor != "postgresql":
            pytest.skip("a file has no connection that could die")
        store(inbox, b"first", slot=CURRENT)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'couvert-receiver' AND datname = current_database()"
            )

        assert store(inbox, b"second", slot=CURRENT) is True
        assert raws() == [b"first", b"second"]


class TestKnowTheTokens:
    def test_it_works(self, inbox):
        partner.connection()
        inbox.refresh()

        assert inbox.tokens.find(partner.WEBHOOK_TOKEN).slot == CURRENT

    def test_nobody_is_let_in_before_a_connection_is_set_up(self, inbox):
        inbox.refresh()

        assert not inbox.tokens

    def test_a_new_token_opens_as_soon_as_the_tokens_are_read(self, inbox):
        connection = partner.connection()
        inbox.refresh()
        connection.rotate_webhook_token("the-next-token-0123456789-0123456789")
        connection.save()
        inbox.refresh()

        assert inbox.tokens.find("the-next-token-0123456789-0123456789").slot == CURRENT
        assert inbox.tokens.find(partner.WEBHOOK_TOKEN).slot == Slot.PREVIOUS

    def test_what_was_known_is_remembered_while_the_database_is_away(
        self, inbox, django_db_blocker
    ):
        partner.connection()
        inbox.refresh()
        with django_db_blocker.block():
            inbox.refresh()

        assert inbox.tokens.find(partner.WEBHOOK_TOKEN).slot == CURRENT
