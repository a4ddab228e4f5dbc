"""Owners give roles in the groups of their connections, whether or not they have one there."""

import pytest

from partner import testing as partner
from restaurants.invitations.models import Invitation
from restaurants.models import Group, Membership
from restaurants.testing import make_invitation, make_user, sign_in

pytestmark = pytest.mark.django_db

PEOPLE = "/setup/people/"
INVITE = f"{PEOPLE}invite/"


@pytest.fixture
def owner(cast):
    """Olga, who owns the connection of the Harbour Group and has no role. Hill has another one."""
    first, second = partner.connection(), partner.connection(name="Second", client_id="two")
    Group.objects.filter(pk=cast.harbour.pk).update(connection=first)
    Group.objects.filter(pk=cast.hill.pk).update(connection=second)
    owner = make_user("olga@example.org", is_owner=True)
    owner.owned_connections.set([first])
    return owner


def fields(place, *, email="fay@example.org"):
    return {"email": email, "name": "Fay", "place": place.uuid, "role": "admin"}


def offered(page):
    return page.context["form"].places.values()


class TestInvite:
    def test_it_works(self, owner, harbour):
        sign_in(owner).post(INVITE, fields(harbour))

        invitation = Invitation.objects.get()
        assert (invitation.place, invitation.role) == (harbour, "admin")
        assert invitation.is_backed  # it holds until its answer

    def test_every_place_of_the_connection_is_offered_and_no_other(self, owner, cast):
        page = sign_in(owner).get(INVITE)

        assert set(offered(page)) == {cast.harbour, cast.quay, cast.loft}

    @pytest.mark.parametrize("place", ["hill", "cellar"])
    def test_a_place_of_another_connection_is_refused(self, owner, cast, place):
        answer = sign_in(owner).post(INVITE, fields(getattr(cast, place)))

        assert answer.status_code == 422
        assert not Invitation.objects.exists()

    def test_the_owner_sees_it_and_withdraws_it(self, owner, harbour, alice):
        invitation = make_invitation("fay@example.org", harbour, invited_by=alice)
        browser = sign_in(owner)

        assert invitation.email in browser.get(PEOPLE).content.decode()
        browser.post(f"{PEOPLE}invitations/{invitation.key}/withdraw/")
        assert not Invitation.objects.exists()

    def test_one_of_another_connection_does_not_exist_for_them(self, owner, hill, charlie):
        invitation = make_invitation("fay@example.org", hill, invited_by=charlie)

        answer = sign_in(owner).post(f"{PEOPLE}invitations/{invitation.key}/withdraw/")

        assert answer.status_code == 404
        assert Invitation.objects.exists()


class TestRoles:
    def test_the_owner_gives_one_and_takes_it_away(self, owner, bob, loft):
        browser = sign_in(owner)
        browser.post(f"{PEOPLE}{bob.pk}/roles/", {"place": loft.uuid, "role": "manager"})

        given = Membership.objects.get(user=bob, restaurant=loft)
        assert given.role == "manager"
        browser.post(f"{PEOPLE}{bob.pk}/roles/{given.pk}/take/")
        assert not Membership.objects.filter(pk=given.pk).exists()

    def test_their_own_needs_their_yes(self, owner, harbour):
        """It shows them guests, so the audit trail has both steps."""
        browser = sign_in(owner)
        browser.post(f"{PEOPLE}{owner.pk}/roles/", {"place": harbour.uuid, "role": "admin"})

        assert not owner.memberships.exists()
        assert Invitation.objects.get().email == owner.email


@pytest.mark.parametrize("rank", [{"is_superuser": True}, {"is_active": False}])
def test_whoever_runs_the_server_or_has_left_offers_nothing(owner, harbour, rank):
    """A superuser takes a role for a while, even one who owns the installation."""
    invitation = make_invitation("fay@example.org", harbour, invited_by=owner)
    for name, value in rank.items():
        setattr(owner, name, value)
    owner.save()

    assert not Invitation.objects.get(pk=invitation.pk).is_backed
