"""The list of sent changes names the review and its guest, to those who may see them."""

import pytest

from customers.testing import make_customer
from restaurants.testing import sign_in
from reviews.models import Review
from reviews.testing import make_reply_intent

pytestmark = pytest.mark.django_db


def look(user):
    return sign_in(user).get("/setup/outbox/").content.decode()


def test_it_works(dora, quay, harbour):
    intent, guest = make_reply_intent(quay), make_customer(harbour)
    Review.objects.filter(restaurant=quay).update(customer=guest)
    page = look(dora)

    assert f'<a href="/reviews/{intent.uuid}/">Review of 1 Jan 2026</a>' in page
    assert f'<a href="/customers/{guest.pk}/"><bdi>Maria Rossi</bdi></a>' in page
    assert "Thank you." not in page


def test_a_guest_without_a_profile_has_the_name_of_the_review(dora, quay):
    make_reply_intent(quay)

    assert "<bdi>Jo Martin</bdi>" in look(dora)


def test_without_the_right_the_guest_is_not_named(dora, quay, without_right):
    make_reply_intent(quay)
    without_right("customers.view_customer")
    page = look(dora)

    assert "Review of 1 Jan 2026" in page
    assert "not shown to you" in page
    assert "Martin" not in page


def test_without_the_right_to_reviews_nothing_leads_there(dora, quay, without_right):
    intent = make_reply_intent(quay)
    without_right("reviews.view_review")
    page = look(dora)

    assert str(intent.uuid) not in page
    assert "Martin" not in page
