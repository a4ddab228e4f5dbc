"""Every enum word of the contract has a label of ours, in every language."""

from collections.abc import Collection

import pytest
from django.conf import settings
from django.utils.translation import override

from customers.models import CIVILITIES, RANKS
from lib.labels import Labels
from partner.wording import vocabulary
from phone.milestones import LABELS as MILESTONES
from reservations.words import (
    CHANNELS,
    GUARANTEES,
    MEAL_STATUSES,
    MENU_TYPES,
    OFFER_TYPES,
    STATUSES,
    UTM_KEYS,
)
from reviews.models import PUBLICATION_STATUSES
from reviews.moderation.reasons import LABELS as REASONS
from reviews.ratings import OCCASIONS, SCALES
from webhooks.events import EVENT_LABELS, KNOWN

PRICES, WAITING_TIMES, NOISE_LEVELS = (words for _column, _label, words in SCALES.values())
ENUMS: dict[str, tuple[Collection[str], Labels]] = {
    "civilities": (vocabulary.CIVILITIES, CIVILITIES),
    "ranks": (vocabulary.RANKS, RANKS),
    "statuses": (vocabulary.STATUSES, STATUSES),
    "meal statuses": (vocabulary.MEAL_STATUSES, MEAL_STATUSES),
    "channels": (vocabulary.CHANNELS, CHANNELS),
    "offer types": (vocabulary.OFFER_TYPES, OFFER_TYPES),
    "menu types": (vocabulary.MENU_TYPES, MENU_TYPES),
    "guarantees": (vocabulary.GUARANTEES, GUARANTEES),
    "UTM keys": (vocabulary.UTM_KEYS, UTM_KEYS),
    "publication statuses": (vocabulary.PUBLICATION_STATUSES, PUBLICATION_STATUSES),
    "prices": (vocabulary.PRICES, PRICES),
    "waiting times": (vocabulary.WAITING_TIMES, WAITING_TIMES),
    "noise levels": (vocabulary.NOISE_LEVELS, NOISE_LEVELS),
    "occasions": (vocabulary.OCCASIONS, OCCASIONS),
    "moderation reasons": (vocabulary.COMMENT_REASONS | vocabulary.REPLY_REASONS, REASONS),
    "milestones": (vocabulary.MILESTONES, MILESTONES),
    "events": (set().union(*KNOWN.values()), EVENT_LABELS),
}


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
@pytest.mark.parametrize("enum", ENUMS)
def test_every_word_has_a_label(enum, language):
    words, labels = ENUMS[enum]

    with override(language):
        shown = {word: str(labels[word]) for word in words}

    assert [word for word, label in shown.items() if "_" in label or not label] == []


def test_no_enum_of_the_contract_is_forgotten():
    """Two are for machines: how a call went has words of ours, a field's type is never shown."""
    enums = {name for name in vars(vocabulary) if name.isupper()}

    assert len(enums - {"CALL_STATUSES", "FIELD_TYPES"}) == len(ENUMS)
