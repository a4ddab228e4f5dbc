"""Superusers see no group until they take a role in it, for a reason and a while."""

from datetime import datetime, timedelta
from importlib import import_module

import pytest
import time_machine
from auditlog.models import LogEntry
from django.apps import apps
from django.core import mail

from accounts.models import User
from accounts.tasks import send_mails
from lib.testing import meanwhile
from restaurants import tasks
from restaurants.emergency_access.models import EmergencyAccess
from restaurants.invitations.models import Invitation
from restaurants.models import Membership
from restaurants.testing import make_member, make_user, sign_in

PAGE = "/setup/emergency/"
NOW = datetime.fromisoformat("2026-06-01T12:00+00:00")
REASON = "Bookings of tonight are missing"


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


@pytest.fixture
def root(cast):
    return make_user("root@example.org", is_superuser=True, is_staff=True)


@pytest.fixture
def take(root, harbour):
    def take(client=None, **changes):
        data = {"group": harbour.pk, "role": "staff", "reason": REASON, "hours": 1}
        return (client or sign_in(root)).post(f"{PAGE}begin/", data | changes)

    return take


def opens(client, restaurant) -> bool:
    return restaurant.name in str(client.get("/", {"scope": str(restaurant.uuid)}).content)


class TestTake:
    def test_it_works(self, root, take, quay, cellar):
        client = sign_in(root)
        assert not opens(client, quay)

        answer = take(client)

        assert answer.status_code == 302
        assert opens(client, quay)
        assert not opens(client, cellar)

    @pytest.mark.parametrize(
        "missing", [{"reason": ""}, {"hours": ""}, {"hours": 25}, {"role": ""}]
    )
    def test_nothing_is_taken_without_a_reason_and_an_end(self, take, missing):
        assert take(**missing).status_code == 422
        assert not EmergencyAccess.objects.exists()

    @pytest.mark.parametrize("person", ["alice", "dora"])
    def test_nobody_else_may(self, cast, take, person):
        client = sign_in(getattr(cast, person))

        assert client.get(PAGE).status_code == 403
        assert take(client).status_code == 403

    def test_a_role_that_was_given_is_left_alone(self, root, take, harbour):
        make_member(root, harbour)

        assert take(role="admin").status_code == 422

    def test_of_two_tabs_at_once_one_takes_it(self, root, take):
        tab, another = sign_in(root), sign_in(root)
        with meanwhile(lambda: take(another, role="staff"), before="SAVEPOINT"):
            answer = take(tab, role="admin")

        assert answer.status_code == 302
        assert EmergencyAccess.objects.get().role == "staff"

    def test_it_makes_no_role_that_lasts(self, root, take, quay):
        client = sign_in(root)
        take(client, role="admin")

        data = {"place": str(quay.uuid), "role": "admin"}
        answer = client.post(f"/setup/people/{root.pk}/roles/", data)

        assert answer.status_code == 403
        assert Membership.objects.filter(user=root).count() == 1

    @pytest.mark.parametrize("email", ["root@example.org", "second@example.org"])
    @pytest.mark.parametrize("place", ["quay", "harbour"])
    def test_it_invites_nobody(self, root, take, cast, email, place):
        client = sign_in(root)
        take(client, role="admin")

        data = {"email": email, "name": "Root", "role": "admin"}
        data["place"] = [str(getattr(cast, place).uuid)]
        answer = client.post("/setup/people/invite/", data)

        assert answer.status_code == 422
        assert not Invitation.objects.exists()

    def test_its_empty_forms_explain_themselves(self, root, take, cast):
        client = sign_in(root)
        take(client, role="admin")
        why = "With a role taken for a while you can invite nobody and give no role."

        for address in ("/setup/people/invite/", f"/setup/people/{cast.bob.pk}/"):
            page = client.get(address).text
            assert why in page
            assert 'name="role"' not in page

    def test_an_invitation_written_with_it_gives_nothing(self, root, take, quay, clock):
        client = sign_in(root)
        take(client, role="admin")
        invitation = Invitation.objects.create(
            email=root.email, name="Root", restaurant=quay, role="admin", invited_by=root
        )

        client.post(f"/invitations/{invitation.key}/accept/")
        clock.shift(timedelta(hours=2))
        tasks.end_emergency_access()

        assert not Membership.objects.filter(user=root).exists()

    def test_it_changes_nothing_of_the_people_there(self, cast, take, root):
        client = sign_in(root)
        take(client, role="admin")
        role = Membership.objects.get(user=cast.bob)

        taken = client.post(f"/setup/people/{cast.bob.pk}/roles/{role.pk}/take/")
        link = client.post(f"/setup/people/{cast.bob.pk}/link/")
        ended = client.post(f"/setup/people/{cast.bob.pk}/deactivate/")

        assert [taken.status_code, link.status_code, ended.status_code] == [403, 403, 403]
        assert Membership.objects.filter(pk=role.pk).exists()

    def test_a_role_that_lasts_still_invites(self, root, take, harbour, cellar):
        make_member(root, cellar, role="admin")
        client = sign_in(root)
        take(client, role="admin")

        data = {"email": "new@example.org", "name": "New", "role": "staff"}
        client.post("/setup/people/invite/", data | {"place": [str(cellar.uuid)]})

        assert Invitation.objects.get().restaurant == cellar


class TestGivenMeanwhile:
    """A role that somebody gives while one runs there stays when its time is over."""

    def test_on_the_person_s_page(self, root, take, dora, harbour, clock):
        take(role="staff")

        data = {"place": str(harbour.uuid), "role": "manager"}
        sign_in(dora).post(f"/setup/people/{root.pk}/roles/", data)
        clock.shift(timedelta(hours=2))
        tasks.end_emergency_access()

        assert Membership.objects.get(user=root).role == "manager"
        assert EmergencyAccess.objects.get().ended_at == NOW

    def test_by_an_invitation(self, root, take, dora, harbour, clock):
        client = sign_in(root)
        invitation = Invitation.objects.create(
            email=root.email, name="Root", group=harbour, role="manager", invited_by=dora
        )
        take(client, role="admin")

        client.post(f"/invitations/{invitation.key}/accept/")
        clock.shift(timedelta(hours=2))
        tasks.end_emergency_access()

        assert Membership.objects.get(user=root).role == "manager"

    def test_what_is_given_elsewhere_ends_nothing(self, root, take, dora, quay):
        take(role="staff")

        data = {"place": str(quay.uuid), "role": "manager"}
        sign_in(dora).post(f"/setup/people/{root.pk}/roles/", data)

        assert EmergencyAccess.objects.running().exists()


class TestEnd:
    def test_it_ends_at_the_next_request(self, root, take, clock, quay):
        client = sign_in(root)
        take(client)
        clock.shift(timedelta(minutes=59))
        assert opens(client, quay)
        clock.shift(timedelta(minutes=1))

        assert not opens(client, quay)
        assert not Membership.objects.filter(user=root).exists()

    def test_it_ends_without_a_request(self, root, take, clock):
        take()
        clock.shift(timedelta(hours=1))

        tasks.end_emergency_access()

        assert not Membership.objects.filter(user=root).exists()
        assert EmergencyAccess.objects.get().ended_at == NOW + timedelta(hours=1)

    def test_it_is_given_back(self, root, take, quay):
        client = sign_in(root)
        take(client)

        client.post(f"{PAGE}{EmergencyAccess.objects.get().pk}/end/")

        assert not opens(client, quay)

    def test_nobody_ends_that_of_another(self, take):
        take()
        other = make_user("other@example.org", is_superuser=True)

        answer = sign_in(other).post(f"{PAGE}{EmergencyAccess.objects.get().pk}/end/")

        assert answer.status_code == 404


class TestSeen:
    def test_the_owners_are_mailed(self, take, dora):
        take()
        send_mails()

        assert [one.to for one in mail.outbox] == [[dora.email]]
        assert REASON in mail.outbox[0].body
        assert "Harbour Group" in mail.outbox[0].body

    def test_the_people_page_lists_it(self, take, dora):
        take()

        assert REASON in sign_in(dora).get("/setup/people/").text

    def test_an_admin_of_another_group_reads_nothing(self, take, charlie, hill):
        Membership.objects.filter(user=charlie).update(role="admin")
        take()

        assert REASON not in sign_in(charlie).get("/setup/people/").text

    def test_it_is_in_the_audit_trail_of_the_group(self, root, take, dora):
        take()

        entry = LogEntry.objects.get(additional_data__verb="took a role for a while")
        assert (entry.actor, entry.additional_data["reason"]) == (root, REASON)
        assert "Took a role for a limited time" in sign_in(dora).get("/setup/people/audit/").text


class TestUpgrade:
    def test_superusers_of_before_lose_nothing(self, root, harbour, hill):
        import_module("restaurants.migrations.0015_superusers").give_roles(apps, None)

        assert User.objects.get(pk=root.pk).is_owner
        held = Membership.objects.filter(user=root, role="admin").values_list("group", flat=True)
        assert set(held) == {harbour.pk, hill.pk}
