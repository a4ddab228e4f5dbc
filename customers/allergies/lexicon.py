"""The word lists of seven languages, ready for look-ups; see words/*.toml, docs/allergies.md."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from customers.allergies.emoji import EMOJI, FORBIDDEN
from customers.allergies.folding import words

FOLDER = Path(__file__).parent / "words"
LANGUAGES = ("en", "fr", "es", "it", "de", "pt", "nl")
# A misspelling is forgiven in words that name something, never in small words.
FORGIVING = frozenset({"allergen", "diet", "allergy", "intolerance", "cause", "strong_danger"})
ITALIAN = {"o": "i", "a": "e", "e": "i"}
# Ordinary words that are one letter away from a word of the lists.
ORDINARY = frozenset(
    [
        "raison",
        "birken",
        "raisons",
        "raising",
        "having",
        "better",
        "japones",
        "japonais",
        "spoken",
        "spaces",
        "slices",
        "sender",
        "senders",
        "series",
        "suffit",
        "anchor",
        "anchors",
        "applies",
        "appele",
        "appeler",
        "appelez",
        "breaks",
        "broken",
        "cached",
        "caches",
        "chooses",
        "certeza",
        "cocher",
        "courantes",
        "figures",
        "floors",
        "hammer",
        "looked",
        "manages",
        "manque",
        "manques",
        "manana",
        "modules",
        "nought",
        "paires",
        "pastes",
        "perdues",
        "pigment",
        "pregunto",
        "quirks",
        "rouges",
        "toques",
        "cartes",
        "canary",
        "averias",
        "ajuster",
        "avance",
        "arrows",
        "fiches",
        "breakfast",
        "friday",
        "quarter",
        "butler",
        "letter",
        "bitter",
        "nested",
        "season",
        "reason",
        "matter",
        "mutter",
        "mutters",
        "senses",
        "lesson",
        "poster",
        "sister",
        "master",
        "pepe",
        "fisher",
        "finish",
        "wisher",
        "cheers",
        "frites",
        "glass",
        "grasse",
        "tomates",
        "custard",
        "gaelic",
        "cashier",
        "poison",
        "boisson",
        "pollo",
        "guten",
        "garden",
        "garten",
        "salon",
        "tisch",
        "frisch",
        "nuestro",
        "nuestra",
        "serve",
        "served",
        "server",
        "several",
        "general",
        "vegetation",
        "union",
        "unions",
        "milka",
        "pinot",
        "mouse",
        "oliver",
        "crabtree",
        "vegas",
        "poissy",
        "halla",
        "maria",
        "marina",
        "marisa",
        "marcos",
        "marino",
        "lactation",
        "intolerable",
        "allegro",
        "alegre",
        "alegria",
        "vegetables",
        "vegetable",
        "verdura",
        "verduras",
        "enceintes",
        "gravidade",
        "saumur",
        "peperone",
        "alemana",
        "aleman",
        "amande",
        "amanda",
        "lupita",
        "casher",
        "cashmere",
        "melody",
        "sesion",
        "session",
        "fraser",
        "frasier",
        "pescara",
        "oystermouth",
        "kinder",
        "kirche",
        "kirchen",
        "kirsch",
        "almeida",
        "figaro",
        "limousine",
        "banane",
        "bananas",
        "orangerie",
        "orchestra",
    ]
)


@dataclass
class LexiconEntry:
    kinds: set[str] = field(default_factory=set)
    allergens: dict[str, bool] = field(default_factory=dict)  # code → surely meant
    diets: set[str] = field(default_factory=set)
    number: int | None = None


@dataclass
class Lexicon:
    phrases: dict[tuple[str, ...], LexiconEntry] = field(default_factory=dict)
    longest: dict[str, int] = field(default_factory=dict)
    misspellings: dict[str, set[str]] = field(default_factory=dict)

    def entry(self, phrase: tuple[str, ...]) -> LexiconEntry:
        first = phrase[0]
        self.longest[first] = max(self.longest.get(first, 0), len(phrase))
        return self.phrases.setdefault(phrase, LexiconEntry())


def listed(line: str) -> Iterator[tuple[str, ...]]:
    return (found for word in line.split(",") if (found := words(word)))


def spellings(phrase: tuple[str, ...], raw: str, plural: str) -> Iterator[tuple[str, ...]]:
    yield phrase
    last = phrase[-1]
    if plural == "italian":
        if len(phrase) == 1 and last[-1] in ITALIAN:
            yield (last[:-1] + ITALIAN[last[-1]],)
        return
    if len(last) > 2:
        yield from ((*phrase[:-1], last + ending) for ending in plural.split())


def german(line: str) -> str:
    return line.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue").replace("Ü", "Ue")


def read_section(lexicon: Lexicon, section: dict[str, str], kind: str, plural: str) -> None:
    for code, line in section.items():
        both = line if german(line) == line else f"{line}, {german(line)}"
        for phrase in listed(both):
            for spelling in spellings(phrase, line, plural):
                if spelling != phrase and spelling in lexicon.phrases:
                    continue  # a plural is never stronger than a word of the lists
                entry = lexicon.entry(spelling)
                entry.kinds.add(kind)
                if kind == "diet":
                    entry.diets.add(code)
                else:
                    entry.allergens.setdefault(code, True)


def read_rules(lexicon: Lexicon, rules: dict[str, Any]) -> None:
    for kind, line in rules.items():
        if kind == "numbers":
            continue
        for phrase in listed(f"{line}, {german(line)}"):
            lexicon.entry(phrase).kinds.add(kind)
    for number, line in rules["numbers"].items():
        for phrase in listed(f"{line}, {german(line)}"):
            entry = lexicon.entry(phrase)
            entry.kinds.add("number")
            entry.number = int(number)


def read_language(lexicon: Lexicon, name: str) -> None:
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    read_section(lexicon, data["allergens"], "allergen", data["plural"])
    read_section(lexicon, data["cause"], "cause", data["plural"])
    read_section(lexicon, data["diets"], "diet", data["plural"])
    for code, line in data["also_maybe"].items():
        for phrase in listed(line):
            lexicon.entry(phrase).allergens[code] = False
    read_rules(lexicon, data["rules"])


def read_emoji(lexicon: Lexicon) -> None:
    for sign, code in EMOJI.items():
        entry = lexicon.entry((sign,))
        entry.kinds.update({"allergen", "emoji"})
        entry.allergens[code] = True
    for sign in FORBIDDEN:
        lexicon.entry((sign,)).kinds.add("warning")
    lexicon.entry(("🤰",)).kinds.add("diet")
    lexicon.entry(("🤰",)).diets.add("pregnant")


def shorter(word: str) -> set[str]:
    return {word[:i] + word[i + 1 :] for i in range(len(word))} | {word}


def index_misspellings(lexicon: Lexicon) -> None:
    for phrase, entry in lexicon.phrases.items():
        if len(phrase) == 1 and len(phrase[0]) >= 6 and entry.kinds & FORGIVING:
            for form in shorter(phrase[0]):
                lexicon.misspellings.setdefault(form, set()).add(phrase[0])


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    built = Lexicon()
    for name in LANGUAGES:
        read_language(built, name)
    read_emoji(built)
    for entry in built.phrases.values():
        if "vegan" in entry.diets:  # a plural of a short form may read the same
            entry.diets = {"vegan"}
    index_misspellings(built)
    return built


@lru_cache(maxsize=20_000)
def lookup_word(word: str) -> LexiconEntry | None:
    """One word that stands alone: as written, as a compound, or with one misspelling."""
    known = lexicon().phrases.get((word,))
    if known or len(word) < 6 or word in ORDINARY:
        return known
    return compound(word) or misspelled(word)


HEADS = [
    "allergies",
    "allergie",
    "allergien",
    "allergieen",
    "allergiker",
    "allergikerin",
    "allergisch",
    "allergische",
    "allergikern",
    "allergy",
    "allergic",
    "intoleranz",
    "intoleranzen",
    "unvertraglichkeit",
    "unvertraeglichkeit",
    "intolerantie",
    "intolerance",
    "intolerant",
    "alergie",
    "allergi",
    "empfindlichkeit",
    "allergikerinnen",
    "allergene",
    "intoleranties",
    "intolleranz",
    "intollerantie",
    "intolerranz",
    "unvertraglich",
    "alergi",
    "intoleranter",
    "intolerante",
    "intoleranten",
    "allergischer",
    "allergischen",
]
FREE = ["frei", "freies", "freie", "freien", "freier", "vrij", "vrije", "free"]


def compound(word: str) -> LexiconEntry | None:
    for head in HEADS:
        if word.endswith(head) and len(word) > len(head) + 1:
            return joined(word[: -len(head)], {"allergy", "compound"})
    for free in FREE:
        if word.endswith(free) and (entry := stem(word[: -len(free)])):
            return LexiconEntry({"allergen", "compound", "free"}, dict(entry.allergens))
    return None


def joined(first: str, kinds: set[str]) -> LexiconEntry:
    found = stem(first)
    if found and "allergen" in found.kinds:
        return LexiconEntry(kinds | {"allergen"}, dict(found.allergens))
    if found and "harmless" in found.kinds:
        return LexiconEntry({"harmless"})
    return LexiconEntry(
        {"allergy", "unsure"} if not found else {"allergy"} | (found.kinds & {"severe"})
    )


def stem(first: str) -> LexiconEntry | None:
    phrases = lexicon().phrases
    tries = (first, first.removesuffix("s"), first.removesuffix("n"), first.removesuffix("en"))
    found = next((phrases[(t,)] for t in tries if t and (t,) in phrases), None)
    return found or (misspelled(first) if len(first) >= 6 else None)


def misspelled(word: str) -> LexiconEntry | None:
    built = lexicon()
    near = {c for form in shorter(word) for c in built.misspellings.get(form, ()) if close(word, c)}
    return built.phrases[(min(near),)] if near else None


def close(one: str, two: str) -> bool:
    """One letter more, less, other or swapped; the first letter holds."""
    if one[0] != two[0] or abs(len(one) - len(two)) > 1:
        return False
    if len(one) != len(two):
        return True
    differ = [i for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b]
    if len(differ) == 1:
        return True
    return (
        len(differ) == 2 and one[differ[0]] == two[differ[1]] and one[differ[1]] == two[differ[0]]
    )
