from datetime import timedelta

import pytest
from auditlog.models import LogEntry
from cryptography.fernet import Fernet
from django.db import IntegrityError, transaction
from django.utils import timezone

from partner import checks, factory, testing
from partner.errors import NotConfigured
from partner.models import Connection, PosIdentity, Slot, last_four
from partner.models.connection import OVERLAP
from partner.models.webhook_tokens import is_taken

pytestmark = pytest.mark.django_db


def test_it_works():
    made = testing.connection(name="Main")

    assert Connection.objects.current() == made
    assert str(made) == "Main"


def test_without_one_it_says_so():
    with pytest.raises(NotConfigured):
        Connection.objects.current()
    with pytest.raises(NotConfigured):
        PosIdentity.objects.of(None)


class TestSeveral:
    def test_none_is_guessed_where_none_is_named(self):
        testing.connection()
        testing.connection(name="Second")

        with pytest.raises(NotConfigured):
            Connection.objects.current()

    def test_a_row_names_its_own(self):
        first, second = testing.connection(), testing.connection(name="Second")

        assert factory.client(first.pk)._calls._base_url == first.base_url
        assert Connection.objects.named(second.pk) == second

    @pytest.mark.parametrize("state", [Connection.State.PAUSED, Connection.State.RETIRED])
    def test_one_that_is_not_in_use_makes_no_call(self, state):
        resting = testing.connection(state=state)

        with pytest.raises(NotConfigured):
            factory.client(resting.pk)


def test_representations_hold_no_secret():
    shown = repr(testing.connection()) + repr(testing.pos_identity())
    shown += repr(testing.connection(state=Connection.State.PAUSED).tokens.get())

    assert "for-tests" not in shown


def test_the_audit_trail_holds_no_secret():
    made = testing.connection()
    made.client_secret = "another secret"
    made.rotate_webhook_token()
    made.name = "Renamed"
    made.save()

    trail = "".join(str(entry.changes) for entry in LogEntry.objects.all())
    assert "Renamed" in trail
    assert "secret-for-tests" not in trail
    assert testing.WEBHOOK_TOKEN not in trail
    assert "another secret" not in trail
    assert made.webhook_token_hash not in trail


class TestWebhookToken:
    def test_it_works(self):
        made = testing.connection()

        assert testing.slot_of(testing.WEBHOOK_TOKEN)
        assert made.webhook_url.endswith(f"/webhooks/partner/?token={testing.WEBHOOK_TOKEN}")

    @pytest.mark.parametrize("token", ["", "wrong", "é\udc80", testing.WEBHOOK_TOKEN + "x"])
    def test_others_are_refused(self, token):
        testing.connection()

        assert not testing.slot_of(token)

    def test_the_receiver_needs_no_key(self, settings):
        testing.connection()
        settings.ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

        assert testing.slot_of(testing.WEBHOOK_TOKEN)

    def test_a_random_one_is_made_when_none_is_given(self):
        made = testing.connection(webhook_token="")

        assert len(made.webhook_token) >= 43
        assert testing.slot_of(made.webhook_token)

    def test_both_work_during_the_overlap(self):
        made = testing.connection()
        now = timezone.now()

        made.rotate_webhook_token(now=now)
        made.save()

        made = Connection.objects.current()
        later = now + OVERLAP + timedelta(seconds=1)
        assert testing.slot_of(made.webhook_token) == Slot.CURRENT
        assert testing.slot_of(testing.WEBHOOK_TOKEN, now=now) == Slot.PREVIOUS
        assert testing.slot_of(testing.WEBHOOK_TOKEN, now=later) is None

    def test_the_old_one_can_be_revoked_at_once(self):
        made = testing.connection()
        made.rotate_webhook_token()
        made.revoke_previous_webhook_token()
        made.save()

        assert not testing.slot_of(testing.WEBHOOK_TOKEN)

    def test_assigning_one_keeps_the_hash_in_step(self):
        made = testing.connection()
        made.webhook_token = "assigned-directly-0123456789"
        made.save(update_fields=["webhook_token"])

        assert testing.slot_of("assigned-directly-0123456789")

    def test_saving_something_else_leaves_it_alone(self):
        testing.connection()
        found = Connection.objects.current()
        found.name = "Renamed"
        found.save()

        assert testing.slot_of(testing.WEBHOOK_TOKEN)

    def test_its_last_use_is_remembered_per_token(self):
        made = testing.connection()
        at = timezone.now()

        made.note_webhook_use(Slot.CURRENT, at=at)
        made.note_webhook_use(Slot.PREVIOUS, at=at - timedelta(days=1))

        made.refresh_from_db()
        assert made.webhook_token_used_at == at
        assert made.previous_used_at == at - timedelta(days=1)


def test_a_new_client_secret_keeps_the_old_one_until_it_worked():
    made = testing.connection()

    made.set_client_secret("new")

    assert (made.client_secret, made.previous_client_secret) == ("new", "client-secret-for-tests")


def test_only_long_secrets_show_their_end():
    assert last_four("0123456789abcdef") == "cdef"
    assert last_four("short") == ""


def test_a_missing_key_stops_the_start(settings):
    assert checks.check_encryption_keys() == []
    settings.ENCRYPTION_KEYS = []

    assert [fault.id for fault in checks.check_encryption_keys()] == ["partner.E001"]


class TestSharedToken:
    def test_two_connections_never_have_the_same(self):
        testing.connection()

        with pytest.raises(IntegrityError), transaction.atomic():
            testing.connection(name="Second", webhook_token=testing.WEBHOOK_TOKEN)

    def test_one_that_still_works_is_taken_too(self):
        made = testing.connection()
        made.rotate_webhook_token()
        made.save()

        assert is_taken(testing.WEBHOOK_TOKEN)
        assert not is_taken(testing.WEBHOOK_TOKEN, besides=made.pk)
        assert not is_taken("of-nobody-0123456789")

    def test_those_that_are_retired_have_none(self):
        for name in ("Main", "Second"):
            testing.connection(name=name).retire()

        assert Connection.objects.filter(webhook_token_hash="").count() == 2
        assert not is_taken("")
