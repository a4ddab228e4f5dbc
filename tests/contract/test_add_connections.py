"""Setup → Connections → Add: tried at the service before it is used, owned by who adds it."""

import pytest
from django.urls import reverse

from partner import testing
from partner.calls import clear_states
from partner.models import Connection, Token, TokenRequest
from restaurants.testing import make_user, sign_in
from tests.contract.local import LocalSandbox

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    local = LocalSandbox(tmp_path_factory.mktemp("local"))
    yield local
    local.stop()


@pytest.fixture
def sandbox(running):
    running.delete("faults")
    running.post("reset")
    clear_states()
    testing.connection()
    yield running
    assert running.breaches() == {}


def form(sandbox, **changes):
    facts = {"name": "Second", "requests_per_minute": "600"}
    return facts | sandbox.credentials("stranger") | changes


def add(person, data):
    return sign_in(person).post(reverse("partner:add"), data)


def second():
    return Connection.objects.exclude(name="Main").first()


class TestAdd:
    def test_it_works(self, sandbox, dora):
        answer = add(dora, form(sandbox))

        made = second()
        assert answer.headers["Location"] == reverse("partner:show", args=[made.pk])
        assert made.state == Connection.State.ACTIVE
        assert list(made.owners.all()) == [dora]
        assert Token.objects.of(made).usable_until
        assert sandbox.requests_to("request_token") == 1

    def test_who_runs_the_server_becomes_its_owner(self, sandbox, cast):
        root = make_user("root@example.org", is_superuser=True)

        add(root, form(sandbox))

        root.refresh_from_db()
        assert root.is_owner
        assert list(second().owners.all()) == [root]

    def test_others_are_refused(self, sandbox, alice):
        assert add(alice, form(sandbox)).status_code == 403
        assert not second()

    def test_a_refused_key_is_a_sentence_and_nothing_is_saved(self, sandbox, dora):
        answer = add(dora, form(sandbox, client_secret="mistyped-0123456789"))

        assert answer.status_code == 422
        assert "Nothing was saved: the key was not given" in answer.text
        assert "mistyped" not in answer.text
        assert not second()

    def test_it_can_be_saved_without_a_test_and_is_paused(self, sandbox, dora):
        add(dora, form(sandbox) | {"untested": "1"})

        assert second().state == Connection.State.PAUSED
        assert sandbox.requests_to("request_token") == 0

    def test_a_lost_answer_keeps_it_so_that_no_key_is_requested_early(self, sandbox, dora):
        sandbox.fault({"endpoint": "request_token"}, drop=True, after_effect=True, count=1)

        add(dora, form(sandbox))

        assert second().state == Connection.State.PAUSED
        assert TokenRequest.objects.get().outcome == TokenRequest.Outcome.UNANSWERED

    def test_a_client_that_is_set_up_already_is_refused(self, sandbox, dora):
        add(dora, form(sandbox))

        answer = add(dora, form(sandbox, name="Third"))

        assert answer.status_code == 422
        assert "This client cannot be added." in answer.text
        assert Connection.objects.count() == 2


class TestList:
    def test_a_single_one_is_opened_at_once(self, sandbox, dora):
        page = sign_in(dora).get(reverse("partner:index")).text

        assert "The key is valid" in page
        assert "Add another connection" in page

    def test_of_several_each_has_a_line_and_a_page(self, sandbox, dora):
        add(dora, form(sandbox))
        page = sign_in(dora).get(reverse("partner:index")).text

        for one in Connection.objects.all():
            assert reverse("partner:show", args=[one.pk]) in page
        assert "The key is valid" in page
        assert testing.WEBHOOK_TOKEN not in page

    def test_an_owner_sees_their_own_alone(self, sandbox, cast):
        root = make_user("root@example.org", is_superuser=True)
        add(root, form(sandbox))

        assert "Second" not in sign_in(cast.dora).get(reverse("partner:index")).text
        page = sign_in(cast.dora).get(reverse("partner:show", args=[second().pk]))
        assert page.status_code == 404

    def test_who_runs_the_server_sees_all_and_no_secret(self, sandbox, dora):
        root = sign_in(make_user("root@example.org", is_superuser=True))
        add(dora, form(sandbox))

        assert "Second" in root.get(reverse("partner:index")).text
        page = root.get(reverse("partner:show", args=[Connection.objects.get(name="Main").pk])).text
        assert "only the owners of this connection see it" in page
        assert testing.WEBHOOK_TOKEN not in page


class TestRetire:
    def retire(self, dora, name):
        path = reverse("partner:retire", args=[Connection.objects.get().pk])
        return sign_in(dora).post(path, {"retired_name": name}, follow=True)

    def test_it_works(self, sandbox, dora):
        page = self.retire(dora, "Main").text

        assert Connection.objects.get().state == Connection.State.RETIRED
        assert "This connection is retired" in page
        assert "Save connection" not in page

    def test_without_its_name_nothing_is_done(self, sandbox, dora):
        answer = self.retire(dora, "Second")

        assert answer.status_code == 422
        assert "This is not its name." in answer.text
        assert Connection.objects.get().state == Connection.State.ACTIVE
