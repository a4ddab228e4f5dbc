"""What a guest made of a visit: the score on the guest's page, all of it beside the booking."""

from decimal import Decimal

import pytest

from customers.testing import make_customer
from reservations.testing import make_reservation
from restaurants.testing import sign_in
from reviews.testing import make_comment, make_review


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


class TestBooking:
    """The page of a booking, and the drawer beside the board."""

    @pytest.fixture
    def visit(self, quay):
        return make_reservation(quay)

    def drawer(self, user, visit):
        address = f"/reservations/{visit.uuid}/"
        return sign_in(user).get(address, headers={"HX-Request": "true"}).text

    def test_it_works(self, bob, quay, visit):
        rated = {"global_rating": Decimal("8.5"), "service_rating": 9}
        data = {"comment": "Lovely evening.", "reply": "Thank you.", "reply_status": "PUBLISHED"}
        review = make_comment(quay, reservation=visit, **rated, **data)
        html = self.drawer(bob, visit)

        for words in ("What the guest wrote", "8.5", "Lovely evening.", "Thank you.", "Service"):
            assert words in html
        assert f"/reviews/{review.pk}/" in html

    def test_a_visit_that_nobody_wrote_about_says_nothing(self, bob, quay, visit):
        make_comment(quay)

        assert "What the guest wrote" not in self.drawer(bob, visit)

    def test_words_on_another_visit_are_left_out(self, bob, quay, visit):
        make_comment(quay, reservation=make_reservation(quay), comment="Dreadful.")

        assert "Dreadful." not in self.drawer(bob, visit)

    def test_who_may_not_read_reviews_does_not(self, bob, quay, visit, without_right):
        make_comment(quay, reservation=visit, comment="Dreadful.")
        without_right("reviews.view_review")

        assert "Dreadful." not in self.drawer(bob, visit)

    def test_a_review_of_another_restaurant_is_left_out(self, bob, cellar, visit):
        make_comment(cellar, reservation=visit, comment="Dreadful.")

        assert "Dreadful." not in self.drawer(bob, visit)

    def test_one_that_is_gone_is_left_out(self, bob, quay, visit):
        make_comment(quay, reservation=visit, comment="Dreadful.", presence="gone")

        assert "Dreadful." not in self.drawer(bob, visit)
