"""The score beside a visit, on the guest's page."""

from decimal import Decimal

import pytest

from customers.testing import make_customer
from reservations.testing import make_reservation
from restaurants.testing import sign_in
from reviews.testing import make_review


@pytest.fixture
def guest(harbour):
    return make_customer(harbour)


def page(user, guest):
    return sign_in(user).get(f"/customers/{guest.uuid}/").text


def test_it_works(bob, quay, guest):
    visit = make_reservation(quay, customer=guest)
    make_review(quay, reservation=visit, global_rating=Decimal("8.5"))

    assert "8.5 / 10" in page(bob, guest)


def test_one_that_no_longer_counts_is_left_out(bob, quay, guest):
    visit = make_reservation(quay, customer=guest)
    make_review(quay, reservation=visit, global_rating=Decimal("8.5"), is_valid=False)

    assert "8.5 / 10" not in page(bob, guest)


def test_a_visit_out_of_reach_shows_none(bob, loft, guest):
    visit = make_reservation(loft, customer=guest)
    make_review(loft, reservation=visit, global_rating=Decimal("8.5"))

    assert "8.5 / 10" not in page(bob, guest)
