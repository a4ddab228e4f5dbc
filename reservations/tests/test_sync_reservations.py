"""What an answer of the service becomes here."""

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from types import SimpleNamespace
from uuid import UUID, uuid4

import pytest

from mirror.kinds import EntityLocation, EntityRef, Unplaceable
from partner import schemas
from partner.payloads import reading
from reservations import sync
from reservations.testing import make_reservation

GUEST = UUID("7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33")


def answer(restaurant, **fields):
    payload = {
        "reservationUuid": str(uuid4()),
        "restaurantUuid": str(restaurant.uuid),
        "mealDate": "2026-01-17T20:00:00+01:00",
        "mealStatus": None,
        "partySize": 4,
        "status": "RECORDED",
        "customerUuid": str(GUEST),
        "reservationChannel": "Booking Module",
        "createdAt": "2026-01-02T10:00:00",
        **fields,
    }
    entity, _findings = reading.read(schemas.ReservationPayload, payload)
    return SimpleNamespace(entity=entity, payload=payload, raw=json.dumps(payload))


NO_LOCATION = EntityLocation()


def build(restaurant, *, existing=None, location=NO_LOCATION, **fields):
    row = sync.build(answer(restaurant, **fields), location, existing)
    row.uuid, row.raw = uuid4(), "{}"
    row.read_at = row.first_seen_at = row.changed_at = datetime(2026, 1, 2, tzinfo=UTC)
    return row


def stored(row):
    row.save(force_insert=True)
    row.refresh_from_db()
    return row


def test_it_works(quay):
    row = stored(build(quay))

    assert row.restaurant == quay
    assert row.meal_at == datetime(2026, 1, 17, 19, tzinfo=UTC)
    assert row.meal_date_text == "2026-01-17T20:00:00+01:00"
    assert row.service_day == date(2026, 1, 17)
    assert row.party_size == 4
    assert row.customer_id == GUEST
    assert row.created_at == datetime(2026, 1, 2, 10, tzinfo=UTC)


def test_it_keeps_the_offer(quay):
    offer = {
        "offerType": "promotion",
        "name": {"fr": "Moins 20 %", "en": "20% off", "xx": None},
        "discountPercentage": 20,
        "price": None,
    }
    row = stored(build(quay, offerUuid=str(uuid4()), offerDetails=offer))

    assert row.offer_type == "promotion"
    assert row.offer_name == {"fr": "Moins 20 %", "en": "20% off"}
    assert row.offer_discount == 20


def test_it_keeps_campaign_and_custom_fields(quay):
    utm = [{"key": "utm_source", "value": "letter"}, {"key": "utm_term", "value": "x"}]
    field = {"labelUuid": str(uuid4()), "label": "Cake", "type": "boolean", "value": True}
    row = stored(build(quay, utmTrackingInformation=utm, customFields=[field]))

    assert row.utm == {"utm_source": "letter", "utm_term": "x"}
    assert row.custom_fields[0]["label"] == "Cake"
    assert row.custom_fields[0]["value"] is True


def test_it_wants_the_guest_of_the_restaurants_group(quay):
    wanted = list(sync.related(build(quay)))

    assert wanted == [EntityRef("customer", GUEST, EntityLocation(quay.group.uuid))]


def test_a_walk_in_wants_nobody(quay):
    assert list(sync.related(build(quay, customerUuid=None))) == []


class TestRestaurant:
    def test_the_answer_decides_and_not_the_event(self, quay, cellar):
        row = build(quay, location=EntityLocation(cellar.group.uuid, cellar.uuid))

        assert row.restaurant == quay

    def test_the_event_helps_when_the_answer_is_silent(self, quay):
        row = build(quay, location=EntityLocation(restaurant_uuid=quay.uuid), restaurantUuid=None)

        assert row.restaurant == quay

    def test_one_that_is_not_set_up_is_named(self, quay):
        with pytest.raises(Unplaceable, match="not set up here"):
            build(quay, restaurantUuid=str(uuid4()))


class TestBill:
    def bill(self, total):
        return {"totalPrice": total, "currency": "EUR"}

    def test_it_works(self, quay):
        row = stored(build(quay, billAmount=self.bill(186.4)))

        assert (row.bill_amount, row.bill_currency) == (Decimal("186.400"), "EUR")
        assert not row.bill_is_stale

    def test_no_bill_after_a_bill_is_unknown_and_not_erased(self, quay):
        before = make_reservation(quay, bill_amount=Decimal(50), bill_currency="EUR")
        row = build(quay, existing=before, billAmount=None)

        assert (row.bill_amount, row.bill_currency) == (Decimal(50), "EUR")
        assert row.bill_is_stale

    def test_a_new_bill_replaces_the_last(self, quay):
        before = make_reservation(quay, bill_amount=Decimal(50), bill_is_stale=True)
        row = build(quay, existing=before, billAmount=self.bill(0))

        assert row.bill_amount == 0
        assert not row.bill_is_stale


class TestOddAnswers:
    """Nothing that the service may send keeps a row from being stored."""

    @pytest.mark.parametrize(
        ("field", "value", "column", "kept"),
        [
            ("status", "PENDING", "status", "PENDING"),
            ("mealStatus", "AT_THE_BAR", "meal_status", "AT_THE_BAR"),
            ("reservationChannel", "x" * 200, "reservation_channel", "x" * 64),
            ("partySize", 10**30, "party_size", None),
            ("partySize", 4.0, "party_size", 4),
            ("partySize", 4.5, "party_size", None),
            ("partySize", True, "party_size", None),
            ("partySize", -3, "party_size", None),
            ("partySize", "four", "party_size", None),
            ("customerNote", "a\0b", "customer_note", "a\ufffdb"),
            ("restaurantNote", 4, "restaurant_note", ""),
            ("mealDate", "9999-12-31T23:59:59-14:00", "meal_at", None),
            ("mealDate", "tomorrow", "service_day", None),
            ("customerUuid", "nobody", "customer_id", None),
            ("createdAt", "0001-01-01T00:00:00+14:00", "created_at", None),
            ("billAmount", {"totalPrice": "NaN", "currency": "EUR"}, "bill_amount", None),
            ("billAmount", {"totalPrice": 1e300, "currency": "EUR"}, "bill_amount", None),
            ("offerDetails", [], "offer_type", ""),
            ("customFields", {}, "custom_fields", []),
            ("utmTrackingInformation", "x", "utm", {}),
        ],
    )
    def test_it_works(self, quay, field, value, column, kept):
        assert getattr(stored(build(quay, **{field: value})), column) == kept

    @pytest.mark.parametrize(
        "text", ["2026-07-17T20:00:00", "20260717T2000", "2026-07-17t20:00", "2026-07-17 20:00:00"]
    )
    def test_a_time_without_offset_is_local_to_the_restaurant(self, quay, text):
        row = stored(build(quay, mealDate=text))

        assert (row.meal_at, row.local_minutes) == (datetime(2026, 7, 17, 18, tzinfo=UTC), 20 * 60)

    def test_the_original_time_is_kept_also_when_it_makes_no_sense(self, quay):
        assert build(quay, mealDate="tomorrow").meal_date_text == "tomorrow"

    def test_everything_may_be_missing(self, quay):
        empty = dict.fromkeys(("mealDate", "partySize", "status", "customerUuid", "createdAt"))
        row = stored(build(quay, **empty))

        assert (row.status, row.party_size, row.service_day) == ("", None, None)

    def test_a_note_of_megabytes_is_stored(self, quay):
        assert len(stored(build(quay, customerNote="é" * 5_000_000)).customer_note) == 5_000_000

    def test_half_an_emoji_is_stored(self, quay):
        field = {"labelUuid": None, "label": "\ud83d", "type": "string", "value": "\ud83d"}

        stored(build(quay, customerNote="\ud83d", customFields=[field]))


class TestList:
    class Client:
        def reservation_uuids(self, **params):
            self.params = params
            return iter([GUEST])

    def test_a_restaurant_is_listed_before_its_group(self):
        client, place = self.Client(), uuid4()
        days = (date(2026, 1, 1), date(2026, 1, 2))
        found = list(sync.list_uuids(client, EntityLocation(uuid4(), place), *days, "mealDate"))

        assert found == [GUEST]
        assert client.params == {
            "restaurant": place,
            "start": days[0],
            "end": days[1],
            "by": "mealDate",
        }

    def test_a_group_is_listed_as_a_whole(self):
        client, group = self.Client(), uuid4()
        day = date(2026, 1, 1)
        list(sync.list_uuids(client, EntityLocation(group), day, day, "updatedDate"))

        assert client.params["group"] == group
