"""The demo's world: wherever and whenever somebody starts it, dinner is on."""

import json
import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from partner_sandbox.clock import DAY, HOUR, MINUTE, FrozenClock, to_instant
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.happenings import happen
from partner_sandbox.life import staff
from partner_sandbox.life.fates import play
from partner_sandbox.life.first_minute import at_dinner, dinner_minutes, is_at_dinner
from partner_sandbox.life.living import answer_in_time, catch_up_planned
from partner_sandbox.service import SandboxService
from partner_sandbox.store import Store
from partner_sandbox.world.answers import answers
from partner_sandbox.world.build import build
from partner_sandbox.world.places import FICTION
from partner_sandbox.world.plans import SIZES, blueprint
from partner_sandbox.world.texts.notes import ALLERGY_NOTES

HOURS = ("00:30", "05:00", "09:00", "13:00", "17:30", "22:30")
SUMMER, WINTER = datetime(2026, 7, 14, tzinfo=UTC), datetime(2026, 11, 24, tzinfo=UTC)
PLACES = blueprint("demo", 1).restaurants[:-1]


@pytest.fixture(autouse=True)
def short_history(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SIZES, "demo", replace(SIZES["demo"], days_back=16, days_ahead=3))


def start(folder: Path, *moments: datetime) -> SandboxService:
    """A world of one's own that was started at these moments; the last start has just ended."""
    shutil.copy(started(folder.parent, *moments), folder / "demo.sqlite3")
    return open_world(folder / "demo.sqlite3", moments[-1])


def started(folder: Path, *moments: datetime) -> Path:
    """The file after these starts. One takes half a second, so those of other tests are kept."""
    *earlier, last = moments
    file = folder / ("-".join(f"{moment:%j%H%M}" for moment in moments) + ".sqlite3")
    if file.exists():
        return file
    unfinished = file.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    if earlier:
        shutil.copy(started(folder, *earlier), unfinished)
    service = open_world(unfinished, last)
    catch_up_planned(service)
    service.store.close()
    return unfinished.rename(file)


def open_world(file: Path, moment: datetime) -> SandboxService:
    store, clock = Store(file, durable=False), FrozenClock(to_instant(moment))
    if not store.is_built:
        build(store, "demo", 1, clock.today(), now=clock.now())
    return SandboxService(store, clock)


def at(hour: str, day: datetime = WINTER) -> datetime:
    return datetime.combine(day.date(), datetime.strptime(hour, "%H:%M").time(), tzinfo=UTC)  # noqa: DTZ007  only its hour


def tonight(service: SandboxService, place: SandboxRestaurant) -> list[Any]:
    now = service.clock.now()
    with service.store.reading() as db:
        return db.execute(
            "SELECT r.*, c.body AS guest FROM reservation r LEFT JOIN customer c"
            " ON c.id = r.customer_id WHERE r.restaurant_id=? AND r.meal>=? AND r.meal<?",
            (place.id, now - 5 * HOUR, now + 5 * HOUR),
        ).fetchall()


def check(service: SandboxService) -> None:
    """Everything that the first screen should have, at the first restaurant in its dinner."""
    now, place = service.clock.now(), at_dinner(service, service.clock.now())[0]
    rows = tonight(service, place)
    expected = [
        row
        for row in rows
        if row["status"] == "RECORDED" and not row["meal_status"] and row["guest"]
    ]
    assert len([row for row in rows if row["meal_status"] in ("ARRIVED", "SEATED", "BILL")]) >= 5
    assert len([row for row in expected if row["meal"] > now]) >= 5
    assert [row for row in expected if now - 50 * MINUTE < row["meal"] <= now - 15 * MINUTE]
    assert [row for row in expected if json.loads(row["guest"]).get("isVip")]
    notes = [json.loads(row["body"]).get("customerNote") for row in expected]
    assert set(notes) & set(ALLERGY_NOTES.values())
    assert [row for row in rows if row["status"] == "REQUESTED" and row["meal"] > now]
    assert bad_reviews(service, place)
    assert 5 <= open_requests(service) <= 12
    soon = [one for one in PLACES if is_next(one, now)]
    assert soon


def is_next(place: SandboxRestaurant, now: int) -> bool:
    """Whether its dinner begins within two and a half hours."""
    ahead = [dinner_minutes(place, now + minutes * MINUTE) for minutes in range(0, 151, 10)]
    return ahead[0] is None and any(ahead)


def bad_reviews(service: SandboxService, place: SandboxRestaurant) -> int:
    with service.store.reading() as db:
        return int(
            db.execute(
                "SELECT COUNT(*) FROM review WHERE restaurant_id=? AND created>?"
                " AND comment_status='PUBLISHED' AND reply_status IS NULL"
                " AND json_extract(body, '$.rating.globalRating')<5",
                (place.id, service.clock.now() - 4 * DAY),
            ).fetchone()[0]
        )


def open_requests(service: SandboxService) -> int:
    with service.store.reading() as db:
        query = "SELECT COUNT(*) FROM reservation WHERE status='REQUESTED' AND restaurant_id<=12"
        return int(db.execute(query).fetchone()[0])


@pytest.mark.parametrize("hour", HOURS)
@pytest.mark.parametrize("day", [SUMMER, WINTER])
def test_it_works_at_any_hour(tmp_path: Path, hour: str, day: datetime) -> None:
    check(start(tmp_path, at(hour, day)))


@pytest.mark.parametrize("hour", HOURS)
def test_so_does_a_later_start_at_another_hour(tmp_path: Path, hour: str) -> None:
    check(
        start(tmp_path, at("11:00") - timedelta(days=2), at("19:40") - timedelta(days=1), at(hour))
    )


@pytest.mark.parametrize("day", [SUMMER, WINTER])
def test_one_is_at_dinner_and_another_opens_soon_all_day_long(day: datetime) -> None:
    for minutes in range(0, 24 * 60, 10):
        now = to_instant(day + timedelta(minutes=minutes))
        assert [place for place in PLACES if is_at_dinner(place, now)], minutes
        assert [place for place in PLACES if is_next(place, now)], minutes


def test_boards_of_all_restaurants_open_at_the_day_of_who_is_at_dinner() -> None:
    """A dashboard opens at the service day of the first name; days begin at four."""
    first = min(PLACES, key=lambda place: place.name)
    for minutes in range(0, 24 * 60, 10):
        now = WINTER + timedelta(minutes=minutes)
        dining = [place for place in PLACES if is_at_dinner(place, to_instant(now))]
        days = {(now.astimezone(p.zone) - timedelta(hours=4)).date() for p in dining}
        assert (now.astimezone(first.zone) - timedelta(hours=4)).date() in days, minutes


def waiting_reviews(service: SandboxService) -> dict[str | None, int]:
    """Published comments of the twelve restaurants, by the state of their reply."""
    with service.store.reading() as db:
        query = (
            "SELECT reply_status, COUNT(*) FROM review WHERE comment_status='PUBLISHED'"
            " AND is_valid=1 AND restaurant_id<=12 GROUP BY reply_status"
        )
        return dict(db.execute(query).fetchall())


def test_reviews_that_wait_are_few_at_the_first_start_and_become_few_at_later_ones(
    tmp_path: Path,
) -> None:
    (first_folder := tmp_path / "first").mkdir()
    first = waiting_reviews(start(first_folder, at("17:30")))
    later = start(tmp_path, *(at("17:30") + timedelta(days=days) for days in (-6, -3, 0)))
    for _look in range(120):
        staff.reply_once(later)

    for counts in (first, waiting_reviews(later)):
        assert 10 <= counts[None] <= 30
        assert 1 <= counts["WAITING_REFORMULATE"] <= 16  # one of each reason
    check(later)


def test_a_late_party_is_late_until_it_comes(tmp_path: Path) -> None:
    service = start(tmp_path, at("17:30"))
    place = at_dinner(service, service.clock.now())[0]

    [done] = happen(service, "late_party", {"restaurant": place.uuid, "party_size": 8})
    play(service)

    [row] = [
        one
        for one in tonight(service, place)
        if UUID(bytes=one["uuid"]) == UUID(done["reservation"])
    ]
    assert row["meal_status"] is None
    assert service.clock.now() - row["meal"] >= 20 * MINUTE


def test_nothing_lies_in_the_future(tmp_path: Path) -> None:
    service = start(tmp_path, at("17:30"))
    now = service.clock.now()
    with service.store.reading() as db:
        for table in ("customer", "reservation", "review"):
            latest = db.execute(f"SELECT MAX(created), MAX(updated) FROM {table}").fetchone()  # noqa: S608  a name from the line above
            assert max(latest) <= now


def test_an_open_request_is_answered_before_its_meal(tmp_path: Path) -> None:
    service = start(tmp_path, at("17:30"))
    place = at_dinner(service, service.clock.now())[0]
    request = next(row for row in tonight(service, place) if row["status"] == "REQUESTED")

    service.clock.set(request["meal"] - 10 * MINUTE)
    answer_in_time(service)

    [status] = [row["status"] for row in tonight(service, place) if row["id"] == request["id"]]
    assert status == "RECORDED"


def test_towns_money_and_telephones_fit() -> None:
    for place in PLACES:
        assert place.country in FICTION
        assert place.phone.startswith(FICTION[place.country].partition("{")[0])
    assert len({place.timezone for place in PLACES}) == 12
    assert len({place.currency for place in PLACES}) >= 9


def test_guests_go_where_they_are_known(tmp_path: Path) -> None:
    found = answers(start(tmp_path, at("09:00")).store)

    homes = {guest["customerUuid"]: guest["originRestaurantUuid"] for guest in found["customer"]}
    visits = [b for b in found["reservation"] if b["customerUuid"] in homes]
    assert len(visits) > 300
    assert all(homes[visit["customerUuid"]] == visit["restaurantUuid"] for visit in visits)
