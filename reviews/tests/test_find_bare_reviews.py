"""Whatever a review leaves open, it stands in the inbox, and its page opens."""

from datetime import UTC, date, datetime
from types import SimpleNamespace
from uuid import uuid4

import pytest

from mirror.kinds import EntityLocation
from partner import schemas
from partner.payloads import reading
from partner.testing import recorded
from restaurants.testing import sign_in
from reviews import sync
from reviews.inbox import placement
from reviews.models import InboxQueue

NOW = datetime(2026, 1, 2, tzinfo=UTC)
# Dotted paths of whatever may be null, and of what may be unreadable.
FIELDS = [
    "isValid",
    "createdTs",
    "updatedTs",
    "reservation",
    "reservation.reservationUuid",
    "reservation.mealDate",
    "customer",
    "customer.customerUuid",
    "customer.firstName",
    "customer.lastName",
    "dinerRating",
    "dinerRating.globalRating",
    "dinerRating.ambienceRating",
    "dinerRating.foodQualityRating",
    "dinerRating.serviceRating",
    "dinerRating.priceEvaluation",
    "dinerRating.waitingTimeEvaluation",
    "dinerRating.noiseLevelEvaluation",
    "comment",
    "comment.language",
    "comment.publicationStatus",
    "comment.publishedTs",
    "comment.createdTs",
    "comment.moderationReason",
    "experienceDetail",
    "experienceDetail.occasion",
    "restaurantReply",
]


@pytest.fixture
def read_review(quay):
    def read_review(**fields):
        payload = recorded("get_review") | {"restaurantUuid": str(quay.uuid)}
        for path, value in fields.items():
            put(payload, path, value)
        entity, _findings = reading.read(schemas.ReviewPayload, payload)
        row = sync.build(SimpleNamespace(entity=entity, payload=payload), EntityLocation(), None)
        row.uuid, row.raw = uuid4(), "{}"
        row.read_at = row.first_seen_at = row.changed_at = NOW
        row.save(force_insert=True)
        row.refresh_from_db()
        placement.place_reviews([row], NOW)
        return row

    return read_review


def put(payload, path, value):
    *parents, last = path.split(".")
    for parent in parents:
        payload = payload[parent]
    payload[last] = value


def is_in_the_inbox(row, client):
    """In one of its queues."""
    pages = (client.get("/reviews/", {"lane": queue}) for queue in InboxQueue.values)
    return any(str(row.pk) in page.content.decode() for page in pages)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("sent", [None, ["odd"]])
def test_it_is_in_the_inbox_and_opens(alice, read_review, field, sent):
    row = read_review(**{field: sent})
    client = sign_in(alice)

    assert is_in_the_inbox(row, client)
    assert client.get(f"/reviews/{row.pk}/").status_code == 200


def test_a_review_of_nothing_at_all_is_in_the_inbox(alice, read_review):
    row = read_review(**dict.fromkeys(field for field in FIELDS if "." not in field))
    client = sign_in(alice)

    assert is_in_the_inbox(row, client)
    assert client.get(f"/reviews/{row.pk}/").status_code == 200


def test_a_review_without_a_visit_is_read_again_by_the_day_it_was_written(quay, read_review):
    """Lists go by the day of the meal, so that nothing else would ever name it."""
    row = read_review(**{"reservation.mealDate": None, "createdTs": "2026-01-01T10:00:00Z"})
    days = (date(2026, 1, 1), date(2026, 1, 1))

    assert list(sync.known(EntityLocation(quay.group.uuid, quay.uuid), *days)) == [row.pk]
    later = (date(2026, 3, 1), date(2026, 3, 2))
    assert list(sync.known(EntityLocation(quay.group.uuid, quay.uuid), *later)) == []
