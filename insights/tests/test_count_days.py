"""Sums of days and months: right after every change, and equal to counting everything anew."""

import json
import random
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from io import StringIO
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command

from insights.models import BookingCount, Campaign, CountRow, Mark, Rating, Spend
from insights.sums import recount
from insights.sums.recount import DIMENSIONS, MODELS, measures
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority
from mirror.queue import store, sync_requests
from mirror.queue.store import ReadResult
from partner import errors, schemas
from partner.payloads import reading
from reservations.testing import DINNER, make_reservation
from restaurants.models import Restaurant
from reviews.testing import make_review

NOW = datetime(2026, 2, 20, 12, tzinfo=UTC)
SATURDAY = date(2026, 1, 17)
LUNCH = DINNER - timedelta(hours=7)


def count() -> None:
    for restaurant in Restaurant.objects.all():
        recount.rebuild(restaurant, now=NOW)


def whole(model=BookingCount, **more):
    return model.objects.get(span=CountRow.DAY, cut=CountRow.WHOLE, **more)


def all_sums():
    """Every sum there is, without the numbers that the database gave the rows."""
    found = []
    for model in MODELS:
        names = ("restaurant", "span", "cut", "start", *DIMENSIONS[model], *measures(model))
        found += [(model.__name__, *row) for row in model.objects.values_list(*names)]
    return sorted(found, key=str)


def test_it_works(quay):
    make_reservation(quay, party_size=4, bill_amount=Decimal("120.5"), bill_currency="EUR")
    make_reservation(quay, party_size=2, status="NO_SHOW")
    make_reservation(quay, party_size=3, status="CANCELED")
    count()

    booking_count, spend = whole(), whole(Spend)
    assert booking_count.start == SATURDAY
    assert (
        booking_count.bookings,
        booking_count.covers,
        booking_count.no_shows,
        booking_count.cancelled,
    ) == (1, 4, 1, 1)
    assert (spend.bookings, spend.covers, spend.total) == (1, 4, 120_500)


def test_each_cut_holds_every_booking_once(quay):
    make_reservation(quay, meal_at=LUNCH, reservation_channel="Offline")
    make_reservation(quay)
    count()

    days = BookingCount.objects.filter(span=CountRow.DAY)
    for cut in recount.CUTS:
        assert sum(days.filter(cut=cut).values_list("bookings", flat=True)) == 2
    assert set(days.filter(cut=CountRow.BY_SERVICE).values_list("service", flat=True)) == {
        "midday",
        "evening",
    }
    assert set(days.filter(cut=CountRow.BY_HOUR).values_list("hour", flat=True)) == {13, 20}


def test_after_midnight_is_still_the_evening_before(quay):
    make_reservation(quay, meal_at=DINNER + timedelta(hours=5))
    count()

    late = BookingCount.objects.get(span=CountRow.DAY, cut=CountRow.BY_SERVICE)
    assert (late.start, late.service) == (SATURDAY, "evening")


def test_currencies_are_never_added_up(quay):
    make_reservation(quay, bill_amount=Decimal("10.1"), bill_currency="EUR")
    make_reservation(quay, bill_amount=Decimal("20.2"), bill_currency="EUR")
    make_reservation(quay, bill_amount=Decimal("30"), bill_currency="CHF")
    count()

    rows = Spend.objects.filter(span=CountRow.DAY, cut=CountRow.WHOLE)
    assert dict(rows.values_list("currency", "total")) == {"EUR": 30_300, "CHF": 30_000}


def test_a_bill_without_a_party_says_nothing_about_covers(quay):
    make_reservation(quay, party_size=None, bill_amount=Decimal(50), bill_currency="EUR")
    make_reservation(quay, party_size=2, bill_amount=Decimal(30), bill_currency="EUR")
    count()

    spend = whole(Spend)
    assert (spend.total, spend.sized_total, spend.covers) == (80_000, 30_000, 2)


def test_walk_ins_booked_nothing_ahead(quay):
    booked = DINNER - timedelta(days=9)
    make_reservation(quay, created_at=booked)
    make_reservation(quay, created_at=booked, reservation_channel="Walk-in", meal_status="LEFT")
    count()

    booking_count = whole()
    assert (booking_count.bookings, booking_count.walk_ins, booking_count.marked) == (2, 1, 0)
    assert (booking_count.ahead, booking_count.ahead_days, booking_count.ahead_8) == (1, 9, 1)


def test_booked_in_the_morning_is_booked_on_the_day(quay):
    make_reservation(quay, created_at=DINNER - timedelta(hours=11))
    make_reservation(quay, created_at=DINNER - timedelta(hours=21))
    count()

    assert (whole().ahead_0, whole().ahead_1) == (1, 1)


def test_what_is_gone_leaves_the_numbers(quay):
    make_reservation(quay, presence="gone")
    make_review(quay, presence="gone", service_day=SATURDAY, meal_at=DINNER)
    count()

    assert all_sums() == []


def test_an_invalid_review_leaves_the_numbers(quay):
    visit: dict[str, Any] = {"service_day": SATURDAY, "meal_at": DINNER}
    make_review(quay, **visit, global_rating=Decimal("8.5"))
    make_review(quay, **visit, global_rating=Decimal(6))
    make_review(quay, **visit, global_rating=Decimal(1), is_valid=False)
    count()

    rating = whole(Rating)
    assert (rating.reviews, rating.rated, rating.rating, rating.low) == (2, 2, 14_500, 1)


def test_only_a_published_comment_can_be_answered(quay):
    published = {"comment_status": "PUBLISHED", "comment_published_ts": DINNER}
    visit: dict[str, Any] = {"service_day": SATURDAY, "meal_at": DINNER, **published}
    answered: dict[str, Any] = {
        "reply_status": "NOT_REVIEWED",
        "reply_created_ts": DINNER + timedelta(hours=3),
    }
    make_review(quay, **visit, **answered)
    make_review(quay, **visit)
    make_review(quay, **visit, reply_status="REJECTED")
    make_review(quay, **visit | {"comment_status": "NOT_REVIEWED"})
    count()

    rating = whole(Rating)
    assert (rating.published, rating.answered, rating.timed, rating.delay) == (3, 1, 1, 180)


@pytest.mark.parametrize("status", ["REJECTED", "ARCHIVED", "DELETED"])
def test_a_reply_that_was_refused_or_withdrawn_answers_nobody(quay, status):
    published: dict[str, Any] = {"comment_status": "PUBLISHED", "comment_published_ts": DINNER}
    reply: dict[str, Any] = {"reply_status": status, "reply_created_ts": DINNER}
    make_review(quay, service_day=SATURDAY, meal_at=DINNER, **published, **reply)
    count()

    rating = whole(Rating)
    assert (rating.published, rating.answered, rating.timed) == (1, 0, 0)


def test_campaigns_are_counted_by_source_medium_and_name(quay):
    mail = {"utm_source": "mail", "utm_medium": "letter", "utm_campaign": "spring"}
    make_reservation(quay, utm=mail, bill_amount=Decimal(80), bill_currency="EUR")
    make_reservation(quay, utm=mail, status="NO_SHOW")
    make_reservation(quay, utm={"utm_source": "map"})
    count()

    rows = Campaign.objects.filter(span=CountRow.DAY, source="mail")
    assert sorted(rows.values_list("currency", "bookings", "lost", "total")) == [
        ("", 0, 1, 0),
        ("EUR", 1, 0, 80_000),
    ]
    assert Campaign.objects.filter(span=CountRow.DAY, source="map", name="").exists()


def test_a_meal_of_another_century_is_not_counted(quay):
    make_reservation(quay, meal_at=datetime(9999, 12, 30, 19, tzinfo=UTC))
    count()

    assert all_sums() == []


def test_a_range_is_its_whole_months_and_its_edges(quay):
    for days in range(-70, 70):
        make_reservation(quay, meal_at=DINNER + timedelta(days=days))
    count()

    first, last = SATURDAY - timedelta(days=60), SATURDAY + timedelta(days=60)
    rows = BookingCount.objects.filter(cut=CountRow.WHOLE).of([quay.pk], first, last)
    assert sum(rows.values_list("bookings", flat=True)) == 121
    assert rows.filter(span=CountRow.MONTH).count() == 3
    assert len(rows) < 50


def test_the_command_counts_everything(quay, cellar):
    make_reservation(quay)
    make_reservation(cellar)
    printed = StringIO()
    call_command("rebuild_insights", stdout=printed)

    assert BookingCount.objects.filter(span=CountRow.DAY, cut=CountRow.WHOLE).count() == 2
    assert "2 months of 3 restaurants" in printed.getvalue()


class TestIncrementally:
    def test_it_works(self, quay):
        store_read(reservation_of(quay, party=2))
        recount.count_marked(now=NOW)
        store_read(reservation_of(quay, party=5))
        assert whole().covers == 2

        recount.count_marked(now=NOW)

        assert whole().covers == 5
        assert not Mark.objects.exists()

    def test_a_moved_booking_leaves_the_day_it_was_on(self, quay):
        store_read(reservation_of(quay))
        recount.count_marked(now=NOW)
        store_read(reservation_of(quay, day=3))
        recount.count_marked(now=NOW)

        assert whole().start == SATURDAY + timedelta(days=3)

    def test_a_read_that_failed_marks_nothing(self, quay):
        settle("reservation", UUID(int=1), error=errors.NotFound(status=404))

        assert not Mark.objects.exists()

    def test_a_crash_while_counting_leaves_the_day_marked(self, quay, monkeypatch):
        store_read(reservation_of(quay))
        broken = pytest.raises(RuntimeError)
        monkeypatch.setattr("lib.database.bulk._write", fail)
        with broken:
            recount.count_marked(now=NOW)

        assert Mark.objects.count() == 1

    def test_a_day_marked_often_is_counted_once(self, quay):
        for party in range(1, 6):
            store_read(reservation_of(quay, party=party))

        assert recount.count_marked(now=NOW) == 1
        assert recount.count_marked(now=NOW) == 0

    def test_what_changed_past_the_mirror_is_healed(self, quay):
        row = make_reservation(quay, meal_at=NOW)
        recount.count_recent(now=NOW)
        row.delete()
        recount.count_recent(now=NOW)

        assert all_sums() == []

    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_after_any_changes_the_sums_equal_a_full_count(self, quay, cellar, seed):
        dice = random.Random(seed)
        for _step in range(60):
            random_change(dice, dice.choice([quay, cellar]))
            if dice.random() < 0.2:
                recount.count_marked(now=NOW)
        recount.count_marked(now=NOW)

        kept = all_sums()
        for model in MODELS:
            model.objects.all().delete()
        count()
        assert kept == all_sums()
        assert len(kept) > 50


def fail(*_args):
    raise RuntimeError("the lights went out")


def random_change(dice, restaurant):
    """A booking or a review appears, changes, moves to another day or restaurant, or is gone."""
    number = dice.randrange(12)
    if dice.random() < 0.15:
        kind = dice.choice(["reservation", "review"])
        settle(kind, UUID(int=number + 1), error=errors.NotFound(status=404))
    elif dice.random() < 0.3:
        store_read(review_of(restaurant, number=number, dice=dice))
    else:
        change = {
            "number": number,
            "day": dice.choice([0, 0, 1, 20, -30]),
            "party": dice.choice([0, 2, 4, 7]),
            "status": dice.choice(["RECORDED", "RECORDED", "NO_SHOW", "CANCELED", "NEW_WORD"]),
            "bill": dice.choice([None, 19.9, 240.05]),
            "utm": dice.choice([None, [{"key": "utm_source", "value": "mail"}]]),
        }
        store_read(reservation_of(restaurant, **change))


def reservation_of(restaurant, *, number=0, day=0, party=2, status="RECORDED", bill=None, utm=None):
    meal = DINNER + timedelta(days=day)
    return schemas.ReservationPayload, "reservation", {
        "reservationUuid": str(UUID(int=number + 1)),
        "restaurantUuid": str(restaurant.uuid),
        "mealDate": meal.isoformat(),
        "partySize": party,
        "status": status,
        "reservationChannel": "Booking Module",
        "createdAt": (meal - timedelta(days=4)).isoformat(),
        "utmTrackingInformation": utm,
        "billAmount": {"totalPrice": bill, "currency": restaurant.currency} if bill else None,
    }  # fmt: skip


def review_of(restaurant, *, number, dice):
    return schemas.ReviewPayload, "review", {
        "reviewUuid": str(UUID(int=number + 1)),
        "restaurantUuid": str(restaurant.uuid),
        "isValid": dice.random() < 0.8,
        "reservation": {
            "reservationUuid": None,
            "mealDate": (DINNER + timedelta(days=dice.choice([0, 2]))).isoformat(),
        },
        "dinerRating": {"globalRating": dice.choice([None, 4, 7.5, 10])},
    }  # fmt: skip


def store_read(reading_of):
    schema, kind, payload = reading_of
    uuid = UUID(payload.get("reservationUuid") or payload["reviewUuid"])
    entity, _findings = reading.read(schema, payload)
    raw = json.dumps(payload)
    fields = {"raw": raw, "payload": payload, "drift": (), "started_at": NOW}
    settle(kind, uuid, answer=SimpleNamespace(entity=entity, **fields))


def settle(kind, uuid, *, answer=None, error=None):
    """One read as the mirror takes it in."""
    sync_requests.request(
        [EntityRef(kind, uuid, EntityLocation())], priority=Priority.PERSON, now=NOW
    )
    claims = sync_requests.claim(limit=9, now=NOW)
    [claimed] = [claim for claim in claims if claim.uuid == uuid and claim.kind == kind]
    store.settle([ReadResult(claimed, answer=answer, error=error)], now=NOW)
