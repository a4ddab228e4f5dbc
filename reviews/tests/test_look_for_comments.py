"""New comments requested by hand: missing ones are read at once, the others are not."""

from datetime import UTC, datetime
from urllib.parse import urlencode
from uuid import UUID, uuid4

import pytest
import time_machine

from mirror.models import Priority, SyncRequest
from partner.testing import FakeTransport, speak_through
from restaurants.testing import make_restaurant, sign_in
from reviews.new_comments.listing import MOST_RESTAURANTS
from reviews.testing import COMMENTED, make_comment, make_review

NOW = datetime(2026, 1, 20, 12, tzinfo=UTC)
NEW = "/reviews/new-comments/"
DOWN = (503, {"message": "Service Unavailable"})


@pytest.fixture(autouse=True)
def _now():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def api(db):
    transport = FakeTransport(list_reviews=(200, listing()))
    speak_through(transport)
    return transport


def listing(*uuids, has_next=False):
    return {"data": [str(uuid) for uuid in uuids], "hasNext": has_next}


def look(user, **query):
    return sign_in(user).post(f"{NEW}?{urlencode(query)}", follow=True)


def words(answer):
    return " ".join(str(message) for message in answer.context["messages"])


def requested() -> dict[UUID, int]:
    return dict(SyncRequest.objects.filter(kind="review").values_list("uuid", "priority"))


def test_a_comment_that_is_missing_is_read_at_once(api, alice, quay):
    uuid = uuid4()
    api.reply("list_reviews", (200, listing(uuid)))
    answer = look(alice, scope=quay.uuid)

    assert requested() == {uuid: Priority.PERSON}
    assert "1 new comment found. It appears here in a moment." in words(answer)


def test_only_comments_of_recent_visits_are_requested(api, alice, quay):
    look(alice, scope=quay.uuid)

    [request] = api.sent("list_reviews")
    for part in ("withCommentOnly=true", "startDate=2025-12-21", "endDate=2026-01-22"):
        assert part in request.path
    assert f"restaurantUuid={quay.uuid}" in request.path


def test_a_comment_that_is_here_is_not_read_again(api, alice, quay):
    here = make_comment(quay)
    api.reply("list_reviews", (200, listing(here.uuid)))
    answer = look(alice, scope=quay.uuid)

    assert requested() == {}
    assert "No new comment about visits of the last 30 days." in words(answer)


@pytest.mark.parametrize(
    "held",
    [{}, COMMENTED | {"comment_status": "NOT_REVIEWED"}, COMMENTED | {"presence": "gone"}],
    ids=["a rating alone", "in moderation", "gone"],
)
def test_a_review_whose_comment_is_not_published_here_is_read_again(api, alice, quay, held):
    review = make_review(quay, **held)
    api.reply("list_reviews", (200, listing(review.uuid)))
    look(alice, scope=quay.uuid)

    assert requested() == {review.uuid: Priority.PERSON}


def test_every_restaurant_of_the_screen_is_requested(api, alice, quay, loft, harbour):
    look(alice, scope=harbour.uuid)

    params = " ".join(request.path for request in api.sent("list_reviews"))
    assert str(quay.uuid) in params
    assert str(loft.uuid) in params


def test_an_outage_is_reported_and_nothing_is_called_complete(api, alice, quay, loft):
    api.reply("list_reviews", DOWN)
    answer = look(alice)

    assert "The service is down" in words(answer)
    assert "still arrive by themselves" in words(answer)
    assert "No new comment" not in words(answer)
    paths = [request.path for request in api.sent("list_reviews")]
    assert len({path.partition("restaurantUuid=")[2][:36] for path in paths}) == 1


def test_what_was_listed_before_a_fault_is_read(api, alice, quay):
    uuid = uuid4()
    first = (200, listing(uuid, has_next=True))
    api.reply("list_reviews", lambda request: first if "page=1" in request.path else DOWN)
    answer = look(alice, scope=quay.uuid)

    assert requested() == {uuid: Priority.PERSON}
    assert "1 new comment found." in words(answer)
    assert "The service is unavailable." in words(answer)


def test_restaurants_beyond_the_limit_are_reported(api, alice, harbour):
    for number in range(MOST_RESTAURANTS):
        make_restaurant(harbour, f"Mill {number}")
    answer = look(alice)

    assert len(api.sent("list_reviews")) == MOST_RESTAURANTS
    assert "2 more restaurants were not asked." in words(answer)


def test_without_the_scope_nothing_is_requested(alice, quay, db):
    transport = FakeTransport()
    speak_through(transport, scopes="svc-restaurant:reservations")
    answer = look(alice, scope=quay.uuid)

    assert "svc-restaurant:reviews" in words(answer)
    assert transport.requests == []


def test_without_a_connection_it_says_so(alice, quay):
    assert "No connection" in words(look(alice, scope=quay.uuid))


def test_restaurants_out_of_reach_are_not_requested(api, charlie, quay, cellar):
    look(charlie, scope=quay.uuid)

    assert all(str(quay.uuid) not in request.path for request in api.sent("list_reviews"))


def test_who_may_not_reply_may_not_ask(api, bob, quay, without_right):
    without_right("reviews.suggest_reply")

    assert look(bob, scope=quay.uuid).status_code == 403
    assert NEW not in sign_in(bob).get("/reviews/").content.decode()


def test_the_inbox_has_the_button(alice, quay):
    assert NEW in sign_in(alice).get("/reviews/").content.decode()
