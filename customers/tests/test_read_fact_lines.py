"""The readable page of a guest's export: labels instead of the service's keys and words."""

import pytest
from django.utils.translation import override

from customers import personal_data
from customers.fact_lines import FactLines
from customers.privacy import archive

pytestmark = pytest.mark.once


def lines_of(name: str, facts: object) -> dict[str, str]:
    lines = next((one.lines for one in personal_data.PROVIDERS if one.name == name), archive.LINES)
    with override("fr"):
        return dict(lines.of(facts))


def test_it_works():
    guest = {"civility": "mr", "isVip": True, "locale": "pt_BR", "riskLevel": ["caution"]}

    assert lines_of("guest", guest) == {
        "Civilité": "M.",
        "VIP": "Oui",
        "Langue": "Portugais brésilien",
        "Risque": "Vigilance",
    }


def test_a_booking_is_in_words():
    booking = {
        "status": "NO_SHOW",
        "mealDate": "2026-12-04T20:15:00+01:00",
        "offerDetails": {"offerType": "promotion", "name": {"fr_FR": "Menu"}},
        "customFields": [{"label": "Chien", "type": "boolean", "value": False}],
        "utmTrackingInformation": [{"key": "utm_source", "value": "letter"}],
    }

    assert lines_of("bookings", booking) == {
        "Statut": "Non venu",
        "Heure": "4 décembre 2026 20:15",
        "Offre › Type": "Promotion",
        "Offre › Nom › Français": "Menu",
        "Champs personnalisés 1 › Chien": "Non",
        "Campagne 1 › Source de la campagne": "letter",
    }


def test_a_change_is_in_words():
    change = {"field": "meal_status", "from": "", "to": "SEATED"}

    assert lines_of("bookings", change) == {"Quoi": "Arrivée", "Avant": "–", "Après": "À table"}


def test_a_review_is_in_words():
    review = {
        "dinerRating": {"priceEvaluation": "VERY_EXPENSIVE", "globalRating": 8.0},
        "comment": {"language": "en", "moderationReason": "REFORMULATE_CAPITAL_LETTERS"},
    }

    assert lines_of("reviews", review) == {
        "Notes › Prix": "Très cher",
        "Notes › Note": "8",
        "Commentaire › Langue": "Anglais",
        "Commentaire › Motif de la modération": "Tout en majuscules.",
    }


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("2026-13-45", "2026-13-45"),
        ("2026-12-04T99:99 or so", "2026-12-04T99:99 or so"),
        (None, "–"),
        ("", "–"),
        ([], "–"),
        ("NOT_AN_ENUM_HERE", "NOT_AN_ENUM_HERE"),
    ],
)
def test_free_text_stays_as_it_was_written(value, shown):
    assert list(FactLines().of(value, "path", "notes")) == [("path", shown)]
