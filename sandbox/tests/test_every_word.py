"""The small world holds every enum word and every form that the contract lists."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from cast import Cast
from partner_sandbox import vocabulary
from partner_sandbox.control.description import FILE
from partner_sandbox.store import Store
from partner_sandbox.world.answers import answers, values_at
from partner_sandbox.world.build import build


def values_of(world: Any, name: str) -> list[Any]:
    return list(values_at(world, name.split(".")))


@pytest.fixture(scope="module")
def world(built_world: Path) -> Iterator[dict[str, list[Any]]]:
    store = Store(built_world)
    yield answers(store)
    store.close()


def missing(world: dict[str, list[Any]]) -> dict[str, set[str]]:
    names = [name for name in vocabulary.IN_ANSWERS if not name.startswith("timeslot.")]
    found = {name: set(values_of(world, name)) for name in names}
    lacking = {name: set(vocabulary.IN_ANSWERS[name]) - found[name] for name in names}
    return {name: words for name, words in lacking.items() if words}


def test_the_small_world_holds_every_word(world: dict[str, list[Any]]) -> None:
    assert missing(world) == {}


@pytest.mark.parametrize("size", ["tiny", "small"])
@pytest.mark.parametrize(
    ("seed", "day"), [(1, date(2026, 1, 1)), (42, date(2028, 2, 29)), (99, date(2027, 7, 12))]
)
def test_so_does_one_of_any_other_seed_and_day(
    tmp_path: Path, seed: int, day: date, size: str
) -> None:
    store = Store(tmp_path / "other.sqlite3")
    build(store, size, seed, day)

    assert missing(answers(store)) == {}
    store.close()


def test_it_says_no_word_that_the_contract_does_not(world: dict[str, list[Any]]) -> None:
    for name, words in vocabulary.IN_ANSWERS.items():
        assert set(values_of(world, name)) <= {*words, None}


def test_its_time_slots_ask_for_both_guarantees(cast: Cast) -> None:
    days = [f"2026-10-{day}" for day in range(22, 29)]
    slots = [
        slot
        for day in days
        for place in (cast.mirabeau, cast.octave)
        for slot in cast.slots(day, place)
    ]

    kinds = set(values_of({"timeslot": slots}, "timeslot.guaranteeRequirementList.guaranteeType"))
    assert kinds == set(vocabulary.GUARANTEES)


@pytest.mark.parametrize(
    ("name", "is_odd"),
    [
        ("reservation.customerNote", lambda text: text and len(text) > 1000),
        ("reservation.restaurantNote", lambda text: text and 1000 < len(text) <= 3000),
        ("reservation.mealDate", lambda date: date is None),
        ("reservation.createdAt", lambda date: date is None),
        ("reservation.billAmount.totalPrice", lambda total: total and round(total, 2) != total),
        ("reservation.customFields", lambda fields: fields == []),
        ("reservation.customFields.value", lambda value: value is True),
        ("reservation.customFields.value", lambda value: value is False),
        ("reservation.customFields.value", lambda value: type(value) is int),
        ("reservation.offerDetails.name", lambda names: names is None),
        ("customer.customFields.value", lambda value: value is True),
        ("customer.customFields.value", lambda value: value == ""),
        ("customer.customFields.valueUuid", lambda uuid: uuid),
        ("customer.locale", lambda locale: locale == "pt_BR"),
        ("customer.email", lambda email: email is None),
        ("customer.isVip", lambda flag: flag is None),
        ("review.comment", lambda comment: comment is None),
        ("review.comment.language", lambda language: language is None),
        ("review.experienceDetail", lambda detail: detail is None),
        ("review.isValid", lambda flag: flag is False),
    ],
)
def test_it_holds_every_form(world: dict[str, list[Any]], name: str, is_odd: Any) -> None:
    *path, last = name.split(".")
    holders = values_at(world, path) if path != ["review"] else iter(world["review"])
    found = [one[last] for one in holders if isinstance(one, dict) and last in one]

    assert any(is_odd(value) for value in found)


def test_a_published_comment_may_have_a_reason(world: dict[str, list[Any]]) -> None:
    comments = [review["comment"] for review in world["review"] if review["comment"]]
    reasons = {c["moderationReason"] for c in comments if c["publicationStatus"] == "PUBLISHED"}

    assert set(vocabulary.PUBLISHED_REASONS) <= reasons


def enums_in(node: Any) -> Iterator[frozenset[Any]]:
    if isinstance(node, dict):
        if isinstance(node.get("enum"), list):
            yield frozenset(word for word in node["enum"] if word is not None)
        node = list(node.values())
    if isinstance(node, list):
        for inside in node:
            yield from enums_in(inside)


def test_the_description_has_the_same_words() -> None:
    described = set(enums_in(yaml.safe_load(FILE.read_text())))
    listed = {frozenset(words) for words in vocabulary.IN_ANSWERS.values()}

    assert listed <= described
    assert {frozenset(vocabulary.CALL_STATUSES), frozenset(vocabulary.MILESTONES)} <= described
