"""Views of the guest list under a name: one's own, or shared with the people of a group."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from customers.testing import make_customer, make_saved_view
from restaurants.models import Membership, SavedView
from restaurants.testing import make_member, sign_in


def save(user, address="show=vip", **form):
    return sign_in(user).post(
        f"/customers/views/save/?{address}", {"name": "Stars", "group": "", **form}
    )


def offered(user, **address):
    """The names in the menu of the list."""
    menu = sign_in(user).get("/customers/", address).context["views"]
    return [one.view.name for one in menu.offered]


@pytest.fixture
def guests(harbour):
    make_customer(harbour, last_name="Star", is_vip=True)
    make_customer(harbour, last_name="Other")


class TestSave:
    def test_it_works(self, bob, guests):
        answer = save(bob)
        view = SavedView.objects.get()

        assert (view.owner, view.name, view.query, view.group) == (bob, "Stars", "show=vip", None)
        assert answer["Location"] == "/customers/?show=vip"
        assert offered(bob) == ["Stars"]

    def test_the_page_says_what_is_kept(self, bob):
        page = sign_in(bob).get("/customers/views/save/?show=vip&language=fr&columns=email").text

        assert "What the view keeps" in page
        assert all(word in page for word in ("VIP", "fr", "E-mail"))

    def test_it_keeps_filters_columns_and_length(self, bob):
        save(bob, "size=100&columns=email&language=fr&show=vip&show=duplicates")

        assert SavedView.objects.get().query == (
            "show=vip&show=duplicates&language=fr&columns=email&size=100"
        )

    def test_it_keeps_no_name_no_page_and_no_nonsense(self, bob):
        save(bob, "q=Lefevre&page=3&show=vip&show=nonsense&x=1&scope=1")

        assert SavedView.objects.get().query == "show=vip"

    def test_without_filters_there_is_nothing_to_save(self, bob, guests):
        answer = sign_in(bob).get("/customers/views/save/?q=Lefevre", follow=True)

        assert "Choose a filter" in answer.text
        assert not SavedView.objects.exists()

    def test_the_same_name_takes_the_old_place(self, bob):
        save(bob)
        save(bob, "show=birthdays")

        assert SavedView.objects.get().query == "show=birthdays"

    def test_it_wants_a_name(self, bob):
        assert save(bob, name="").status_code == 422

    def test_it_takes_the_right_to_see_guests(self, bob, without_right):
        without_right("customers.view_customer")

        assert save(bob).status_code == 403

    def test_a_person_has_so_many_only(self, bob):
        SavedView.objects.bulk_create(
            SavedView(owner=bob, page="customers", name=str(n), query="show=vip") for n in range(50)
        )

        assert save(bob).status_code == 422


class TestShare:
    def test_it_works(self, alice, bob, harbour, guests):
        save(alice, group=harbour.pk)

        assert offered(bob) == ["Stars"]

    def test_a_view_of_ones_own_is_nobody_elses(self, alice, bob, guests):
        save(alice)

        assert offered(bob) == []

    def test_another_group_does_not_see_it(self, alice, charlie, harbour, hill):
        make_customer(hill)
        make_saved_view(alice, harbour)

        assert offered(charlie) == []

    def test_it_is_not_shared_with_a_group_out_of_reach(self, bob, hill):
        assert save(bob, group=hill.pk).status_code == 422

    def test_who_leaves_the_group_loses_it(self, bob, harbour, hill, guests):
        make_saved_view(bob, harbour)
        make_member(bob, hill)
        Membership.objects.filter(user=bob).exclude(group=hill).delete()
        make_customer(hill)

        assert offered(bob) == []


class TestHealth:
    """Who may not see allergies sees neither such a view nor its name."""

    @pytest.fixture
    def view(self, alice, harbour, guests):
        return make_saved_view(alice, harbour, name="Nut allergies", query="show=allergies")

    def test_it_works(self, bob, view):
        assert offered(bob) == ["Nut allergies"]

    def test_without_the_right_it_is_not_offered(self, bob, view, without_right):
        without_right("customers.view_health")

        assert "Nut allergies" not in sign_in(bob).get("/customers/").text

    def test_without_the_right_its_address_is_refused(self, bob, view, without_right):
        without_right("customers.view_health")

        assert sign_in(bob).get(f"/customers/views/{view.uuid}/").status_code == 403
        assert sign_in(bob).get(f"/customers/views/{view.uuid}/edit/").status_code == 403


class TestOpen:
    def get(self, user, view, **address):
        return sign_in(user).get(f"/customers/views/{view.uuid}/", address)

    def test_it_works(self, bob, alice, harbour, guests):
        view = make_saved_view(alice, harbour)
        answer = sign_in(bob).get(f"/customers/views/{view.uuid}/", follow=True)

        assert [row.guest.last_name for row in answer.context["guests"].rows] == ["Star"]
        assert answer.context["views"].current == view

    def test_it_stays_in_the_scope_of_the_screen(self, bob, quay):
        view = make_saved_view(bob)

        assert self.get(bob, view, scope=str(quay.uuid))["Location"] == (
            f"/customers/?show=vip&scope={quay.uuid}"
        )

    def test_an_outsider_finds_nothing(self, charlie, alice, harbour):
        assert self.get(charlie, make_saved_view(alice, harbour)).status_code == 404

    def test_a_colleague_finds_no_private_one(self, bob, alice):
        assert self.get(bob, make_saved_view(alice)).status_code == 404

    def test_it_takes_the_right_to_see_guests(self, bob, without_right):
        view = make_saved_view(bob)
        without_right("customers.view_customer")

        assert self.get(bob, view).status_code == 403

    def test_a_search_in_it_is_no_longer_the_view(self, bob, guests):
        make_saved_view(bob)
        page = sign_in(bob).get("/customers/", {"show": "vip", "q": "star"})

        assert page.context["views"].current is None


class TestChange:
    def post(self, user, view, **form):
        sent = {"name": "Renamed", "group": "", **form}
        return sign_in(user).post(f"/customers/views/{view.uuid}/edit/", sent)

    def test_it_works(self, bob, harbour):
        view = make_saved_view(bob)
        self.post(bob, view, group=harbour.pk)
        view.refresh_from_db()

        assert (view.name, view.group, view.query) == ("Renamed", harbour, "show=vip")

    def test_two_views_do_not_share_a_name(self, bob):
        make_saved_view(bob, name="Renamed")

        assert self.post(bob, make_saved_view(bob)).status_code == 422

    def test_a_colleagues_is_not_changed(self, bob, alice, harbour):
        assert self.post(bob, make_saved_view(alice, harbour)).status_code == 403

    def test_who_runs_the_group_may_change_what_is_shared(self, dora, alice, harbour):
        view = make_saved_view(alice, harbour)
        self.post(dora, view, group=harbour.pk)
        view.refresh_from_db()

        assert (view.name, view.owner) == ("Renamed", alice)

    def test_an_outsider_finds_nothing(self, charlie, alice, harbour):
        assert self.post(charlie, make_saved_view(alice, harbour)).status_code == 404


class TestDelete:
    def post(self, user, view):
        return sign_in(user).post(f"/customers/views/{view.uuid}/delete/")

    def test_it_works(self, bob):
        self.post(bob, make_saved_view(bob))

        assert not SavedView.objects.exists()

    def test_a_colleagues_stays(self, bob, alice, harbour):
        assert self.post(bob, make_saved_view(alice, harbour)).status_code == 403

    def test_an_outsider_finds_nothing(self, charlie, alice, harbour):
        assert self.post(charlie, make_saved_view(alice, harbour)).status_code == 404


def test_its_queries_do_not_grow(bob, alice, harbour):
    def queries():
        client = sign_in(bob)
        with CaptureQueriesContext(connection) as seen:
            client.get("/customers/")
        return len(seen)

    make_saved_view(alice, harbour)
    queries()  # the first look fills what every page keeps
    few = queries()
    for _number in range(8):
        make_saved_view(alice, harbour)
        make_saved_view(bob)

    assert queries() == few
