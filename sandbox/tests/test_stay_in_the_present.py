"""Nothing that has not happened yet is there: at any hour of the first start, and days later."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cast import ANCHOR
from partner_sandbox.clock import HOUR, MINUTE, FrozenClock, to_instant
from partner_sandbox.life.living import catch_up_planned
from partner_sandbox.service import SandboxService
from partner_sandbox.store import Store
from partner_sandbox.world.answers import Answers, answers

HOURS = ("00:30", "05:00", "09:00", "13:00", "17:30", "22:30")
MOMENTS = ("createdAt", "updatedAt", "createdTs", "updatedTs", "publishedTs")


@pytest.fixture(scope="module")
def after_one_start(built_world: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The world of the day of every first start; the hour changes nothing of what is built."""
    file = tmp_path_factory.mktemp("after_one_start") / "world.sqlite3"
    shutil.copy(built_world, file)
    start(file, at("11:00")).close()
    return file


def start(file: Path, moment: datetime) -> Store:
    store = Store(file, durable=False)
    catch_up_planned(SandboxService(store, FrozenClock(to_instant(moment))))
    return store


def started(before: Path, folder: Path, moment: datetime) -> tuple[Answers, int]:
    """What a copy of the world holds after a start at this moment, and the moment."""
    shutil.copy(before, file := folder / "world.sqlite3")
    store = start(file, moment)
    found = answers(store)
    store.close()
    return found, to_instant(moment)


def at(hour: str, *, days: int = 0) -> datetime:
    day = ANCHOR + timedelta(days=days)
    return datetime.fromisoformat(f"{day}T{hour}").replace(tzinfo=UTC)


def instants_in(node: Any) -> Iterator[tuple[str, int]]:
    if isinstance(node, list):
        for one in node:
            yield from instants_in(one)
    elif isinstance(node, dict):
        for name, value in node.items():
            if name in MOMENTS and value:
                yield name, to_instant(datetime.fromisoformat(value))
            else:
                yield from instants_in(value)


def meal_of(booking: Any) -> int:
    return to_instant(datetime.fromisoformat(booking["mealDate"]))


def check(found: Answers, now: int) -> None:
    assert [(name, moment) for name, moment in instants_in(found) if moment > now] == []
    dated = [booking for booking in found["reservation"] if booking["mealDate"]]
    to_come = [booking for booking in dated if meal_of(booking) > now]
    assert len(to_come) > 100
    assert {booking["status"] for booking in to_come} <= {"RECORDED", "REQUESTED", "CANCELED"}
    assert not [booking for booking in to_come if booking["billAmount"]]
    # Some arrive early, some are seated early; nobody has eaten before the meal.
    soon = [b for b in to_come if b["mealStatus"]]
    assert all(meal_of(b) < now + 45 * MINUTE for b in soon)
    assert all(b["mealStatus"] not in ("BILL", "LEFT") for b in soon)
    assert not [b for b in dated if b["mealStatus"] == "LEFT" and meal_of(b) > now - 20 * MINUTE]
    reviewed = [
        to_instant(datetime.fromisoformat(r["reservation"]["mealDate"]))
        for r in found["review"]
        if r["reservation"]["mealDate"]
    ]
    assert max(reviewed) < now - HOUR


@pytest.mark.parametrize("hour", HOURS)
def test_it_works_at_any_hour_of_the_first_start(
    built_world: Path, tmp_path: Path, hour: str
) -> None:
    check(*started(built_world, tmp_path, at(hour)))


@pytest.mark.parametrize("hour", HOURS)
def test_so_does_a_start_after_some_days(after_one_start: Path, tmp_path: Path, hour: str) -> None:
    check(*started(after_one_start, tmp_path, at(hour, days=3)))


def test_days_without_a_start_are_as_full_as_others(after_one_start: Path, tmp_path: Path) -> None:
    found, _now = started(after_one_start, tmp_path, at("11:00", days=10))

    parties = [b["mealDate"][:10] for b in found["reservation"] if b["mealDate"]]
    numbers = [parties.count(f"{ANCHOR + timedelta(days=n)}") for n in range(-5, 10)]
    assert min(numbers) > 0.8 * max(numbers)
