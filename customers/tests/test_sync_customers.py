"""What an answer of the service becomes here."""

import json
from datetime import UTC, date, datetime
from types import SimpleNamespace
from uuid import uuid4

import pytest

from customers import sync
from customers.testing import make_customer
from mirror.kinds import EntityLocation, Unplaceable
from partner import schemas
from partner.payloads import reading

NO_LOCATION = EntityLocation()


def build(*, location=NO_LOCATION, existing=None, **fields):
    payload = {
        "customerUuid": str(uuid4()),
        "email": "zoe@example.org",
        "firstName": "Zoë",
        "lastName": "Lefèvre",
        "locale": "fr_FR",
        "notes": None,
        "creationDate": "2026-01-02T10:00:00Z",
        "lastUpdateDate": "2026-01-03T10:00:00Z",
        **fields,
    }
    entity, _findings = reading.read(schemas.CustomerPayload, payload)
    answer = SimpleNamespace(entity=entity, payload=payload, raw=json.dumps(payload))
    row = sync.build(answer, location, existing)
    row.uuid, row.raw = uuid4(), "{}"
    row.read_at = row.first_seen_at = row.changed_at = datetime(2026, 1, 2, tzinfo=UTC)
    return row


def stored(row):
    row.save(force_insert=True)
    row.refresh_from_db()
    return row


def test_it_works(harbour):
    row = stored(
        build(
            location=EntityLocation(harbour.uuid),
            isVip=True,
            allergiesAndIntolerances=["nuts"],
            birthDate="1980-02-29",
            optins={"restaurantNewsletter": False},
        )
    )

    assert row.group == harbour
    assert str(row) == "Zoë Lefèvre"
    assert row.is_vip
    assert row.birth_date == date(1980, 2, 29)
    assert row.birthday == 229
    assert row.has_allergies
    assert row.restaurant_newsletter is False


class TestGroup:
    def test_the_restaurant_of_origin_knows_best(self, quay, hill):
        row = build(location=EntityLocation(hill.uuid), originRestaurantUuid=str(quay.uuid))

        assert row.group == quay.group

    def test_a_guest_does_not_change_groups_because_an_event_says_so(self, harbour, hill):
        known = make_customer(harbour)

        assert build(location=EntityLocation(hill.uuid), existing=known).group == harbour

    def test_a_restaurant_stands_for_its_group(self, quay):
        assert build(location=EntityLocation(restaurant_uuid=quay.uuid)).group == quay.group

    def test_one_that_is_not_set_up_is_named(self, db):
        with pytest.raises(Unplaceable, match="not set up here"):
            build(location=EntityLocation(uuid4()))


class TestPhone:
    def test_a_national_number_is_read_where_it_was_written(self, loft):
        row = build(phone="(415) 555-2671", originRestaurantUuid=str(loft.uuid))

        assert row.phone == "(415) 555-2671"
        assert row.phone_e164 == "+14155552671"

    def test_the_guests_own_country_is_tried_next(self, harbour, quay):
        row = build(location=EntityLocation(harbour.uuid), phone="020 7946 0018", country="gb")

        assert row.phone_e164 == "+442079460018"

    def test_what_is_no_number_stays_as_it_is(self, harbour, quay):
        row = stored(
            build(
                location=EntityLocation(harbour.uuid),
                phone="ask Paul",
                secondaryPhone="+33612345678",
            )
        )

        assert (row.phone, row.phone_e164) == ("ask Paul", "")
        assert row.secondary_phone_e164 == "+33612345678"


class TestOddAnswers:
    """Nothing that the service may send keeps a row from being stored."""

    @pytest.mark.parametrize(
        ("field", "value", "column", "kept"),
        [
            ("email", None, "email", ""),
            ("firstName", 4, "first_name", ""),
            ("civility", "archduke", "civility", "archduke"),
            ("birthDate", "0000-00-00", "birth_date", None),
            ("isVip", "yes", "is_vip", None),
            ("rank", "x" * 99, "rank", "x" * 64),
            ("allergiesAndIntolerances", "nuts", "allergies_and_intolerances", ["nuts"]),
            ("otherTags", ["a", None, 4, "b\0"], "other_tags", ["a", "b\ufffd"]),
            ("optins", [], "restaurant_newsletter", None),
            ("originRestaurantUuid", "here", "origin_restaurant_uuid", None),
            ("lastName", "=cmd()" * 100, "last_name_key", ("=cmd()" * 100)[:64]),
            ("notes", "\ud800", "notes", "\ufffd"),
        ],
    )
    def test_it_works(self, harbour, field, value, column, kept):
        row = stored(build(location=EntityLocation(harbour.uuid), **{field: value}))

        assert getattr(row, column) == kept

    def test_ten_thousand_tags_are_stored(self, harbour):
        tags = [f"tag {number}" for number in range(10_000)]

        assert (
            len(stored(build(location=EntityLocation(harbour.uuid), otherTags=tags)).other_tags)
            == 10_000
        )
