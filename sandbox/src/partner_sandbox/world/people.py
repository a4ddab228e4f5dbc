"""Invented guests from many countries, with everything a profile may hold and mostly does not."""

import json
import unicodedata
from dataclasses import dataclass
from random import Random
from typing import Any

from partner_sandbox.dice import named_uuid
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.vocabulary import CIVILITIES, RANKS
from partner_sandbox.world.places import FICTION, fictitious
from partner_sandbox.world.texts.names import fits, full_name

LOCALES = {
    "fr": ("fr_FR", "FR"), "en": ("en_GB", "GB"), "es": ("es_ES", "ES"), "it": ("it_IT", "IT"),
    "de": ("de_DE", "DE"), "nl": ("nl_NL", "NL"), "pt": ("pt_PT", "PT"), "pl": ("pl", "PL"),
    "ja": ("ja", "JP"), "ar": ("ar_AE", "AE"), "vi": ("vi", "VN"), "zh": ("zh_SG", "SG"),
    "hi": ("en_IN", "IN"),
}  # fmt: skip
GUESTS_OF = {  # what one hears at the tables of a country
    "FR": ("fr",) * 11 + ("en", "en", "es", "it", "de", "de", "nl", "pt", "ja", "ar", "vi", "pl"),
    "GB": ("en",) * 12 + ("fr", "fr", "es", "it", "de", "nl", "pl", "pl", "ja", "ar", "pt", "hi"),
    "US": ("en",) * 12 + ("es", "es", "fr", "it", "vi", "ja", "de", "ar"),
    "ES": ("es",) * 11 + ("en", "en", "fr", "de", "it", "pt", "nl"),
    "IT": ("it",) * 11 + ("en", "en", "fr", "de", "es", "nl", "ja"),
    "DO": ("es",) * 14 + ("en", "en", "it", "fr", "de", "pt"),
    "MX": ("es",) * 14 + ("en", "en", "en", "fr", "it"),
    "NC": ("fr",) * 14 + ("en", "en", "ja", "vi", "it"),
    "RE": ("fr",) * 16 + ("en", "de", "zh", "hi"),
    "JP": ("ja",) * 12 + ("en", "en", "fr", "zh", "de"),
    "SG": ("zh",) * 8 + ("en",) * 6 + ("hi", "hi", "fr", "ja", "de", "vi"),
    "AE": ("en",) * 6 + ("ar",) * 6 + ("hi",) * 3 + ("fr", "de", "it"),
    "CA": ("fr",) * 9 + ("en",) * 6 + ("es", "it", "vi", "zh"),
}
ELSEWHERE = ("en",) * 6 + ("de", "fr", "nl", "pt", "es", "it")

ALLERGIES = [
    "Nuts",
    "Peanuts",
    "Gluten",
    "Lactose",
    "Shellfish",
    "Eggs",
    "Fish",
    "Sesame",
    "Soy",
    "Celery",
    "Mustard",
    "Sulphites",
]
DIETS = ["Vegetarian", "Vegan", "Pescatarian", "Halal", "Kosher", "No pork", "Low salt"]
SPENDING = ["Wine lover", "High spender", "Tasting menu", "By the glass", "Shares dishes"]
RELATIONS = ["Regular", "Neighbour", "Friend of the house", "Press", "Supplier", "Hotel guest"]
OTHER = ["Prefers calls", "Pushchair", "Wheelchair", "Guide dog", "Speaks softly"]
FOOD = ["Sole meunière", "Risotto", "Anything with truffle", "Roast lamb", "Aubergine"]
DRINKS = ["Dry cider", "Old Burgundy", "Negroni", "Sparkling water", "Alcohol-free beer"]
SEATING = ["window", "terrace", "bar", "quiet corner", "booth", "near the kitchen"]
NOTES = {  # in the language of those who write them
    "en": (
        "Always arrives early, give the window table if free.",
        "Complained about noise last spring; offered a dessert.",
        "Drinks no wine, likes the house lemonade.",
        "Left-handed, set the place accordingly.",
    ),
    "fr": (
        "Préfère être servi par Solène. Ne pas proposer l'apéritif.",
        "Arrive toujours en avance, table près de la fenêtre.",
        "Connaît bien la cave, envoyer le sommelier.",
    ),
    "es": (
        "Pide siempre la mesa del fondo, lejos de la puerta.",
        "Viene con sus padres los domingos.",
        "Le gusta saludar al cocinero.",
    ),
    "it": ("Festeggia qui l'anniversario di matrimonio ogni anno.", "Niente formaggio sui primi."),
    "de": ("Möchte keine Musik in der Nähe. Zahlt immer bar.", "Kommt oft mit Kunden."),
    "ja": ("カウンター席がお好み。", "日本酒は辛口。"),
}
COMPUTED = ("Newcomer", "Familiar", "Regular", "Ambassador")
# Towns, a street and its postcode, as they are written in a country; every # is a digit.
TOWNS = {
    "FR": (("Sainte-Colombe", "Vieux-Moulin", "Rochebrune"), "{} rue des Tilleuls", "3####"),
    "GB": (("Nether Wallop", "Little Marsham", "Oakhampton"), "{} Orchard Lane", "QX# #ZZ"),
    "US": (("Cedar Falls", "Maple Grove", "Fairhaven"), "{} Chestnut Street", "0####"),
    "ES": (("Villarcayo", "Puebla del Rey", "Fuenteclara"), "Calle del Olmo, {}", "4####"),
    "IT": (("Borgosole", "Castelverde", "Montefiore"), "Via dei Mandorli, {}", "5####"),
    "DE": (("Lindenau", "Altenbruch", "Schönwalde"), "Kastanienweg {}", "9####"),
    "JP": (("緑ヶ丘", "桜町"), "三丁目{}番", "###-####"),
    "CA": (("Saint-Aubin", "Lac-des-Érables"), "{}, rue des Érables", "H#X #K#"),
    "DO": (("Villa Esperanza", "Las Ceibas"), "Calle Flamboyán {}", "1####"),
    "MX": (("San Jacinto", "Valle Claro"), "Calle Bugambilia {}", "0####"),
}
# Digits of the country's code with its plus, where they are not three.
CODES = {"US": 2, "CA": 2, "DO": 2, "PT": 4, "AE": 4, "NC": 4, "RE": 4}


@dataclass(frozen=True)
class NewGuest:
    email: str | None
    phone: str | None
    language: str
    body: dict[str, Any]

    @property
    def text(self) -> str:
        return json.dumps(self.body, ensure_ascii=False)


def guest(luck: Random, seed: int, number: int, place: SandboxRestaurant) -> NewGuest:
    """One profile of somebody who first comes to this restaurant."""
    language = luck.choice(GUESTS_OF.get(place.country, ELSEWHERE))
    first, last, sex = full_name(luck, language)
    locale, country = LOCALES[language]
    if place.locale.startswith(language):
        locale, country = place.locale, place.country
    body: dict[str, Any] = {
        "firstName": first,
        "lastName": last,
        "locale": locale,
        "originRestaurantUuid": place.uuid,
        "originRestaurantName": place.name,
    }
    _describe(luck, body, sex)
    if luck.random() < 0.3:
        _add_preferences(luck, seed, body, place)
    if luck.random() < 0.3:
        _add_address(luck, body, country)
    spelt = f"{_plain(first)}.{_plain(last)}.{number}".replace("..", "").lstrip(".")
    email = f"{spelt}@example.{'com' if luck.random() < 0.7 else 'org'}"
    phone = spelt_phone(luck, country, number)
    if luck.random() < 0.05:
        body["secondaryPhone"] = spelt_phone(luck, place.country, number + 13)
    has_email = luck.random() < 0.93
    return NewGuest(email if has_email else None, phone, language, body)


def _plain(name: str) -> str:
    """Without accents, for an address; names in other scripts give none."""
    letters = unicodedata.normalize("NFKD", name.lower())
    return "".join(c for c in letters if c.isascii() and c.isalpha())


def _describe(luck: Random, body: dict[str, Any], sex: str) -> None:
    chance = luck.random()
    if chance < 0.75:
        body["civility"] = "mr" if sex == "m" else "mrs" if chance < 0.5 else "ms"
    elif chance < 0.8:
        rare = CIVILITIES[3:]  # Mr, Mrs and Ms are common
        body["civility"] = luck.choice([word for word in rare if fits(word, body["firstName"])])
    body["isVip"] = luck.random() < 0.05
    if luck.random() < 0.9:
        body["isPromoter"] = luck.random() < 0.02
    if luck.random() < 0.12:
        body["rank"] = luck.choice(RANKS)
        if body["rank"] == "caution":
            body["riskLevel"] = ["caution"]
    if luck.random() < 0.3:
        body["optins"] = {"restaurantNewsletter": True}


def _add_preferences(
    luck: Random, seed: int, body: dict[str, Any], place: SandboxRestaurant
) -> None:
    body["computedRank"] = luck.choice(COMPUTED)
    if luck.random() < 0.35:
        body["allergiesAndIntolerances"] = luck.sample(ALLERGIES, luck.choice((1, 1, 1, 2, 3)))
    for name, share, tags in (
        ("dietaryRestrictions", 0.25, DIETS),
        ("spendingBehaviour", 0.2, SPENDING),
        ("customerRelationship", 0.25, RELATIONS),
        ("otherTags", 0.15, OTHER),
    ):
        if luck.random() < share:
            body[name] = luck.sample(tags, luck.choice((1, 1, 2)))
    for name, share, words in (
        ("favFood", 0.15, FOOD),
        ("favDrinks", 0.15, DRINKS),
        ("notes", 0.3, notes_of(place)),
    ):
        if luck.random() < share:
            body[name] = luck.choice(words)
    _add_rarities(luck, seed, body)


def language_of(body: dict[str, Any]) -> str:
    return (body.get("locale") or "en")[:2]


def notes_of(place: SandboxRestaurant) -> tuple[str, ...]:
    return NOTES.get(place.locale[:2], NOTES["en"])


def _add_rarities(luck: Random, seed: int, body: dict[str, Any]) -> None:
    if luck.random() < 0.25:
        body["favSeating"] = ", ".join(luck.sample(SEATING, luck.choice((1, 2))))
    if luck.random() < 0.2:
        body["birthDate"] = (
            f"{luck.randint(1938, 2004)}-{luck.randint(1, 12):02}-{luck.randint(1, 28):02}"
        )
    if luck.random() < 0.1:
        body["customFields"] = [_loyalty_field(luck, seed), *_answers(luck, seed)]


def _loyalty_field(luck: Random, seed: int) -> dict[str, Any]:
    return {
        "labelUuid": named_uuid(seed, "label", "loyalty"),
        "label": "Loyalty points",
        "type": "integer",
        "value": luck.randint(0, 900),
        "valueUuid": None,
    }


def _answers(luck: Random, seed: int) -> list[dict[str, Any]]:
    """What the group asks its guests: a yes or no, and a choice that may be left empty."""
    newsletter = {
        "labelUuid": named_uuid(seed, "label", "letter"),
        "label": "Printed letter at Christmas",
        "type": "boolean",
        "value": luck.random() < 0.5,
        "valueUuid": None,
    }
    table = {
        "labelUuid": named_uuid(seed, "label", "table"),
        "label": "Usual table",
        "type": "string",
        "value": luck.choice(("", "By the window", "Upstairs")),
        "valueUuid": named_uuid(seed, "answer", "table"),
    }
    return luck.sample((newsletter, table), luck.randint(0, 2))


def _add_address(luck: Random, body: dict[str, Any], country: str) -> None:
    body["country"] = country
    if country not in TOWNS:
        return
    towns, street, postcode = TOWNS[country]
    body["city"] = luck.choice(towns)
    body["zipcode"] = "".join(str(luck.randint(0, 9)) if c == "#" else c for c in postcode)
    if luck.random() < 0.5:
        body["address"] = street.format(luck.randint(1, 140))


def spelt_phone(luck: Random, country: str, number: int) -> str | None:
    """A number as people type it: two in three clean, the rest in every spelling, some none."""
    chance = luck.random()
    if chance < 0.06:
        return None
    country = country if country in FICTION else "FR"
    full = fictitious(country, number)
    if chance < 0.7:
        return full
    code = CODES.get(country, 3)
    rest = full[code:]
    spaced = " ".join(rest[i : i + 2] for i in range(0, len(rest), 2))
    return luck.choice(
        (
            "0" + rest,
            "0" + spaced,
            f"{full[:code]} {spaced}",
            f"00{full[1:]}",
            f"{full[:code]} (0) {rest}",
            f"{full[:code]}-{rest[:3]}-{rest[3:]}",
            f"0{rest[0]}." + ".".join(rest[i : i + 2] for i in range(1, len(rest), 2)),
        )
    )
