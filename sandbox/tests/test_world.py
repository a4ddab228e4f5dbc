"""What the worlds hold, and that the same seed and day give the same one."""

import csv
import json
from collections import Counter
from datetime import date, timedelta
from io import StringIO
from pathlib import Path
from random import Random

import pytest

from cast import ANCHOR, SEED, Cast
from partner_sandbox.clock import FrozenClock, utc_midnight
from partner_sandbox.life.fates import catch_up, due_step, fate
from partner_sandbox.service import SandboxService
from partner_sandbox.store import Store
from partner_sandbox.world.bookings import bill
from partner_sandbox.world.build import build
from partner_sandbox.world.history import write_history
from partner_sandbox.world.places import FICTION
from partner_sandbox.world.plans import SIZES, blueprint, clients, pos_identity
from partner_sandbox.world.refill import refill

DAY = 86_400_000


def dump(path: Path) -> list[tuple[object, ...]]:
    store = Store(path)
    with store.reading() as db:
        rows = [
            tuple(row)
            for table in ("party", "restaurant", "client", "customer", "reservation", "review")
            for row in db.execute(f"SELECT * FROM {table}")  # noqa: S608  a name from the line above
        ]
    store.close()
    return rows


def test_the_same_seed_and_day_give_the_same_world(built_world: Path, tmp_path: Path) -> None:
    again = Store(tmp_path / "again.sqlite3")
    build(again, "small", SEED, ANCHOR)
    again.close()

    assert dump(built_world) == dump(tmp_path / "again.sqlite3")


def test_identities_depend_on_the_seed_alone() -> None:
    first, second = blueprint("small", 1), blueprint("small", 1)
    other = blueprint("small", 2)

    assert first == second
    assert first.restaurants[0].uuid != other.restaurants[0].uuid
    assert clients(1) == clients(1) != clients(2)
    assert pos_identity(1) == pos_identity(1) != pos_identity(2)


@pytest.mark.parametrize("currency", ["JPY", "XPF"])
def test_a_currency_without_coins_has_whole_bills(currency: str) -> None:
    places = [place for place in blueprint("demo", SEED).restaurants if place.currency == currency]
    luck = Random(SEED)
    totals = [bill(luck, place, 2, None)["totalPrice"] for place in places for _ in range(20)]

    assert totals
    assert all(float(total).is_integer() for total in totals)


@pytest.mark.parametrize(
    ("world", "groups", "restaurants", "zones"),
    [("tiny", 1, 3, 2), ("small", 1, 3, 2), ("group", 1, 12, 4), ("chain", 5, 200, 10)],
)
def test_the_sizes(world: str, groups: int, restaurants: int, zones: int) -> None:
    plan = blueprint(world, 1)
    own = plan.restaurants[:-1]

    assert (len(plan.groups) - 1, len(own)) == (groups, restaurants)
    assert len({restaurant.timezone for restaurant in own}) >= zones
    assert len({restaurant.uuid for restaurant in plan.restaurants}) == restaurants + 1
    assert len({restaurant.name for restaurant in own}) == restaurants


def test_group_covers_eighteen_months() -> None:
    assert SIZES["group"].days_back + SIZES["group"].days_ahead >= 547


@pytest.mark.parametrize("restaurant", [1, 2, 3])
def test_tonight_is_busy_in_every_restaurant(cast: Cast, restaurant: int) -> None:
    with cast.service.store.reading() as db:
        evening = utc_midnight(ANCHOR) + 16 * 3_600_000
        rows = db.execute(
            "SELECT status FROM reservation WHERE restaurant_id=? AND meal BETWEEN ? AND ?",
            (restaurant, evening, evening + 8 * 3_600_000),
        ).fetchall()

    assert 60 <= len(rows) <= 100
    assert Counter(row["status"] for row in rows)["REQUESTED"] >= 1


def test_the_content_is_as_varied_as_the_contract_allows(cast: Cast) -> None:
    with cast.service.store.reading() as db:
        guests = [json.loads(row[0]) for row in db.execute("SELECT body FROM customer")]
        phones = {row[0][:3] for row in db.execute("SELECT phone FROM customer WHERE phone<>''")}
        statuses = {row[0] for row in db.execute("SELECT status FROM reservation")}
        channels = {row[0] for row in db.execute("SELECT channel FROM reservation")}
        nobody = db.execute("SELECT COUNT(*) FROM reservation WHERE customer_id IS NULL").fetchone()
        unanswered = db.execute(
            "SELECT COUNT(*) FROM review WHERE comment_status='PUBLISHED' AND reply_status IS NULL"
        ).fetchone()

    assert any(guest.get("isVip") for guest in guests)
    assert any(guest.get("allergiesAndIntolerances") for guest in guests)
    assert len({guest["locale"] for guest in guests}) >= 8
    assert {"+33", "+44", "003"} <= phones
    assert statuses == {"RECORDED", "CANCELED", "NO_SHOW", "REQUESTED", "REFUSED"}
    assert len(channels) == 9
    assert nobody[0] > 50
    assert unanswered[0] > 30


def test_no_mail_and_no_number_can_reach_anybody(cast: Cast) -> None:
    with cast.service.store.reading() as db:
        mails = [r[0] for r in db.execute("SELECT email FROM customer WHERE email IS NOT NULL")]
        phones = [r[0] for r in db.execute("SELECT phone FROM customer WHERE phone LIKE '+%'")]

    assert all(mail.endswith(("@example.com", "@example.org")) for mail in mails)
    ranges = tuple(pattern.partition("{")[0] for pattern in FICTION.values())
    assert all(phone.startswith(ranges) for phone in phones if phone[1:].isdecimal())


def test_a_fate_is_always_the_same_and_in_order(cast: Cast) -> None:
    with cast.service.store.reading() as db:
        rows = db.execute("SELECT * FROM reservation LIMIT 500").fetchall()

    for row in rows:
        steps = fate(row)
        assert steps == fate(row)
        assert steps == sorted(steps, key=lambda step: step[0])


def test_catching_up_plays_the_evening_without_events(cast: Cast) -> None:
    cast.clock.advance(12 * 3_600_000)

    moved = catch_up(cast.service, utc_midnight(ANCHOR))

    assert moved > 100
    assert cast.events() == []
    with cast.service.store.reading() as db:
        found = {
            row[0]
            for row in db.execute(
                "SELECT DISTINCT meal_status FROM reservation WHERE meal>?", (utc_midnight(ANCHOR),)
            )
        }
    assert {"SEATED", "LEFT"} <= found
    assert catch_up(cast.service, utc_midnight(ANCHOR)) == 0


def test_a_party_never_goes_back(cast: Cast) -> None:
    cast.clock.advance(12 * 3_600_000)
    row = {"uuid": b"x" * 16, "meal": cast.clock.now() - 3_600_000, "party_size": 2}

    assert due_step({**row, "meal_status": "LEFT"}, cast.clock.now()) is None


def test_a_world_left_alone_is_filled_again(cast: Cast) -> None:
    cast.clock.advance(9 * DAY)

    def tonight() -> int:
        with cast.service.store.reading() as db:
            start = utc_midnight(ANCHOR + timedelta(days=9))
            return int(
                db.execute(
                    "SELECT COUNT(*) FROM reservation WHERE restaurant_id=1 AND meal>=? AND meal<?",
                    (start, start + DAY),
                ).fetchone()[0]
            )

    before = tonight()
    refill(cast.service)
    after = tonight()
    refill(cast.service)

    assert before < 60 <= after
    assert tonight() == after


def test_a_living_evening_tells_what_happens(cast: Cast) -> None:
    cast.clock.advance(10 * 3_600_000)
    cast.sandbox.life.live = True
    cast.service.pace = 1000
    for _ in range(20):
        cast.sandbox.life._next_surprise = cast.sandbox.life._next_look = 0
        cast.sandbox.life.tick()
        cast.clock.advance(60_000)

    assert len(cast.events()) > 30
    assert {"reservationCreated", "reservationUpdated"} <= set(cast.event_types())


def test_building_is_quick_and_a_store_can_be_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "one.sqlite3"
    store = Store(path)
    build(store, "small", 3, date(2026, 3, 27))
    store.close()
    again = Store(path)

    assert again.is_built
    assert SandboxService(again, FrozenClock(0)).seed == 3
    again.close()


def test_the_past_of_a_world_can_be_had_as_a_table(built_world: Path) -> None:
    store, file = Store(built_world), StringIO()
    write_history(store, file, until=utc_midnight(ANCHOR))
    store.close()

    rows = list(csv.DictReader(StringIO(file.getvalue(), newline="")))
    assert len({row["restaurant"] for row in rows}) == SIZES["small"].restaurants
    assert {row["status"] for row in rows} == {"RECORDED", "CANCELED", "NO_SHOW"}
    assert {row["service"] for row in rows} == {"lunch", "dinner"}
    assert max(row["service_day"] for row in rows) <= ANCHOR.isoformat()
    assert all(bool(row["cancelled_at"]) == (row["status"] == "CANCELED") for row in rows)
