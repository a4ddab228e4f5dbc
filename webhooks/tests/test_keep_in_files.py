"""Events that come while SQLite is locked: answered 200, kept in a file, stored when it is free."""

import fcntl
import json
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.db import OperationalError, connection, transaction

from partner import testing as partner
from partner.models import Slot
from partner.models.webhook_tokens import KnownToken
from webhooks.health import receiver_section
from webhooks.models import Delivery
from webhooks.receiver import Inbox, insert
from webhooks.spool import Spool, StoredBody
from webhooks.testing import some_payload
from webhooks.tests.serving import request, web_program

AT = datetime(2026, 6, 12, 18, 30, 0, 123456, tzinfo=UTC)


def body(raw=b"{}", *, connection_id=None):
    return StoredBody(AT, raw, Slot.CURRENT.value, connection_id)


def stored():
    return sorted(map(bytes, Delivery.objects.values_list("raw", flat=True)))


def fail(_bodies):
    raise OperationalError("database is locked")


@pytest.fixture
def spool(tmp_path):
    return Spool(tmp_path / "deliveries")


@pytest.mark.django_db
class TestSpool:
    def test_it_works(self, spool):
        known = partner.connection()
        raws = [b"\x00\xff{", b"{}"]

        assert spool.keep(body(raw, connection_id=known.pk) for raw in raws) is True
        assert spool.empty_into(insert) == 1

        assert stored() == raws
        first = Delivery.objects.order_by("pk")[0]
        assert (first.received_at, first.slot, first.size) == (AT, "current", 3)
        assert (first.connection, first.state) == (known, "new")
        assert spool.waiting() == []

    def test_it_waits_until_the_database_takes_it(self, spool):
        spool.keep([body()])
        for _ in range(2):
            with pytest.raises(OperationalError):
                spool.empty_into(fail)

        assert Spool(spool.folder).empty_into(insert) == 1
        assert stored() == [b"{}"]

    def test_what_another_process_stores_is_left_to_it(self, spool):
        spool.keep([body()])
        with (spool.folder / spool.waiting()[0]).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            assert spool.empty_into(insert) == 0

        assert spool.empty_into(insert) == 1

    def test_a_file_that_cannot_be_written_is_no_receipt(self, spool):
        spool.folder.rmdir()

        assert spool.keep([body()]) is False

    def test_a_file_that_cannot_be_read_keeps_no_other_waiting(self, spool):
        (spool.folder / "0_broken.json").write_text(json.dumps([["no date"]])[:-4])
        spool.keep([body()])

        assert spool.empty_into(insert) == 1
        assert [file.name for file in spool.folder.iterdir()] == ["0_broken.unreadable"]

    @pytest.mark.parametrize("broken", ["null", "{}", "[7]", "[[1, 2, 3, 4]]", "\x00" * 512, ""])
    def test_nor_does_one_that_holds_something_else(self, spool, broken):
        (spool.folder / "0_broken.json").write_text(broken)
        spool.keep([body()])

        assert spool.empty_into(insert) == 1
        assert [file.name for file in spool.folder.iterdir()] == ["0_broken.unreadable"]

    @pytest.mark.parametrize("broken_at", range(0, 380, 19))
    def test_what_can_be_read_of_a_broken_one_is_stored_once(self, spool, broken_at):
        raws = [b'{"uuid": "%d"}' % number for number in range(4)]
        spool.keep(map(body, raws))
        [file] = (spool.folder / name for name in spool.waiting())
        text = file.read_bytes()
        file.write_bytes(text[:broken_at] + b"\xff\x00" + text[broken_at + 2 :])

        for _turn in range(2):
            spool.empty_into(insert)

        found = stored()
        assert len(found) >= 3 or broken_at in (0, len(text) - 2)
        assert set(found) <= set(raws)
        assert len(found) == len(set(found))
        [left] = spool.folder.iterdir()
        assert left.suffix == ".unreadable"

    def test_drafts_are_not_stored(self, spool):
        (spool.folder / ".0_draft.json").write_text("[")

        assert spool.empty_into(insert) == 0

    @pytest.mark.django_db(transaction=True)
    def test_a_connection_that_was_deleted_meanwhile_costs_no_event(self, spool):
        gone = partner.connection()
        spool.keep([body(connection_id=gone.pk)])
        gone.delete()

        assert spool.empty_into(insert) == 1
        assert Delivery.objects.get().connection is None


@pytest.mark.skipif(connection.vendor != "sqlite", reason="A server locks rows, not everything.")
@pytest.mark.django_db(transaction=True)
class TestLockedDatabase:
    def test_every_event_is_received_and_stored_afterwards(self, spool):
        inbox = Inbox(has_threads=True, spool=spool)
        raws = sorted(some_payload() for _ in range(3))
        with transaction.atomic():
            token = KnownToken(None, Slot.CURRENT)
            assert all(inbox.take(partial(bytes, raw), token=token) for raw in raws)
            assert stored() == []
        inbox.store_kept()
        inbox.connection.close()

        assert stored() == raws

    @pytest.mark.slow
    def test_what_a_killed_server_answered_200_is_stored_by_the_next(self):
        partner.connection()
        raws = sorted(some_payload() for _ in range(2))
        with transaction.atomic(), web_program(workers=2) as killed:
            answers = [killed.say(request(raw)) for raw in raws]
            killed.kill()
        with web_program() as web:
            assert all(answer.startswith(b"HTTP/1.1 200") for answer in answers)
            while len(stored()) < len(raws):
                assert web.say(request(b"", path="/health/live"))

        assert stored() == raws

    def test_files_that_wait_for_long_are_a_fault_of_the_receiver(self):
        spool = Spool.beside_sqlite()
        assert spool
        spool.keep([body()])
        now = datetime.now(UTC)

        assert receiver_section(now).state == "good"
        section = receiver_section(now + timedelta(minutes=2))
        spool.empty_into(lambda _bodies: None)

        assert section.state == "late"
        assert "wait in files" in section.sentence
        assert ("Files that wait for the database", 1) in section.rows
        assert receiver_section(now + timedelta(minutes=2)).state == "good"

    def test_people_are_shown_what_cannot_be_read_until_it_is_deleted(self):
        spool = Spool.beside_sqlite()
        assert spool
        broken = spool.folder / "0_broken.json"
        broken.write_text("[")
        spool.empty_into(insert)
        section = receiver_section(datetime.now(UTC))
        broken.with_suffix(".unreadable").unlink()

        assert section.state == "late"
        assert "Compare with the service now" in section.sentence
        assert ("Cannot be read whole", "0_broken.unreadable") in section.rows
        assert receiver_section(datetime.now(UTC)).state == "good"
