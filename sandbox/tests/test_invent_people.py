"""Guests, notes and reviews that could be true."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from partner_sandbox.dice import dice
from partner_sandbox.store import Store
from partner_sandbox.vocabulary import CIVILITIES, NOISE_LEVELS, PRICES, WAITING_TIMES
from partner_sandbox.world.answers import Answers, answers
from partner_sandbox.world.opinions import BAD, MARKS, SCALES, tone_of
from partner_sandbox.world.texts import names, notes
from partner_sandbox.world.texts.sentences import LANGUAGES


@pytest.fixture(scope="module")
def world(built_world: Path) -> Iterator[Answers]:
    store = Store(built_world)
    yield answers(store)
    store.close()


@pytest.fixture(scope="module")
def comments(world: Answers) -> list[tuple[str, Any]]:
    found = [review for review in world["review"] if review["comment"]]
    return [(review["comment"]["content"], review["dinerRating"]) for review in found]


def test_it_works(world: Answers) -> None:
    found = {(guest["firstName"], guest["lastName"]) for guest in world["customer"]}

    assert len(found) >= 3000
    assert Counter(guest["firstName"] for guest in world["customer"]).most_common(1)[0][1] < 60


def test_a_title_fits_the_name(world: Answers) -> None:
    titled = [guest for guest in world["customer"] if guest["civility"]]

    assert {guest["civility"] for guest in titled} == set(CIVILITIES)
    as_written = {guest["firstName"] for guest in titled if not guest["firstName"].isupper()}
    assert not [
        guest
        for guest in titled
        if guest["firstName"] in as_written
        and not names.fits(guest["civility"], guest["firstName"])
    ]
    assert not names.fits("mrs", "Alfie")


def test_a_name_fits_the_language_and_the_country(world: Answers) -> None:
    def known(guest: Any) -> frozenset[str]:
        language = "hi" if guest["locale"] == "en_IN" else guest["locale"][:2]
        return frozenset(names.WOMEN.get(language, ()) + names.MEN.get(language, ()))

    odd = [guest for guest in world["customer"] if guest["firstName"] not in known(guest)]

    # Eight whose languages test what a screen does with a rare one, two with a typing mistake.
    assert len(odd) <= 10
    countries = {(g["locale"], g["country"]) for g in world["customer"] if g["address"]}
    assert ("fr_FR", "FR") in countries
    assert not [pair for pair in countries if pair == ("fr_FR", "JP")]


def test_texts_are_many_and_in_five_languages(world: Answers, comments: Any) -> None:
    texts = Counter(text for text, _rating in comments)

    assert len(texts) > 0.85 * len(comments)
    assert {r["comment"]["language"] for r in world["review"] if r["comment"]} >= set(LANGUAGES)


def topics_of(text: str) -> set[str]:
    """What a text speaks of, by its sentences."""
    return {
        topic
        for sentences in LANGUAGES.values()
        for topic, choices in sentences.items()
        if any(choice in text for choice in choices)
    }


def agree(text: str, rated: Any) -> bool:
    topics = topics_of(text)
    for name, topic in MARKS:
        if f"{topic}_good" in topics and not (rated[name] and rated[name] >= 8):
            return False
        if f"{topic}_poor" in topics and not (rated[name] is not None and rated[name] <= 5):
            return False
    for name, scale, (low, high) in SCALES:
        if low in topics and rated[name] not in scale[:2]:
            return False
        if high in topics and rated[name] not in scale[3:]:
            return False
    return tone_of(rated) in topics


def test_a_text_says_what_its_ratings_say(comments: Any) -> None:
    assert [text for text, rated in comments if not agree(text, rated)] == []


def test_every_sentence_has_its_topic_in_each_language() -> None:
    assert len({frozenset(sentences) for sentences in LANGUAGES.values()}) == 1
    assert set(BAD) <= set(LANGUAGES["en"])
    scales = [scale for _name, scale, _words in SCALES]
    assert scales == [WAITING_TIMES, NOISE_LEVELS, PRICES]


def test_three_guests_have_a_second_profile(world: Answers) -> None:
    seconds = [guest for guest in world["customer"] if (guest["email"] or "").startswith("2.")]

    assert len(seconds) == 3
    for second in seconds:
        [first] = [g for g in world["customer"] if g["email"] == second["email"][2:]]
        assert first["phone"] == second["phone"]
        assert {first["firstName"].upper(), first["lastName"].upper()} == {
            second["firstName"].upper(),
            second["lastName"].upper(),
        }


def test_an_occasion_fits_the_party(world: Answers) -> None:
    sizes = {b["reservationUuid"]: b["partySize"] for b in world["reservation"]}
    alone = [
        sizes[review["reservation"]["reservationUuid"]]
        for review in world["review"][100:]
        if review["experienceDetail"] and review["experienceDetail"]["occasion"] == "ALONE"
    ]

    assert alone
    assert alone.count(1) >= len(alone) - 1  # one is changed to have every word


def test_a_note_fits_the_party(world: Answers) -> None:
    limits = {
        text: (least, most) for kind in notes.GUEST_NOTES.values() for least, most, text in kind
    }
    noted = [b for b in world["reservation"] if b["customerNote"] in limits]

    assert len({b["customerNote"] for b in noted}) > 40
    for booking in noted:
        least, most = limits[booking["customerNote"]]
        assert least <= booking["partySize"] <= most


@pytest.mark.parametrize("size", range(1, 13))
def test_each_language_has_a_note_for_every_party(size: int) -> None:
    luck = dice("notes", size)

    for language in notes.GUEST_NOTES:
        assert notes.guest_note(luck, language, size)
    assert notes.staff_note(luck, "fr", size)
    assert json.dumps(notes.guest_note(luck, "xx", size)).isascii()
