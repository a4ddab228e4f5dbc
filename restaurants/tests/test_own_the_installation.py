"""Owners: who decides about the installation as a whole, and who else may not."""

from importlib import import_module

import pytest
from auditlog.models import LogEntry
from django.apps import apps
from django.core.management import CommandError, call_command

from accounts.models import User
from accounts.rights import OWNER, RIGHTS_OF_ROLES
from partner import testing
from restaurants.models import Group, Membership
from restaurants.testing import make_member, make_user, sign_in

pytestmark = pytest.mark.django_db

PEOPLE = "/setup/people/"


@pytest.fixture
def admin(harbour):
    """An admin of one group who owns nothing."""
    admin = make_user("erin@example.org")
    make_member(admin, harbour, "admin")
    return admin


class TestRights:
    @pytest.mark.parametrize("right", OWNER)
    def test_no_role_carries_a_right_of_the_installation(self, cast, right):
        for role in RIGHTS_OF_ROLES:
            person = make_user(f"{role}@example.org")
            for group in (cast.harbour, cast.hill):
                make_member(person, group, role)

            assert not person.has_perm(right)
            assert not person.has_perm(right, cast.quay)

    @pytest.mark.parametrize("right", OWNER)
    def test_an_owner_needs_no_role_for_it(self, cast, right):
        assert make_user("owner@example.org", is_owner=True).has_perm(right)

    @pytest.mark.parametrize("right", OWNER)
    def test_who_may_not_sign_in_owns_nothing(self, right):
        assert not make_user("gone@example.org", is_owner=True, is_active=False).has_perm(right)

    @pytest.mark.parametrize("right", OWNER)
    def test_a_shared_device_opens_none_of_it(self, dora, right):
        dora.is_on_shared_device = True

        assert not dora.has_perm(right)

    def test_an_owner_without_a_role_sees_no_guests(self, cast):
        client = sign_in(make_user("owner@example.org", is_owner=True))

        assert client.get("/customers/").status_code == 403


class TestOwners:
    def test_an_owner_makes_another(self, dora, bob):
        page = sign_in(dora).post(f"{PEOPLE}{bob.pk}/owner/", follow=True).content.decode()

        bob.refresh_from_db()
        assert bob.is_owner
        assert "Bob is an owner of the installation now." in page
        assert LogEntry.objects.filter(additional_data__verb="made an owner", actor=dora).exists()

    def test_an_owner_ends_an_ownership(self, dora):
        other = make_user("other@example.org", is_owner=True)

        sign_in(dora).post(f"{PEOPLE}{other.pk}/owner/end/")

        other.refresh_from_db()
        assert not other.is_owner

    def test_the_last_one_stays(self, dora):
        page = sign_in(dora).post(f"{PEOPLE}{dora.pk}/owner/end/", follow=True).content.decode()

        dora.refresh_from_db()
        assert dora.is_owner
        assert "Nothing was changed: an installation has at least one owner." in page

    def test_the_ownership_of_another_connection_is_not_ended(self, dora, harbour):
        """Nor reported as ended: the person owns nothing of what was chosen."""
        testing.connection(name="Coast")
        other = make_user("other@example.org")
        make_member(other, harbour)
        hills = testing.connection(name="Hills")
        other.make_owner([hills.pk])
        page = sign_in(dora).post(f"{PEOPLE}{other.pk}/owner/end/", follow=True).text

        other.refresh_from_db()
        assert other.is_owner
        assert list(other.owned_connections.all()) == [hills]
        assert "Nothing was changed: Other owns none of the chosen connections." in page
        assert not LogEntry.objects.filter(additional_data__verb="ended an ownership").exists()

    def test_what_has_ended_is_named(self, dora):
        coast, hills = testing.connection(name="Coast"), testing.connection(name="Hills")
        dora.make_owner([hills.pk])
        other = make_user("other@example.org")
        other.make_owner([coast.pk, hills.pk])
        answer = sign_in(dora).post(
            f"{PEOPLE}{other.pk}/owner/end/", {"connections": [hills.pk]}, follow=True
        )

        other.refresh_from_db()
        assert list(other.owned_connections.all()) == [coast]
        assert "Other is no longer an owner of Hills." in answer.text

    def test_whoever_owns_another_is_an_owner_still(self, dora):
        hills = testing.connection(name="Hills")
        dora.make_owner([hills.pk])
        other = make_user("other@example.org")
        other.make_owner([hills.pk, testing.connection(name="Coast").pk])
        dora.owned_connections.set([hills])
        page = sign_in(dora).post(f"{PEOPLE}{other.pk}/owner/end/", follow=True).text

        assert "Other is no longer an owner of Hills." in page

    @pytest.mark.parametrize("verb", ["owner", "owner/end"])
    def test_an_admin_decides_about_no_owner(self, admin, alice, verb):
        assert sign_in(admin).post(f"{PEOPLE}{alice.pk}/{verb}/").status_code == 403
        assert not User.objects.filter(pk=alice.pk, is_owner=True).exists()

    @pytest.mark.parametrize("verb", ["link", "deactivate"])
    def test_an_admin_opens_no_account_of_an_owner(self, admin, harbour, verb):
        owner = make_user("owner@example.org", is_owner=True)
        make_member(owner, harbour)

        assert sign_in(admin).post(f"{PEOPLE}{owner.pk}/{verb}/").status_code == 403

    def test_the_page_of_a_person_shows_it_to_owners_only(self, dora, admin, bob):
        title = "Owner of the installation"

        assert title in sign_in(dora).get(f"{PEOPLE}{bob.pk}/").content.decode()
        assert title not in sign_in(admin).get(f"{PEOPLE}{bob.pk}/").content.decode()


class TestGroups:
    def test_an_admin_adds_none(self, admin):
        client = sign_in(admin)

        answer = client.post(
            "/setup/restaurants/groups/add/",
            {"uuid": "7c9f0c9e-3c6c-4a38-9b0e-0a8f6f6f0001", "name": "Own Group"},
        )

        assert answer.status_code == 403
        assert not Group.objects.filter(name="Own Group").exists()
        assert "Add a group" not in client.get("/setup/restaurants/").content.decode()


class TestCommand:
    def test_it_works(self, bob, capsys):
        call_command("make_owner", "BOB@example.org")

        assert User.objects.get(pk=bob.pk).is_owner
        assert "bob@example.org is an owner" in capsys.readouterr().out

    def test_nobody_is_made_up(self):
        with pytest.raises(CommandError, match=r"Nobody who may sign in has the address"):
            call_command("make_owner", "nobody@example.org")


class TestUpgrade:
    """An installation that knew no owners."""

    @pytest.fixture(autouse=True)
    def before(self, cast):
        User.objects.update(is_owner=False)

    def upgrade(self):
        import_module("restaurants.migrations.0008_owners").make_owners(apps, None)
        return set(User.objects.filter(is_owner=True))

    def test_whoever_is_admin_of_every_group_owns_it(self, dora, admin):
        assert self.upgrade() == {dora}

    def test_else_the_first_admin_of_a_group(self, dora, hill, admin):
        Membership.objects.filter(user=dora, group=hill).delete()

        assert self.upgrade() == {dora}

    def test_a_superuser_is_one_already(self):
        make_user("root@example.org", is_superuser=True)

        assert self.upgrade() == set()
