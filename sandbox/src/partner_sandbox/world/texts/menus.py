"""Offers: promotions and preset menus, in the languages of the guests."""

from collections.abc import Iterator
from typing import Any

from partner_sandbox.dice import named_uuid
from partner_sandbox.entities.directory import Offer
from partner_sandbox.world.places import Place

Texts = dict[str, str]

HALF: Texts = {
    "en_GB": "20% off the bill",
    "fr_FR": "20 % sur l'addition",
    "es_ES": "20 % de descuento en la cuenta",
    "it_IT": "20% di sconto sul conto",
    "de_DE": "20 % auf die Rechnung",
}
DAILY: Texts = {
    "en_GB": "Menu of the day, 2 courses",
    "fr_FR": "Menu du jour, 2 plats",
    "es_ES": "Menú del día, 2 platos",
    "it_IT": "Menù del giorno, 2 portate",
    "de_DE": "Tagesmenü, 2 Gänge",
}
TASTING: Texts = {
    "en_GB": "Tasting menu, 5 courses",
    "fr_FR": "Menu dégustation, 5 services",
    "es_ES": "Menú degustación, 5 pases",
    "it_IT": "Menù degustazione, 5 portate",
    "de_DE": "Degustationsmenü, 5 Gänge",
}
KITCHEN: Texts = {
    "en_GB": "An evening at the kitchen counter",
    "fr_FR": "Une soirée au comptoir de la cuisine",
    "es_ES": "Una noche en la barra de la cocina",
    "it_IT": "Una serata al bancone della cucina",
    "de_DE": "Ein Abend am Küchentresen",
}
GROUPS: Texts = {
    "en_GB": "Group menu from 6 guests",
    "fr_FR": "Menu groupe dès 6 personnes",
    "es_ES": "Menú de grupo desde 6 personas",
    "it_IT": "Menù per gruppi da 6 persone",
    "de_DE": "Gruppenmenü ab 6 Personen",
}
BRUNCH: Texts = {
    "en_GB": "Sunday brunch",
    "fr_FR": "Brunch du dimanche",
    "es_ES": "Brunch del domingo",
    "it_IT": "Brunch della domenica",
    "de_DE": "Sonntagsbrunch",
}
CARD_HOLDERS: Texts = {
    "en_GB": "Four courses for holders of the Meridian card",
    "fr_FR": "Quatre services pour les porteurs de la carte Meridian",
    "es_ES": "Cuatro platos para titulares de la tarjeta Meridian",
    "it_IT": "Quattro portate per i titolari della carta Meridian",
    "de_DE": "Vier Gänge für Inhaber der Meridian-Karte",
}
NO_DRINKS: Texts = {
    "en_GB": "Without drinks",
    "fr_FR": "Hors boissons",
    "es_ES": "Bebidas no incluidas",
    "it_IT": "Bevande escluse",
    "de_DE": "Ohne Getränke",
}


def offers(seed: int, number: int, place: Place, days: tuple[int, ...]) -> Iterator[Offer]:
    for row in _rows(place.bill):
        if number % 4 != row.pop("absent"):
            weekdays = tuple(day for day in row.pop("weekdays") if day in days)
            name = row["names"]["en_GB"]
            uuid = named_uuid(seed, "offer", number, name)
            yield Offer(uuid=uuid, weekdays=weekdays, **row)


def _rows(bill: float) -> list[dict[str, Any]]:
    """`absent` is the remainder of the restaurant number, divided by 4, that goes without."""
    return [
        {
            "kind": "promotion",
            "names": HALF,
            "descriptions": {},
            "discount": 20,
            "weekdays": (0, 1, 2, 3),
            "services": ("lunch", "dinner"),
            "sizes": (1, 6),
            "per_day": 30,
            "absent": 3,
        },
        {
            "kind": "presetMenu",
            "names": DAILY,
            "descriptions": NO_DRINKS,
            "price": round(bill * 0.5),
            "preset_type": "of_the_day",
            "weekdays": (0, 1, 2, 3, 4),
            "services": ("lunch",),
            "sizes": (1, 8),
            "per_day": 40,
            "absent": 9,
        },
        {
            "kind": "presetMenu",
            "names": TASTING,
            "descriptions": NO_DRINKS,
            "price": round(bill * 1.6) + 0.5,
            "preset_type": "generic",
            "weekdays": (1, 2, 3, 4, 5, 6),
            "services": ("dinner", "tasting"),
            "sizes": (1, 6),
            "per_day": 12,
            "absent": 2,
        },
        {
            "kind": "presetMenu",
            "names": KITCHEN,
            "descriptions": {},
            "price": round(bill * 2.1),
            "preset_type": "experience",
            "weekdays": (3, 4, 5),
            "services": ("dinner",),
            "sizes": (2, 4),
            "per_day": 3,
            "absent": 0,
        },
        {
            "kind": "presetMenu",
            "names": GROUPS,
            "descriptions": NO_DRINKS,
            "price": round(bill * 1.1),
            "preset_type": "group",
            "weekdays": (0, 1, 2, 3, 4, 5, 6),
            "services": ("lunch", "dinner"),
            "sizes": (6, 12),
            "per_day": 6,
            "absent": 1,
        },
        {
            "kind": "presetMenu",
            "names": BRUNCH,
            "descriptions": NO_DRINKS,
            "price": round(bill * 0.7),
            "preset_type": "brunch",
            "weekdays": (6,),
            "services": ("lunch",),
            "sizes": (1, 8),
            "per_day": 20,
            "absent": 9,
        },
        {
            "kind": "presetMenu",
            "names": CARD_HOLDERS,
            "descriptions": {},
            "price": round(bill * 1.3),
            "preset_type": "card_brand",
            "weekdays": (0, 1, 2, 3, 6),
            "services": ("dinner",),
            "sizes": (1, 4),
            "per_day": 6,
            "absent": 3,
        },
    ]
