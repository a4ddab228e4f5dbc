import io

import pytest
from cryptography.fernet import Fernet
from django.core import serializers
from django.core.exceptions import FieldError, ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection as database

from lib import encryption
from partner import testing
from partner.models import Connection

pytestmark = pytest.mark.django_db


def stored(column):
    with database.cursor() as cursor:
        cursor.execute(f"SELECT {column} FROM partner_connection")
        return cursor.fetchone()[0]


def test_it_works():
    testing.connection(client_secret="café & co")

    assert Connection.objects.get().client_secret == "café & co"


def test_the_database_never_sees_the_secret():
    testing.connection(client_secret="a-plain-secret")

    assert "a-plain-secret" not in stored("client_secret")
    assert testing.WEBHOOK_TOKEN not in stored("webhook_token")


def test_empty_stays_empty():
    testing.connection(previous_client_secret="")

    assert stored("previous_client_secret") == ""
    assert Connection.objects.get().previous_client_secret == ""


def test_update_and_bulk_update_encrypt_too():
    row = testing.connection()
    Connection.objects.update(client_secret="by update")
    assert Connection.objects.get().client_secret == "by update"

    row.client_secret = "in bulk"
    Connection.objects.bulk_update([row], ["client_secret"])
    assert Connection.objects.get().client_secret == "in bulk"


def test_a_wrong_key_raises_instead_of_returning_ciphertext(settings):
    testing.connection()
    settings.ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

    with pytest.raises(encryption.DecryptionFailed) as fault:
        _ = Connection.objects.get().client_secret

    assert "gAAAA" not in str(fault.value)


@pytest.mark.parametrize("keys", [[], ["not a key"]])
def test_a_missing_or_odd_key_is_named(settings, keys):
    settings.ENCRYPTION_KEYS = keys

    with pytest.raises(ImproperlyConfigured, match="ENCRYPTION_KEYS"):
        encryption.encrypt("secret")


def test_only_isnull_can_be_looked_up():
    testing.connection()

    for lookup in ("client_secret", "client_secret__contains"):
        with pytest.raises(FieldError):
            Connection.objects.filter(**{lookup: "secret"}).exists()
    assert Connection.objects.filter(client_secret__isnull=False).count() == 1


def test_a_dump_holds_no_secret():
    testing.connection()

    dump = serializers.serialize("json", Connection.objects.all())

    assert "client-secret-for-tests" not in dump
    assert testing.WEBHOOK_TOKEN not in dump


class TestRotateKeys:
    def test_it_works(self, settings):
        old, new = settings.ENCRYPTION_KEYS[0], Fernet.generate_key().decode()
        row = testing.connection()
        testing.pos_identity()

        settings.ENCRYPTION_KEYS = [new, old]
        call_command("rotate_keys", stdout=io.StringIO())
        settings.ENCRYPTION_KEYS = [new]

        assert Connection.objects.get().client_secret == "client-secret-for-tests"
        assert Connection.objects.get().webhook_token == testing.WEBHOOK_TOKEN
        assert row.tokens.get().access_token == "access-token-for-tests"

    def test_it_calls_the_hooks_of_other_stores(self, monkeypatch):
        monkeypatch.setattr(encryption, "_hooks", {})
        encryption.on_rotation("second factors", lambda: 3)
        printed = io.StringIO()

        call_command("rotate_keys", stdout=printed)

        assert "second factors: 3" in printed.getvalue()

    def test_it_changes_nothing_when_one_secret_cannot_be_opened(self, settings):
        testing.connection()
        before = stored("client_secret")
        settings.ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

        with pytest.raises(CommandError, match="Nothing was changed"):
            call_command("rotate_keys")

        assert stored("client_secret") == before

    def test_single_texts_rotate_too(self, settings):
        old, new = settings.ENCRYPTION_KEYS[0], Fernet.generate_key().decode()
        text = encryption.encrypt("seed")

        settings.ENCRYPTION_KEYS = [new, old]
        text = encryption.rotate(text)
        settings.ENCRYPTION_KEYS = [new]

        assert encryption.decrypt(text) == "seed"

    def test_a_text_of_another_key_is_refused(self, settings):
        text = encryption.encrypt("seed")
        settings.ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

        with pytest.raises(encryption.DecryptionFailed):
            encryption.rotate(text)
