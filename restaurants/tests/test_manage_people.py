"""The pages about people: whom an admin sees, and how far their hand reaches."""

import pytest
from auditlog.models import LogEntry
from django.core import mail

from accounts.tasks import send_mails
from restaurants.invitations.models import Invitation
from restaurants.models import Membership
from restaurants.testing import make_member, make_user, sign_in

LIST = "/setup/people/"


@pytest.fixture
def harbour_admin(harbour):
    """An admin of one group only, unlike Dora."""
    admin = make_user("erin@example.org")
    make_member(admin, harbour, "admin")
    return admin


def page(answer):
    return answer.content.decode()


class TestIndex:
    def test_it_works(self, cast):
        listed = page(sign_in(cast.dora).get(LIST))

        assert all(name in listed for name in ("Alice", "Bob", "Charlie", "Dora"))

    def test_it_hides_the_people_of_other_groups(self, harbour_admin):
        listed = page(sign_in(harbour_admin).get(LIST))

        assert "Bob" in listed
        assert "Charlie" not in listed

    def test_it_needs_the_right(self, cast):
        assert sign_in(cast.alice).get(LIST).status_code == 403
        assert sign_in(cast.bob).get(LIST).status_code == 403

    def test_each_role_has_a_line_of_its_own(self, dora):
        """“Runs the server Owner” read as one."""
        dora.is_superuser = dora.is_staff = True
        dora.save()
        row = page(sign_in(dora).get(LIST)).partition(f'id="person-{dora.pk}"')[2]

        assert "<p>Runs the server</p>" in row
        assert "<p>Owner</p>" in row

    def test_an_owner_is_called_so_by_those_of_the_installation(self, dora, harbour_admin):
        dora.memberships.exclude(group__name="Harbour Group").delete()
        of_dora = page(sign_in(dora).get(LIST)).partition(f'id="person-{dora.pk}"')[2]
        of_others = page(sign_in(harbour_admin).get(LIST))

        assert "Owner" in of_dora.partition("</tr>")[0]
        assert "Dora" in of_others
        assert "Owner" not in of_others

    def test_its_queries_do_not_grow_with_the_people(
        self, harbour_admin, harbour, django_assert_max_num_queries
    ):
        for number in range(5):
            make_member(make_user(f"person{number}@example.org"), harbour)
        client = sign_in(harbour_admin)

        with django_assert_max_num_queries(19):
            client.get(LIST)


class TestShow:
    def test_it_works(self, dora, bob):
        shown = page(sign_in(dora).get(f"{LIST}{bob.pk}/"))

        assert "bob@example.org" in shown
        assert shown.count("csrfmiddlewaretoken") > 3

    def test_it_shows_no_role_elsewhere(self, harbour_admin, charlie, quay):
        """Nor when a person was here first and last, which would reveal their work elsewhere."""
        make_member(charlie, quay)
        client = sign_in(harbour_admin)

        for shown in (page(client.get(f"{LIST}{charlie.pk}/")), page(client.get(LIST))):
            assert "Quay" in shown
            assert "Hill" not in shown
        assert "Last signed in" not in page(client.get(f"{LIST}{charlie.pk}/"))

    def test_the_admin_of_a_restaurant_sees_no_role_at_its_neighbour(self, cast):
        make_member(cast.charlie, cast.quay, "admin")
        make_member(cast.bob, cast.loft, "manager")

        shown = page(sign_in(cast.charlie).get(f"{LIST}{cast.bob.pk}/"))

        assert "Staff · Quay" in shown
        assert "Manager · Loft" not in shown

    def test_an_outsider_finds_nobody(self, charlie, bob):
        assert sign_in(charlie).get(f"{LIST}{bob.pk}/").status_code == 404

    def test_a_colleague_may_not(self, alice, bob):
        assert sign_in(alice).get(f"{LIST}{bob.pk}/").status_code == 403


class TestRoles:
    def test_it_gives_one(self, harbour_admin, bob, loft):
        data = {"place": loft.uuid, "role": "manager"}

        sign_in(harbour_admin).post(f"{LIST}{bob.pk}/roles/", data)

        assert bob.memberships.get(restaurant=loft).role == "manager"

    def test_who_lowers_their_own_role_comes_to_a_page_they_may_see(self, harbour_admin, harbour):
        data = {"place": harbour.uuid, "role": "staff"}

        answer = sign_in(harbour_admin).post(f"{LIST}{harbour_admin.pk}/roles/", data, follow=True)

        assert answer.status_code == 200

    def test_in_another_group_the_person_has_to_accept(self, dora, bob, cellar):
        sign_in(dora).post(f"{LIST}{bob.pk}/roles/", {"place": cellar.uuid, "role": "staff"})

        assert not bob.memberships.filter(restaurant=cellar).exists()
        assert Invitation.objects.get().email == bob.email

    def test_it_replaces_the_one_held_there(self, harbour_admin, bob, quay):
        sign_in(harbour_admin).post(
            f"{LIST}{bob.pk}/roles/", {"place": quay.uuid, "role": "manager"}
        )

        assert bob.memberships.get().role == "manager"

    def test_it_takes_one_away(self, harbour_admin, bob):
        held = bob.memberships.get()

        sign_in(harbour_admin).post(f"{LIST}{bob.pk}/roles/{held.pk}/take/")

        assert not bob.memberships.exists()

    def test_it_takes_none_that_others_gave(self, harbour_admin, charlie, quay, hill):
        make_member(charlie, quay)
        theirs = charlie.memberships.get(group=hill)

        answer = sign_in(harbour_admin).post(f"{LIST}{charlie.pk}/roles/{theirs.pk}/take/")

        assert answer.status_code == 404
        assert Membership.objects.filter(pk=theirs.pk).exists()

    def test_both_are_written_down(self, harbour_admin, bob, loft):
        client = sign_in(harbour_admin)
        client.post(f"{LIST}{bob.pk}/roles/", {"place": loft.uuid, "role": "manager"})
        held = bob.memberships.get(restaurant=loft)

        client.post(f"{LIST}{bob.pk}/roles/{held.pk}/take/")

        entries = LogEntry.objects.filter(content_type__model="membership", object_id=held.pk)
        assert [entry.action for entry in entries.order_by("id")] == [0, 2]
        assert {entry.actor for entry in entries} == {harbour_admin}


class TestAccount:
    def test_deactivating_ends_the_sessions(self, harbour_admin, bob):
        his = sign_in(bob)
        assert his.get("/").status_code == 200

        sign_in(harbour_admin).post(f"{LIST}{bob.pk}/deactivate/")

        assert his.get("/").status_code == 302

    def test_they_can_come_back(self, harbour_admin, bob):
        client = sign_in(harbour_admin)
        client.post(f"{LIST}{bob.pk}/deactivate/")

        client.post(f"{LIST}{bob.pk}/reactivate/")

        bob.refresh_from_db()
        assert bob.is_active

    def test_nobody_deactivates_themselves(self, harbour_admin):
        answer = sign_in(harbour_admin).post(f"{LIST}{harbour_admin.pk}/deactivate/")

        assert answer.status_code == 403

    @pytest.mark.parametrize("verb", ["deactivate", "link", "reactivate"])
    def test_whoever_works_elsewhere_too_is_out_of_reach(self, harbour_admin, charlie, quay, verb):
        make_member(charlie, quay)

        answer = sign_in(harbour_admin).post(f"{LIST}{charlie.pk}/{verb}/")

        assert answer.status_code == 403

    @pytest.mark.parametrize("verb", ["deactivate", "link"])
    def test_a_superuser_is_out_of_reach(self, harbour_admin, harbour, verb):
        root = make_user("root@example.org", is_superuser=True)
        make_member(root, harbour)

        assert sign_in(harbour_admin).post(f"{LIST}{root.pk}/{verb}/").status_code == 403

    def test_a_new_link_is_sent(self, harbour_admin, bob):
        sign_in(harbour_admin).post(f"{LIST}{bob.pk}/link/")
        send_mails()

        assert mail.outbox[0].to == ["bob@example.org"]

    def test_it_asks_for_the_password_again(self, harbour_admin, bob):
        harbour_admin.set_password("correct horse battery staple")
        harbour_admin.save()

        answer = sign_in(harbour_admin).post(f"{LIST}{bob.pk}/deactivate/")

        assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
        bob.refresh_from_db()
        assert bob.is_active
