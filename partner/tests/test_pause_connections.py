"""A paused connection makes no call and loses nothing; a retired one has no credentials."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from partner import factory, testing
from partner.errors import NotConfigured
from partner.models import Connection, PosIdentity

pytestmark = pytest.mark.django_db


def run(*words: str) -> str:
    printed = io.StringIO()
    call_command("partner", *words, stdout=printed)
    return printed.getvalue()


def path(name: str) -> str:
    return reverse(f"partner:{name}", args=[Connection.objects.get().pk])


class TestPage:
    @pytest.fixture
    def owner(self, cast, signed_in):
        testing.connection()
        return signed_in(cast.dora)

    def test_it_works(self, owner):
        owner.post(path("pause"))
        with pytest.raises(NotConfigured):
            factory.client()
        assert "This connection is paused" in owner.get(reverse("partner:index")).text

        owner.post(path("resume"))
        assert factory.client()
        assert "Pause the connection" in owner.get(reverse("partner:index")).text

    def test_the_pause_stands_before_the_valid_key(self, owner):
        owner.post(path("pause"))
        shown = owner.get(reverse("partner:index")).text

        assert 0 < shown.index("This connection is paused") < shown.index("The key is valid")

    def test_its_events_are_still_taken(self, owner):
        owner.post(path("pause"))

        assert testing.slot_of(testing.WEBHOOK_TOKEN)

    @pytest.mark.parametrize("name", ["pause", "resume"])
    def test_others_are_refused(self, owner, cast, signed_in, name):
        assert signed_in(cast.alice).post(path(name)).status_code == 403
        assert Connection.objects.get().state == Connection.State.ACTIVE


class TestCommand:
    def test_it_works(self):
        made = testing.connection(name="Main")

        assert "Main is paused. Nothing is sent or read" in run("pause")
        assert "Main is active" in run("resume", "--connection", "Main")
        assert "Main is active" in run("resume", "--connection", str(made.pk))

    def test_of_several_one_is_named(self):
        testing.connection(name="Main"), testing.connection(name="Second")

        with pytest.raises(CommandError, match="Say which"):
            run("pause")
        run("pause", "--connection", "Second")
        assert dict(Connection.objects.values_list("name", "state")) == {
            "Main": "active",
            "Second": "paused",
        }

    def test_one_that_is_not_there_is_named_with_those_that_are(self):
        testing.connection(name="Main")

        with pytest.raises(CommandError, match="“Other” does not name one connection.*Main"):
            run("pause", "--connection", "Other")

    def test_what_is_retired_has_no_credentials_and_stays_retired(self):
        testing.connection(name="Main")
        testing.pos_identity()
        run("retire")
        run("retire", "--connection", "Main")
        for word in ("pause", "resume"):
            with pytest.raises(CommandError, match="Main is retired. Nothing was changed"):
                run(word, "--connection", "Main")

        retired = Connection.objects.get()
        assert retired.state == Connection.State.RETIRED
        assert [retired.client_secret, retired.previous_client_secret] == ["", ""]
        assert [retired.webhook_token, retired.webhook_token_hash] == ["", ""]
        assert not retired.tokens.exists()
        assert PosIdentity.objects.get().api_key == ""
        assert not testing.slot_of("")
        assert not testing.slot_of(testing.WEBHOOK_TOKEN)
