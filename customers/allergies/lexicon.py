"""The word lists of seven languages, ready for look-ups; see words/*.toml, docs/allergies.md."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from customers.allergies.folding import words

FOLDER = Path(__file__).parent / "words"
LANGUAGES = ("en", "fr", "es", "it", "de", "pt", "nl")
ITALIAN = {"o": "i", "a": "e", "e": "i"}
IMPLIED = {
    "warning": {"warning", "severe"},
    "hospital": {"hospital", "warning", "severe"},
    "strong_danger": {"strong_danger", "severe"},
    "pen": {"pen", "strong_danger", "severe"},  # “carries two pens”
    "refused": {"refused", "no", "none"},  # “to be avoided”
    "unfit": {"refused"},  # “eggs not ok”; “nut allergy, traces not ok” denies no allergy
    "ignore": {"ignore", "void", "cured"},  # “ignore the note about …”
    "void": {"void", "cured"},  # “was a mistake”, “has cancelled”
    "modal": {"modal", "cannot"},  # “no puede huevo”
    "header": {"header", "word"},  # “Diet:” of a form
    "condition": {"word", "condition"},
    "illness": {"word", "illness"},  # where the note names nothing
    "needs": {"header", "word", "needs"},  # “Dietary requirements:”, which also stands alone
    "uneaten": {"uneaten", "cannot"},  # “can't eat”, not “can't have”
    "other": {"word"},  # “root beer” is no alcohol
    "named": {"named", "cannot"},  # “…, my sister can't eat them”
    "trouble": {"trouble", "allergy", "unsure", "symptom"},  # “a problem with nuts”: a hint
    "symptom": {"allergy", "unsure", "symptom"},  # “hives” beside a food is an allergy to it
}
REFUSING = frozenset({"vegetarian", "diabetic", "hindu"})
SUGAR = ("zucker", "suiker", "sugar")  # “zuckerfrei”
REFUSED = frozenset({"meat", "fish", "sugar", "beef"})
TRACES = ("trac", "traz", "vestig", "spor", "spur", "kreuzkontam", "kruisbesm", "contamina")
INABILITIES = frozenset({"cannot", "intolerance", "modal"})
# “ya no tolera”, “ja no pot menjar” state what “ya no es alérgico” denies.
ANY_MORE = {"no": ("ya", "ja"), "nao": ("ja",)}
# People leave out the French “ne”, and shorten other words of denial.
FRENCH_NO = frozenset({"pas", "plus", "rien", "jamais", "ni", "aucun", "aucune", "guere"})
SPOKEN = {"ne": "", "n": "", "nao": "n", "non": "nn"}


@dataclass(slots=True)
class LexiconEntry:
    """What a phrase means. Phrases that mean the same share one: see `Lexicon.entry`."""

    kinds: set[str] = field(default_factory=set)
    allergens: dict[str, bool] = field(default_factory=dict)  # code → surely meant
    diets: set[str] = field(default_factory=set)
    number: int | None = None
    leaves_out: tuple[str, ...] = ()  # “eats no meat”: what a diet's own words leave out

    def copy(self) -> "LexiconEntry":
        sets = {*self.kinds}, {**self.allergens}, {*self.diets}
        return LexiconEntry(*sets, self.number, self.leaves_out)


@dataclass
class Lexicon:
    phrases: dict[tuple[str, ...], LexiconEntry] = field(default_factory=dict)
    # How long the longest phrase of several words is that begins with a word, or with two.
    longest: dict[str, int] = field(default_factory=dict)
    longest_pair: dict[tuple[str, ...], int] = field(default_factory=dict)
    small_words: dict[str, frozenset[str]] = field(default_factory=dict)
    homographs: dict[str, frozenset[str]] = field(default_factory=dict)
    numbers_of: dict[str, frozenset[str]] = field(default_factory=dict)  # numbers there only
    # Of each word, to guess a note's. Tuples: a set takes four times as much memory.
    languages: dict[str, tuple[str, ...]] = field(default_factory=dict)
    plurals: set[str] = field(default_factory=set)  # made by rule; not all of them are words
    # What is read again and again while the lists are built.
    own: set[tuple[str, ...]] = field(default_factory=set)  # phrases that share no entry yet
    meanings: dict[tuple[Any, ...], LexiconEntry] = field(default_factory=dict)

    def entry(self, phrase: tuple[str, ...]) -> LexiconEntry:
        """Return one that may be changed: no other phrase shares it yet."""
        if len(phrase) > 1:
            first, pair = phrase[0], phrase[:2]
            self.longest[first] = max(self.longest.get(first, 0), len(phrase))
            self.longest_pair[pair] = max(self.longest_pair.get(pair, 0), len(phrase))
        known = self.phrases.get(phrase)
        if known is None or phrase not in self.own:
            known = self.phrases[phrase] = known.copy() if known else LexiconEntry()
            self.own.add(phrase)
        return known

    def share_equal(self) -> None:
        """Let phrases share what they mean: tens of thousands have a few hundred meanings."""
        for phrase in self.own:
            entry = self.phrases[phrase]
            meaning = (
                frozenset(entry.kinds),
                tuple(entry.allergens.items()),
                frozenset(entry.diets),
                entry.number,
                entry.leaves_out,
            )
            self.phrases[phrase] = self.meanings.setdefault(meaning, entry)
        self.own.clear()


def listed(line: str) -> Iterator[tuple[str, ...]]:
    """The phrases of a line; a semicolon stands for a comma within one."""
    return (found for word in line.split(",") if (found := words(word.strip().replace(";", ","))))


def spellings(phrase: tuple[str, ...], plural: str) -> Iterator[tuple[str, ...]]:
    yield phrase
    last = phrase[-1]
    if plural == "italian":
        if len(phrase) == 1 and last[-1] in ITALIAN:
            yield (last[:-1] + ITALIAN[last[-1]],)
        return
    if len(last) > 2:
        yield from ((*phrase[:-1], last + ending) for ending in plural.split())


def both_spellings(line: str) -> str:
    """The line, and again as people write it who have no umlauts: “Nüsse, Nuesse”."""
    plain = line.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue").replace("Ü", "Ue")
    return line if plain == line else f"{line}, {plain}"


def read_section(lexicon: Lexicon, section: dict[str, str], kind: str, plural: str) -> None:
    for code, line in section.items():
        for phrase in listed(both_spellings(line)):
            for spelling in spellings(phrase, plural):
                if spelling != phrase and spelling in lexicon.phrases:
                    continue  # a plural is never stronger than a word of the lists
                if spelling == phrase:
                    lexicon.plurals.discard(spelling[-1])
                else:
                    lexicon.plurals.add(spelling[-1])
                entry = lexicon.entry(spelling)
                entry.kinds.add(kind)
                if kind == "diet":
                    entry.diets.add(code)
                else:
                    entry.allergens.setdefault(code, True)


def read_rules(lexicon: Lexicon, rules: dict[str, Any]) -> None:
    pairs = {kind: paired(*lines) for kind, lines in rules.get("pairs", {}).items()}
    lines = [(kind, line) for kind, line in rules.items() if isinstance(line, str)]
    for kind, line in (*lines, *pairs.items()):
        for phrase in listed(both_spellings(line)):
            for spelling in as_written(phrase, is_inability=kind in INABILITIES):
                kinds = lexicon.entry(spelling).kinds
                kinds.update(IMPLIED.get(kind, {kind}))
                if kind == "severe" and any(word.startswith(TRACES) for word in spelling):
                    kinds.add("traces")
    for number, line in rules["numbers"].items():
        for phrase in listed(both_spellings(line)):
            entry = lexicon.entry(phrase)
            entry.kinds.add("number")
            entry.number = int(number)


def paired(first: str, second: str) -> str:
    """“can't, must not” and “eat, touch” are four phrases."""
    return ",".join(f"{one} {two}" for one in first.split(",") for two in second.split(","))


def as_written(phrase: tuple[str, ...], *, is_inability: bool) -> Iterator[tuple[str, ...]]:
    """“can't eat” and “cant eat”, “ne peut pas manger” and “peut pas manger”"""
    yield phrase
    if is_inability and phrase[0] in ANY_MORE:
        yield from ((before, *phrase) for before in ANY_MORE[phrase[0]])
    is_french = phrase[0] in ("ne", "n")
    if len(phrase) > 2 and phrase[0] in SPOKEN and not (is_french and FRENCH_NO.isdisjoint(phrase)):
        short = SPOKEN[phrase[0]]
        yield (short, *phrase[1:]) if short else phrase[1:]
    if len(phrase) > 1 and phrase[1] == "t":
        yield (phrase[0] + "t", *phrase[2:])


def read_file(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def read_language(lexicon: Lexicon, name: str) -> None:
    data = read_file(name)
    read_section(lexicon, data["allergens"], "allergen", data["plural"])
    read_section(lexicon, data["cause"], "cause", data["plural"])
    read_section(lexicon, data["diets"], "diet", data["plural"])
    read_perhaps(lexicon, data["also_maybe"])
    read_rules(lexicon, data["rules"])
    sections = [data[section] for section in ("allergens", "cause", "diets", "rules")]
    lines = [line for section in sections for line in section.values() if isinstance(line, str)]
    for word in (
        one for one in {*words(" ".join(lines))} if one[0].isalpha()
    ):  # no sign, no number
        lexicon.languages[word] = (*lexicon.languages.get(word, ()), name)


def read_perhaps(lexicon: Lexicon, section: dict[str, str]) -> None:
    for code, line in section.items():
        for phrase in listed(line):
            entry = lexicon.entry(phrase)
            entry.kinds.add("allergen")
            entry.allergens[code] = False


def read_left_out(lexicon: Lexicon, section: dict[str, str]) -> None:
    for code, line in section.items():
        for phrase in listed(line):
            for spelling in as_written(phrase, is_inability=False):
                entry = lexicon.entry(spelling)
                entry.kinds.update({"allergen", "free"})
                entry.allergens[code] = True


def read_shared(lexicon: Lexicon) -> None:
    data = read_file("shared")
    read_section(lexicon, data["allergens"], "allergen", "s")
    read_perhaps(lexicon, data["perhaps"])
    read_left_out(lexicon, data["left_out"])
    read_emoji(lexicon, data["emoji"])
    for kind, line in data["small_words"].items():
        lexicon.small_words[kind] = frozenset(phrase[0] for phrase in listed(line))
    for known, section in ((lexicon.homographs, "homographs"), (lexicon.numbers_of, "numbers_of")):
        known.update({word: frozenset(line.split()) for word, line in data[section].items()})


def read_emoji(lexicon: Lexicon, section: dict[str, str]) -> None:
    for meaning, line in section.items():
        for phrase in listed(line):
            entry = lexicon.entry(phrase)
            if meaning == "forbidden":
                entry.kinds.add("warning")
            elif meaning == "pregnant":
                entry.kinds.add("diet")
                entry.diets.add(meaning)
            else:
                entry.kinds.update({"allergen", "emoji"})
                entry.allergens[meaning] = True


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    built = Lexicon()
    for name in LANGUAGES:
        read_language(built, name)
        built.share_equal()  # at once: the memory for all languages would stay with the process
    read_shared(built)
    for phrase, entry in built.phrases.items():
        # A plural of a short form may read the same: “eet vega” and “eet vegan”.
        if "vegan" in entry.diets or (entry.diets == {"vegetarian"} and phrase[-1] == "vegan"):
            built.entry(phrase).diets = {"vegan"}
    for word, diets in read_file("shared")["ambiguous_diets"].items():
        built.entry(words(word)).kinds.add("diet")
        built.entry(words(word)).diets.update(diets.split())
    name_what_is_left_out(built)
    built.share_equal()
    return built


def name_what_is_left_out(built: Lexicon) -> None:
    for phrase, entry in built.phrases.items():
        if len(phrase) == 1 and "diabetic" in entry.diets and phrase[0].startswith(SUGAR):
            built.entry(phrase).leaves_out = ("sugar",)
        if entry.diets & REFUSING and len(phrase) > 1:
            found = [built.phrases[(word,)] for word in phrase if (word,) in built.phrases]
            codes = {code for each in found for code in each.allergens if code in REFUSED}
            built.entry(phrase).leaves_out = tuple(sorted(codes))


@cache
def small_words(kind: str) -> frozenset[str]:
    return lexicon().small_words[kind]
