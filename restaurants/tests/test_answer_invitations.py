"""Answers to an invitation, with an account and without one."""

from urllib.parse import urlencode, urlsplit

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone

from accounts.models import User
from accounts.rights import Role
from restaurants.invitations.models import LIFETIME, Invitation
from restaurants.invitations.offers import RoleOffer
from restaurants.testing import make_invitation, make_member, make_user, sign_in

MINE = "/invitations/"


PASSWORD = "correct horse battery staple"  # noqa: S105  # of nobody


@pytest.fixture
def harbour_admin(harbour):
    admin = make_user("erin@example.org")
    make_member(admin, harbour, "admin")
    return admin


def page(answer):
    return answer.content.decode()


def path_of(link):
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}"


def accept_as_new(client, invitation, password=PASSWORD):
    data = {"new_password1": password, "new_password2": password}
    return client.post(path_of(invitation.link), data)


class TestAnswerWithAnAccount:
    @pytest.fixture
    def invitation(self, harbour_admin, charlie, quay):
        return make_invitation(charlie.email, quay, harbour_admin)

    def test_the_link_leads_to_the_sign_in_and_the_page(self, invitation, client, charlie):
        outside = client.get(path_of(invitation.link))
        inside = sign_in(charlie).get(path_of(invitation.link))

        assert outside.headers["Location"] == "/accounts/login/?next=%2Finvitations%2F"
        assert inside.headers["Location"] == MINE

    def test_it_shows_what_is_offered_and_by_whom(self, invitation, charlie):
        shown = page(sign_in(charlie).get(MINE))
        assert "Your account</h1>" in shown  # as on the tabs beside it

        assert "Staff · Quay" in shown
        assert "Erin" in shown

    def test_a_yes_gives_the_role(self, invitation, charlie, quay):
        sign_in(charlie).post(f"{MINE}{invitation.key}/accept/")

        assert charlie.memberships.get(restaurant=quay).role == "staff"
        assert not Invitation.objects.exists()

    def test_a_no_gives_nothing(self, invitation, charlie, quay):
        sign_in(charlie).post(f"{MINE}{invitation.key}/decline/")

        assert not charlie.memberships.filter(restaurant=quay).exists()
        assert not Invitation.objects.exists()

    def test_nobody_answers_for_another(self, invitation, alice, quay):
        client = sign_in(alice)

        for verb in ("accept", "decline"):
            assert client.post(f"{MINE}{invitation.key}/{verb}/").status_code == 404
        assert client.get(path_of(invitation.link)).status_code == 404
        assert Invitation.objects.exists()

    def test_the_link_sets_no_password_of_an_account(self, invitation, client, charlie):
        accept_as_new(client, invitation)

        charlie.refresh_from_db()
        assert not charlie.check_password(PASSWORD)
        assert Invitation.objects.exists()

    def test_it_does_not_hold_once_the_inviter_may_no_longer_invite(
        self, invitation, charlie, harbour_admin, quay
    ):
        harbour_admin.memberships.all().delete()

        sign_in(charlie).post(f"{MINE}{invitation.key}/accept/")

        assert not charlie.memberships.filter(restaurant=quay).exists()

    def test_it_lapses_after_a_week(self, invitation, charlie):
        later = timezone.now() + LIFETIME

        with time_machine.travel(later, tick=False):
            answer = sign_in(charlie).post(f"{MINE}{invitation.key}/accept/")

        assert answer.status_code == 404


class TestAnswerWithoutAnAccount:
    @pytest.fixture
    def invitation(self, harbour_admin, quay):
        return make_invitation("fay@example.org", quay, harbour_admin, role=Role.MANAGER)

    def test_a_yes_makes_the_account_with_its_password_and_role(self, invitation, client, quay):
        assert "Manager · Quay" in page(client.get(path_of(invitation.link)))

        answer = accept_as_new(client, invitation)

        fay = User.objects.get(email="fay@example.org")
        assert answer.status_code == 302
        assert fay.check_password(PASSWORD)
        assert (fay.name, fay.memberships.get().restaurant) == ("Fay", quay)

    def test_a_deactivated_account_opens_for_what_is_offered_alone(
        self, invitation, client, cellar
    ):
        """Who deactivated the person decides about the roles from then, and can give them again."""
        fay = make_user("fay@example.org", name="Known elsewhere", is_active=False)
        make_member(fay, cellar, "admin")
        views = {"own": None, "shared": cellar.group}
        for name, group in views.items():
            fay.saved_views.create(page="customers", name=name, group=group, query="q=Rossi")
        fay.saved_review_views.create(name="own", query="q=Rossi")
        shown = page(client.get(path_of(invitation.link)))
        accept_as_new(client, invitation)
        fay.refresh_from_db()

        assert "Welcome, Fay" in shown
        assert "Known elsewhere" not in shown
        assert fay.name == "Known elsewhere"  # what was done there is not signed with another one
        assert fay.saved_views.get().name == "shared"
        assert not fay.saved_review_views.exists()
        assert list(fay.memberships.values_list("role", "restaurant__name")) == [
            ("manager", "Quay")
        ]
        assert fay.is_active
        assert fay.check_password(PASSWORD)

    @pytest.mark.parametrize("rank", ["is_owner", "is_superuser"])
    def test_a_deactivated_account_with_more_than_roles_stays_closed(
        self, invitation, client, rank
    ):
        make_user("fay@example.org", is_active=False, **{rank: True})

        assert accept_as_new(client, invitation).url.startswith("/accounts/login/")
        assert not User.objects.filter(email="fay@example.org", is_active=True).exists()

    def test_it_works_once(self, invitation, client):
        accept_as_new(client, invitation)
        cache.clear()

        assert accept_as_new(client, invitation).status_code == 404

    def test_a_double_click_leads_where_the_first_led(self, invitation, client):
        """It read that the invitation was over, as the account was there."""
        first, second = accept_as_new(client, invitation), accept_as_new(client, invitation)

        assert first.url == second.url == "/accounts/login/"
        assert User.objects.get(email="fay@example.org").check_password(PASSWORD)

    @pytest.mark.parametrize("token", ["x" * 5000, "\x00", "a b\n"])
    def test_a_token_that_no_cache_can_hold_is_over(self, client, token, settings):
        store = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
        settings.CACHES = settings.CACHES | {"default": store}

        address = f"/invitations/open/?{urlencode({'token': token})}"
        assert client.post(address).status_code == 404

    def test_of_two_at_once_one_makes_the_account(self, invitation, client, monkeypatch):
        """Both had found the invitation; the other one answers it first."""
        monkeypatch.setattr(RoleOffer, "lock", lambda _offer: False)

        assert accept_as_new(client, invitation).url == "/accounts/login/"
        assert not User.objects.filter(email="fay@example.org").exists()

    def test_a_weak_password_makes_no_account(self, invitation, client):
        assert accept_as_new(client, invitation, password="password").status_code == 422
        assert not User.objects.filter(email="fay@example.org").exists()

    def test_a_no_deletes_name_and_address(self, invitation, client):
        opened = path_of(invitation.link)

        answer = client.post(opened.replace("/open/", "/open/decline/"))

        assert answer.status_code == 200
        assert not Invitation.objects.exists()

    def test_whoever_wrote_it_cannot_open_it_while_signed_in(self, invitation, harbour_admin):
        assert sign_in(harbour_admin).get(path_of(invitation.link)).status_code == 404

    def test_a_forged_link_is_refused(self, invitation, client):
        assert client.get(path_of(invitation.link) + "x").status_code == 404
        assert client.get("/invitations/open/").status_code == 404
