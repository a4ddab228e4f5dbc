"""What an answer of the service becomes here."""

import json
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from uuid import UUID, uuid4

import pytest

from mirror.kinds import EntityLocation, EntityRef, Unplaceable
from partner import schemas
from partner.payloads import reading
from reviews import sync
from reviews.models import Review
from reviews.testing import make_review

GUEST = UUID("e0d0c0f5-0c3a-4a45-9a7c-5a1b3c2d4e5f")
VISIT = UUID("7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33")
SENT = datetime(2026, 1, 20, 14, 2, tzinfo=UTC)
COMMENT = {
    "content": "Lovely evening.",
    "language": "en",
    "publicationStatus": "PUBLISHED",
    "createdTs": "2026-01-18T09:12:44.120Z",
    "updatedTs": "2026-01-18T11:40:00.000Z",
    "publishedTs": "2026-01-18T11:40:00.000Z",
    "moderationReason": None,
}


def reply(**fields):
    return COMMENT | {"content": "Thank you.", "updatedTs": SENT.isoformat()} | fields


NO_LOCATION = EntityLocation()


def build(restaurant, *, existing=None, location=NO_LOCATION, **fields):
    payload = {
        "reviewUuid": str(uuid4()),
        "restaurantUuid": str(restaurant.uuid),
        "isValid": True,
        "createdTs": "2026-01-18T09:12:44.120Z",
        "updatedTs": "2026-01-18T15:01:03.002Z",
        "reservation": {"reservationUuid": str(VISIT), "mealDate": "2026-01-17T23:30:00Z"},
        "customer": {"customerUuid": str(GUEST), "firstName": "Jo", "lastName": "Martin"},
        "dinerRating": {"globalRating": 8.5, "ambienceRating": 8, "serviceRating": None},
        "comment": COMMENT,
        "experienceDetail": {"occasion": "FRIENDS"},
        "restaurantReply": None,
        **fields,
    }
    entity, _findings = reading.read(schemas.ReviewPayload, payload)
    answer = SimpleNamespace(entity=entity, payload=payload, raw=json.dumps(payload))
    row = sync.build(answer, location, existing)
    row.uuid, row.raw = uuid4(), "{}"
    row.read_at = row.first_seen_at = row.changed_at = SENT
    return row


def stored(row):
    row.save(force_insert=True)
    row.refresh_from_db()
    return row


def test_it_works(quay):
    row = stored(build(quay))

    assert row.restaurant == quay
    assert float(row.global_rating) == 8.5
    assert (row.ambience_rating, row.service_rating) == (8, None)
    assert (row.comment, row.comment_status) == ("Lovely evening.", "PUBLISHED")
    assert row.occasion == "FRIENDS"
    assert row.service_day == date(2026, 1, 17)
    assert (row.reply, row.reply_status) == ("", "")


def test_it_wants_the_visit_and_the_guest(quay):
    assert list(sync.related(build(quay))) == [
        EntityRef("reservation", VISIT, EntityLocation(quay.group.uuid, quay.uuid)),
        EntityRef("customer", GUEST, EntityLocation(quay.group.uuid)),
    ]


def test_one_whose_restaurant_is_not_set_up_is_named(quay):
    with pytest.raises(Unplaceable, match="not set up here"):
        build(quay, restaurantUuid=str(uuid4()))


def test_an_invalid_review_leaves_the_numbers(quay):
    stored(build(quay, isValid=False))

    assert not Review.objects.counted().exists()
    assert Review.objects.count() == 1


class TestReread:
    """No event reports the outcome of a reply."""

    @pytest.mark.parametrize(
        ("after", "next_look"),
        [
            (timedelta(seconds=1), timedelta(minutes=2)),
            (timedelta(minutes=2), timedelta(minutes=10)),
            (timedelta(minutes=30), timedelta(hours=1)),
            (timedelta(hours=2), timedelta(hours=6)),
            (timedelta(hours=7), timedelta(days=1)),
            (timedelta(days=29, hours=1), timedelta(days=30)),
        ],
    )
    def test_it_works(self, quay, after, next_look):
        row = build(quay, restaurantReply=reply(publicationStatus="NOT_REVIEWED"))

        assert sync.reread(row, SENT + after) == SENT + next_look

    def test_it_stops_after_thirty_days(self, quay):
        row = build(quay, restaurantReply=reply(publicationStatus="NOT_REVIEWED"))

        assert sync.reread(row, SENT + timedelta(days=30)) is None

    @pytest.mark.parametrize("status", ["PUBLISHED", "REJECTED", "ARCHIVED"])
    def test_a_fate_that_is_known_is_left_alone(self, quay, status):
        row = build(quay, restaurantReply=reply(publicationStatus=status))

        assert sync.reread(row, SENT) is None

    def test_a_review_without_a_reply_is_left_alone(self, quay):
        assert sync.reread(build(quay), SENT) is None


class TestOddAnswers:
    """Nothing that the service may send keeps a row from being stored."""

    @pytest.mark.parametrize(
        ("field", "value", "column", "kept"),
        [
            ("dinerRating", None, "global_rating", None),
            ("dinerRating", {"globalRating": 99}, "global_rating", None),
            ("dinerRating", {"globalRating": "NaN"}, "global_rating", None),
            ("dinerRating", {"ambienceRating": 8.5}, "ambience_rating", None),
            ("dinerRating", {"priceEvaluation": "FAIR"}, "price_evaluation", "FAIR"),
            ("comment", {"publicationStatus": "ON_HOLD"}, "comment_status", "ON_HOLD"),
            ("comment", COMMENT | {"content": "a\0"}, "comment", "a\ufffd"),
            ("comment", "nice", "comment", ""),
            ("reservation", None, "reservation_id", None),
            ("reservation", {"mealDate": "soon"}, "service_day", None),
            ("customer", {"customerUuid": 4}, "customer_id", None),
            ("experienceDetail", [], "occasion", ""),
            ("isValid", None, "is_valid", None),
        ],
    )
    def test_it_works(self, quay, field, value, column, kept):
        assert getattr(stored(build(quay, **{field: value})), column) == kept


class TestList:
    class Client:
        def __init__(self):
            self.params = []

        def review_uuids(self, **params):
            self.params.append(params)
            return iter([params["restaurant"]])

    def test_each_restaurant_of_a_group_is_listed(self, harbour, quay, loft):
        client, day = self.Client(), date(2026, 1, 17)
        found = set(sync.list_uuids(client, EntityLocation(harbour.uuid), day, day, "mealDate"))

        assert found == {quay.uuid, loft.uuid}

    def test_the_last_day_is_included(self, quay):
        client, day = self.Client(), date(2026, 1, 17)
        list(
            sync.list_uuids(client, EntityLocation(restaurant_uuid=quay.uuid), day, day, "mealDate")
        )

        assert client.params[0]["end"] == date(2026, 1, 18)

    def test_what_we_hold_of_a_window_is_known(self, quay, cellar):
        day = date(2026, 1, 17)
        mine = make_review(quay, service_day=day, is_valid=False)
        make_review(quay, service_day=day - timedelta(days=9))
        make_review(cellar, service_day=day)

        assert list(sync.known(EntityLocation(restaurant_uuid=quay.uuid), day, day)) == [mine.uuid]
