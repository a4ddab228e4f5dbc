"""The section of calls on a guest's page."""

from datetime import timedelta

import pytest
from django.utils import timezone

from customers.testing import make_customer
from phone.testing import NUMBER, make_call
from restaurants.testing import sign_in


@pytest.fixture
def guest(harbour):
    return make_customer(harbour, phone=NUMBER, phone_e164=NUMBER)


def page(user, guest):
    return sign_in(user).get(f"/customers/{guest.uuid}/").content.decode()


class TestShowCallsOfGuest:
    def test_it_works(self, alice, guest, quay):
        now = timezone.now()
        make_call(quay, began_at=now - timedelta(hours=1), missed_at=now)
        html = page(alice, guest)

        assert 'id="calls"' in html
        assert "1 call was missed." in html

    def test_without_a_call_there_is_no_section(self, alice, guest):
        assert 'id="calls"' not in page(alice, guest)

    def test_a_guest_without_a_number_has_no_hidden_calls(self, alice, harbour, quay):
        make_call(quay, number="")

        assert 'id="calls"' not in page(alice, make_customer(harbour))

    def test_calls_at_other_restaurants_stay_hidden(self, bob, guest, loft):
        make_call(loft)

        assert 'id="calls"' not in page(bob, guest)

    def test_calls_of_another_group_are_not_theirs(self, alice, guest, cellar):
        make_call(cellar)

        assert 'id="calls"' not in page(alice, guest)

    def test_it_needs_its_right(self, alice, guest, quay, without_right):
        make_call(quay)
        without_right("phone.view_call")

        assert 'id="calls"' not in page(alice, guest)
