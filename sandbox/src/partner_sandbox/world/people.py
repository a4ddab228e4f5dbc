"""Invented guests from many countries, with everything a profile may hold and mostly does not."""

import json
import unicodedata
from random import Random
from typing import Any

from partner_sandbox.dice import named_uuid
from partner_sandbox.vocabulary import CIVILITIES, RANKS
from partner_sandbox.world.places import FICTION, fictitious

FIRST = {
    "fr": "Camille Léa Hugo Inès Jules Manon Louis Chloé Théo Émilie Étienne Aurélie Noé Solène",
    "en": "Amelia Oliver Isla George Freya Harry Poppy Alfie Maisie Rowan Imogen Callum Tess Ned",
    "es": "Lucía Mateo Sofía Hugo Martina Álvaro Carmen Íñigo Noa Begoña Joaquín Ainhoa Rocío",
    "it": "Giulia Lorenzo Chiara Matteo Ginevra Niccolò Elena Tommaso Beatrice Ludovica Pietro",
    "de": "Lena Jonas Marie Felix Jürgen Käthe Moritz Anneliese Björn Greta Sören Friederike",
    "nl": "Sanne Daan Femke Bram Lotte Sjoerd Anouk Thijs",
    "pt": "Inês João Beatriz Tomás Conceição Gonçalo Mafalda",
    "pl": "Zofia Jakub Małgorzata Łukasz Agnieszka Wojciech",
    "ja": "さくら 健太 由美子 大輔",
    "ar": "ليلى يوسف نور",
    "vi": "Nguyệt Đức Hương Tuấn",
}
LAST = {
    "fr": "Marchand Delorme Vasseur Lefèvre Roussel d'Aubigny Chevrier Béranger Le Guen Périn",
    "en": "Ashdown Pemberton Whitlock Hargreave O'Connell Thistlewood Marlowe Fairbairn Nott Quill",
    "es": "Alborán Ibáñez Peñalver Quintana Zubiri Muñoz-Seca Carrasco Valdés Larrea",
    "it": "Bellandi Corsini Degli Esposti Ferrante Moretti Valsecchi D'Amico Lunardi",
    "de": "Hoffstätter Köhler Lindqvist Größler Vogelsang Brückner von Rabenau Weißhaupt",
    "nl": "van der Velde de Groot Kuipers ten Brink Hoekstra",
    "pt": "Carvalhais Nóbrega Magalhães Sequeira dos Santos",
    "pl": "Wiśniewska Kowalczyk Brzęczyszczykiewicz Zając",
    "ja": "高橋 佐藤 山本",
    "ar": "الخطيب منصور",
    "vi": "Nguyễn Trần Phạm",
}
LOCALES = {
    "fr": ("fr_FR", "FR"), "en": ("en_GB", "GB"), "es": ("es_ES", "ES"), "it": ("it_IT", "IT"),
    "de": ("de_DE", "DE"), "nl": ("nl_NL", "NL"), "pt": ("pt_PT", "PT"), "pl": ("pl", "PL"),
    "ja": ("ja", "JP"), "ar": ("ar_AE", "AE"), "vi": ("vi", "VN"),
}  # fmt: skip
GUESTS_OF = {  # what one hears at the tables of a country
    "FR": ("fr",) * 11 + ("en", "en", "es", "it", "de", "de", "nl", "pt", "ja", "ar", "vi", "pl"),
    "GB": ("en",) * 12 + ("fr", "fr", "es", "it", "de", "nl", "pl", "pl", "ja", "ar", "pt"),
    "US": ("en",) * 12 + ("es", "es", "fr", "it", "vi", "ja", "de", "ar"),
    "ES": ("es",) * 11 + ("en", "en", "fr", "de", "it", "pt", "nl"),
    "IT": ("it",) * 11 + ("en", "en", "fr", "de", "es", "nl", "ja"),
}
ELSEWHERE = ("en",) * 6 + ("de", "fr", "nl", "pt", "es", "it")

FIRST_NAMES = {language: names.split() for language, names in FIRST.items()}
LAST_NAMES = {
    language: names.replace("Le ", "Le_").replace("Degli ", "Degli_").replace("von ", "von_")
    .replace("van der ", "van_der_").replace("de G", "de_G").replace("ten ", "ten_")
    .replace("dos ", "dos_").split()
    for language, names in LAST.items()
}  # fmt: skip

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
OTHER = ["Birthday in December", "Prefers calls", "Pushchair", "Wheelchair", "Guide dog"]
FOOD = ["Sole meunière", "Risotto", "Anything with truffle", "Roast lamb", "Aubergine"]
DRINKS = ["Dry cider", "Old Burgundy", "Negroni", "Sparkling water", "Alcohol-free beer"]
SEATING = ["window", "terrace", "bar", "quiet corner", "booth", "near the kitchen"]
NOTES = (
    "Always arrives early, give the window table if free.",
    "Préfère être servi par Solène. Ne pas proposer l'apéritif.",
    "Pide siempre la mesa del fondo, lejos de la puerta.",
    "Festeggia qui l'anniversario di matrimonio ogni anno.",
    "Möchte keine Musik in der Nähe. Zahlt immer bar.",
    "Complained about noise last spring; offered a dessert.",
)
COMPUTED = ("Newcomer", "Familiar", "Regular", "Ambassador")


def guest(luck: Random, seed: int, number: int, country: str, restaurant: tuple[str, str]) -> Any:
    """One profile: (uuid fields apart) e-mail, phone and the rest of the body as JSON."""
    language = luck.choice(GUESTS_OF.get(country, ELSEWHERE))
    first, last = luck.choice(FIRST_NAMES[language]), luck.choice(LAST_NAMES[language])
    body: dict[str, Any] = {
        "firstName": first,
        "lastName": last.replace("_", " "),
        "locale": LOCALES[language][0],
        "originRestaurantUuid": restaurant[0],
        "originRestaurantName": restaurant[1],
    }
    _describe(luck, body)
    if luck.random() < 0.3:
        _add_preferences(luck, seed, body)
    if luck.random() < 0.3:
        _add_address(luck, body, LOCALES[language][1])
    spelt = f"{_plain(first)}.{_plain(last)}.{number}".replace("..", "").lstrip(".")
    email = f"{spelt}@example.{'com' if luck.random() < 0.7 else 'org'}"
    phone = spelt_phone(luck, LOCALES[language][1], number)
    if luck.random() < 0.05:
        body["secondaryPhone"] = spelt_phone(luck, country, number + 13)
    has_email = luck.random() < 0.93
    return (email if has_email else None), phone, json.dumps(body, ensure_ascii=False)


def _plain(name: str) -> str:
    """Without accents, for an address; names in other scripts give none."""
    letters = unicodedata.normalize("NFKD", name.lower())
    return "".join(c for c in letters if c.isascii() and c.isalpha())


def _describe(luck: Random, body: dict[str, Any]) -> None:
    chance = luck.random()
    if chance < 0.75:
        body["civility"] = "mrs" if chance < 0.35 else "mr" if chance < 0.7 else "ms"
    elif chance < 0.8:
        body["civility"] = luck.choice(CIVILITIES[3:])  # Mr, Mrs and Ms are common
    body["isVip"] = luck.random() < 0.05
    if luck.random() < 0.9:
        body["isPromoter"] = luck.random() < 0.02
    if luck.random() < 0.12:
        body["rank"] = luck.choice(RANKS)
        if body["rank"] == "caution":
            body["riskLevel"] = ["caution"]
    if luck.random() < 0.3:
        body["optins"] = {"restaurantNewsletter": True}


def _add_preferences(luck: Random, seed: int, body: dict[str, Any]) -> None:
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
        ("favFood", 0.15, FOOD), ("favDrinks", 0.15, DRINKS), ("notes", 0.3, NOTES),
    ):  # fmt: skip
        if luck.random() < share:
            body[name] = luck.choice(words)
    _add_rarities(luck, seed, body)


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
    body["zipcode"] = f"{luck.randint(10_000, 98_000)}"
    body["city"] = luck.choice(("Sainte-Colombe", "Nether Wallop", "Villarcayo", "Borgosole"))
    if luck.random() < 0.5:
        body["address"] = f"{luck.randint(1, 140)} Invented Street"


def spelt_phone(luck: Random, country: str, number: int) -> str | None:
    """A number as people type it: two in three clean, the rest in every spelling, some none."""
    chance = luck.random()
    if chance < 0.06:
        return None
    full = fictitious(country if country in FICTION else "FR", number)
    if chance < 0.7:
        return full
    code = 2 if full.startswith("+1") else 3
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
