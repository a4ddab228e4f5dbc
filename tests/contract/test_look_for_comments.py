"""New comments fetched by hand, against the sandbox: those without an event are found and read."""

import pytest

from partner import factory
from restaurants.testing import make_member, make_user, sign_in
from reviews.models import PUBLISHED, Review
from tests.contract.places import make_places, read_what_changed

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture
def place(connect, sandbox):
    connect("full")
    return make_places(sandbox.world)[0]


@pytest.fixture
def lea(place):
    person = make_user("lea@example.org")
    make_member(person, place.group, "manager")
    return sign_in(person)


def look(lea, place):
    answer = lea.post(f"/reviews/new-comments/?scope={place.uuid}", follow=True)
    read_what_changed()
    return " ".join(str(message) for message in answer.context["messages"])


def test_published_comments_are_read_and_nothing_else(lea, place, sandbox):
    assert "new comments found" in look(lea, place)
    held = Review.objects.filter(restaurant=place)
    assert {review.comment_status for review in held} == {PUBLISHED}

    reads = sandbox.requests_to("get_review")
    assert reads == held.count()
    assert "No new comment" in look(lea, place)
    assert sandbox.requests_to("get_review") == reads


def test_a_comment_that_was_published_since_is_found(lea, place, sandbox):
    look(lea, place)
    before = set(Review.objects.values_list("uuid", flat=True))
    happened = sandbox.post("happen", what="publish_comment", restaurant=str(place.uuid))
    [uuid] = [one["review"] for one in happened["happened"]]

    assert "1 new comment found" in look(lea, place)
    [review] = Review.objects.exclude(uuid__in=before)
    assert str(review.uuid) == uuid
    assert review.comment == factory.client().review(uuid).payload["comment"]["content"]
