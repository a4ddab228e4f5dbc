"""Every event type of the contract, with the identifiers that it carries."""

from typing import Any

import pytest

from cast import Cast
from partner_sandbox.happenings import HAPPENINGS

GROUP, PLACE = {"groupUuid"}, {"groupUuid", "restaurantUuid"}
REVIEW = PLACE | {"reservationUuid"}
CAUSES = [
    ("customerCreated", "new_booking", GROUP),
    ("customerUpdated", "change_customer", GROUP),
    ("reservationCreated", "new_booking", PLACE),
    ("reservationUpdated", "change", PLACE),
    ("reviewRatingCreated", "review", REVIEW),
    ("reviewCommentPublished", "publish_comment", REVIEW),
    ("reviewCommentUnpublished", "unpublish_comment", REVIEW),
    ("reviewValidityChanged", "invalidate_review", REVIEW),
]


@pytest.mark.parametrize(("event", "what", "extra"), CAUSES, ids=[row[0] for row in CAUSES])
def test_each_type_has_a_cause_and_its_identifiers(
    cast: Cast, event: str, what: str, extra: set[str]
) -> None:
    cast.happen(what, count=8)

    payload = next(e for e in cast.events() if e["eventType"] == event)
    assert set(payload) == {"entityType", "uuid", "eventType"} | extra
    assert payload["groupUuid"] == cast.group["uuid"]
    kind = payload["entityType"]
    assert event.startswith(kind)
    assert cast.full("GET", f"{kind}s/{payload['uuid']}").status == 200


@pytest.mark.parametrize("what", HAPPENINGS)
def test_each_happening_can_happen(cast: Cast, what: str) -> None:
    cast.clock.advance(11 * 3_600_000)  # the evening: somebody is late, somebody has just come
    cast.happen("arrive", count=4)
    cast.happen("seat", count=2)
    for decision in ("none", "reformulate"):  # one reply waits in moderation, one was sent back
        review = cast.find(
            "comment_status='PUBLISHED' AND reply_status IS NULL AND restaurant_id<4", "review"
        )
        cast.full("PUT", f"reviews/{review}/reply", {"content": "Thanks", "language": "en"})
        if decision == "reformulate":
            cast.happen("moderate_reply", review=review, decision=decision)

    assert cast.happen(what)[0]["what"] == what


def test_a_new_comment_enters_moderation_before_it_is_published(cast: Cast) -> None:
    uuid = cast.happen("review", comment=True)[0]["review"]
    assert cast.event_types() == ["reviewRatingCreated", "reviewCommentUnpublished"]

    cast.happen("publish_comment", review=uuid)

    assert cast.event_types()[-1] == "reviewCommentPublished"


def test_a_comment_is_moderated_by_itself_after_a_while(cast: Cast) -> None:
    uuid = cast.happen("review", comment=True)[0]["review"]
    cast.clock.advance(120_001)
    cast.sandbox.life.tick()

    shown = cast.full("GET", f"reviews/{uuid}").json
    assert shown["comment"]["publicationStatus"] != "NOT_REVIEWED"


def test_the_evening_has_its_order(cast: Cast) -> None:
    uuid = cast.book(cast.unrestricted, mealDate="2026-10-21T09:00:00Z").json["reservationUuid"]
    seen = []
    for what in ("partly_arrive", "arrive", "seat", "bill", "leave"):
        cast.happen(what, reservation=uuid)
        seen.append(cast.full("GET", f"reservations/{uuid}").json["mealStatus"])

    assert seen == ["PARTIALLY_ARRIVED", "ARRIVED", "SEATED", "BILL", "LEFT"]
    assert cast.full("GET", f"reservations/{uuid}").json["billAmount"]["currency"] == "EUR"


def test_a_deletion_request_empties_the_profile_and_the_reviews_become_invalid(
    cast: Cast,
) -> None:
    review = cast.find("is_valid=1 AND restaurant_id=1", "review")
    customer = cast.full("GET", f"reviews/{review}").json["customer"]["customerUuid"]

    cast.happen("forget_customer", customer=customer)

    assert cast.full("GET", f"reviews/{review}").json["isValid"] is False
    profile = cast.full("GET", f"customers/{customer}").json
    assert (profile["email"], profile["firstName"]) == (None, None)
    assert "reviewValidityChanged" in cast.event_types()


def test_setting_the_rank_caution_adds_the_tag(cast: Cast) -> None:
    uuid = cast.book().json["customer"]["customerUuid"]

    cast.happen("change_customer", customer=uuid, fields={"rank": "caution"})

    assert cast.full("GET", f"customers/{uuid}").json["riskLevel"] == ["caution"]


def test_no_event_is_sent_about_somebody_elses_group(cast: Cast) -> None:
    foreign = cast.other["restaurants"][0]["uuid"]
    cast.happen("new_booking", restaurant=foreign, count=3)

    assert cast.events() == []


@pytest.mark.parametrize(
    ("params", "status"),
    [
        ({"what": "explode"}, 400),
        ({"what": "arrive", "reservation": "x"}, 409),
        ({"what": "arrive", "restaurant": "00000000-0000-4000-8000-000000000000"}, 409),
        ({"what": "answer_request", "decision": "maybe"}, 409),
    ],
)
def test_what_cannot_happen_is_refused_with_its_reason(
    cast: Cast, params: Any, status: int
) -> None:
    answer = cast.control("POST", "happen", **params)

    assert answer.status == status
    assert answer.json["problem"].endswith(".")


class TestEmit:
    PAYLOAD = {"entityType": "table", "eventType": "tableMoved", "uuid": "x"}

    def test_any_payload_can_be_sent_in_copies(self, cast: Cast) -> None:
        cast.control("POST", "emit", payload=self.PAYLOAD, copies=3)

        assert cast.events() == [self.PAYLOAD] * 3

    def test_an_event_can_be_lost(self, cast: Cast) -> None:
        cast.control("POST", "webhook", url="http://127.0.0.1:9/")
        cast.control("POST", "emit", payload=self.PAYLOAD, lost=True)

        assert cast.control("GET", "deliveries").json["totals"] == {"lost": 1}

    def test_faults_lose_double_and_delay_events_by_type(self, cast: Cast) -> None:
        cast.control("POST", "webhook", url="http://127.0.0.1:9/")
        for event, effect in (
            ("reservationUpdated", {"lost": True}),
            ("reservationCreated", {"copies": 2, "shuffle_ms": 5000}),
        ):
            cast.control("POST", "faults", match={"event": event}, effect=effect)

        cast.book()
        cast.happen("change")

        kept = [
            (row["payload"]["eventType"], row["outcome"])
            for row in cast.control("GET", "deliveries").json["deliveries"]
        ]
        assert sorted(kept) == [
            ("customerCreated", "waiting"),
            ("reservationCreated", "waiting"),
            ("reservationCreated", "waiting"),
            ("reservationUpdated", "lost"),
        ]
