"""Who hears what: the same map as for every page."""

import pytest
from django.contrib.auth import SESSION_KEY

from live.announcements import scope_now, scope_of
from live.testing import make_line
from restaurants.models import Membership
from restaurants.testing import make_restaurant, sign_in


def hears(user, line):
    return scope_of(user).sees(line)


class TestScope:
    def test_it_works(self, bob, quay):
        assert hears(bob, make_line(quay))

    def test_it_hides_other_restaurants_of_the_group(self, bob, loft):
        assert not hears(bob, make_line(loft))

    def test_it_hides_other_groups(self, charlie, quay):
        assert not hears(charlie, make_line(quay))

    def test_it_gives_a_manager_the_whole_group(self, alice, quay, loft):
        assert hears(alice, make_line(quay))
        assert hears(alice, make_line(loft))

    def test_it_gives_everyone_of_the_group_its_guests(self, alice, bob, quay):
        guest = make_line(quay, kind="customer", restaurant_id=None)

        assert hears(alice, guest)
        assert hears(bob, guest)

    def test_it_hides_guests_of_other_groups(self, charlie, quay):
        assert not hears(charlie, make_line(quay, restaurant_id=None))

    def test_it_costs_two_queries(self, alice, django_assert_num_queries):
        with django_assert_num_queries(2):
            scope_of(alice)

    def test_it_names_places_by_their_uuid(self, bob, quay):
        line = make_line(quay, version=7)

        assert scope_of(bob).message(line) == {
            "kind": "reservation",
            "uuid": str(line.uuid),
            "version": 7,
            "restaurant": str(quay.uuid),
        }

    def test_it_names_no_place_for_a_guest(self, bob, quay):
        guest = make_line(quay, kind="customer", restaurant_id=None)

        assert scope_of(bob).message(guest)["restaurant"] is None


class TestScopeNow:
    @pytest.fixture
    def tablet(self, bob):
        return sign_in(bob)

    @pytest.fixture
    def look(self, tablet, bob):
        key = tablet.session.session_key
        return lambda: scope_now(session_key=key, user_id=bob.pk)

    def test_it_works(self, look, bob):
        assert look() == scope_of(bob)

    def test_it_sees_a_new_restaurant(self, look, bob, harbour):
        mill = make_restaurant(harbour)
        Membership.objects.create(user=bob, restaurant=mill, role="staff")

        assert mill.pk in look().restaurants

    def test_it_ends_with_the_session(self, look, tablet):
        tablet.logout()

        assert look() is None

    def test_it_ends_with_the_account(self, look, bob):
        bob.is_active = False
        bob.save(update_fields=["is_active"])

        assert look() is None

    def test_it_ends_with_the_password(self, look, bob):
        bob.set_password("another long password")
        bob.save(update_fields=["password"])

        assert look() is None

    def test_it_ends_when_the_tablet_changes_hands(self, look, tablet, alice):
        session = tablet.session
        session[SESSION_KEY] = str(alice.pk)
        session.save()

        assert look() is None
