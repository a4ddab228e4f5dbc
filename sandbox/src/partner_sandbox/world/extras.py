"""What a booking may carry beside its party: the campaign that led to it, answers to questions."""

from random import Random
from typing import Any

CAMPAIGNS = ("newsletter", "autumn", "instagram", "partner-page", "city-guide")
MEDIUMS = ("social", "email", "cpc", "referral")
SEASONS = ("spring-terrace", "new-menu", "twelve-nights", "harvest-week")
OCCASIONS = ("Birthday", "Anniversary", "Business", "First visit")


def campaign(luck: Random) -> list[dict[str, Any]]:
    return [
        {"key": "utm_source", "value": luck.choice(CAMPAIGNS)},
        {"key": "utm_medium", "value": luck.choice(MEDIUMS)},
        {"key": "utm_campaign", "value": luck.choice(SEASONS)},
    ]


def custom_field(luck: Random, size: int) -> dict[str, Any]:
    """One answer; high chairs are for parties that may have children."""
    fields = [_occasion_field, _dog_field, *([_chairs_field] if size > 2 else [])]
    return luck.choice(fields)(luck)


def _occasion_field(luck: Random) -> dict[str, Any]:
    return {
        "labelUuid": "6f1c2f0a-58b1-4c55-9a57-2f6a9d7b3e10",
        "label": "Occasion",
        "type": "string",
        "value": luck.choice(OCCASIONS),
        "valueUuid": "0c9b7f6e-1f0d-4f3b-8a66-8e2f5c4d7a21",
    }


def _dog_field(luck: Random) -> dict[str, Any]:
    return {
        "labelUuid": "2b6d9f31-7c0e-4f7b-8f0d-5d1c3b9e4a12",
        "label": "Brings a dog",
        "type": "boolean",
        "value": luck.random() < 0.5,
        "valueUuid": None,
    }


def _chairs_field(luck: Random) -> dict[str, Any]:
    return {
        "labelUuid": "9a4e7c50-3b1d-4d6f-9c28-71e0f5b8d634",
        "label": "High chairs",
        "type": "integer",
        "value": luck.randint(1, 3),
        "valueUuid": None,
    }
