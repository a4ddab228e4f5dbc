"""One word of a note as people write it: known, a compound of known words, or misspelled."""

import re
from functools import lru_cache
from itertools import product

from customers.allergies.folding import NoteToken, fold
from customers.allergies.lexicon import LexiconEntry, lexicon, small_words

# A misspelling is forgiven in words that name something, never in small words.
FORGIVING = frozenset({"allergen", "diet", "allergy", "intolerance", "cause", "strong_danger"})
SOUNDS = (("ph", "f"), ("ck", "k"), ("qu", "k"), ("q", "k"), ("c", "k"), ("y", "i"), ("z", "s"))
ALLERGY = re.compile("all?erg")
AGAINST_ALLERGY = ("anti", "hypo", "hipo", "ipo")
TWICE = re.compile(r"(.)\1")
SHORTEST = 6  # letters of a word that may be misspelled
LONGEST = 60  # the longest compounds have 40
LONGEST_PLAIN = 11  # letters; a compound that may be misspelled has more
LONG = 8  # letters of one that is known by its sound
STRETCHED = re.compile(r"((.)\2{2,})")  # “nuuuts”
MOST_STRETCHED = 3  # letters of one word
NAMING = frozenset({"allergen", "diet", "cause"})
# “n.u.t.s”, “n u t s”, “g.f.”
LETTERS = re.compile(r"(?<![\w.])[^\W\d_]([. ])[^\W\d_](?:\1[^\W\d_])*(?!\w)(?:\.(?=\s*[a-z\d(])|)")
NAME_BEFORE, NAME_BEHIND = re.compile(r"[A-Z][a-z]+\.?\s$"), re.compile(r"\.?\s*[A-Z][a-z]")


@lru_cache(maxsize=4_000)
def lookup_word(word: str) -> LexiconEntry | None:
    """One word that stands alone: as written, as a compound, or with one misspelling."""
    known = lexicon().phrases.get((word,))
    if known or len(word) > LONGEST or word in small_words("ordinary"):
        return known
    if len(word) < SHORTEST:
        return stretched(word)
    found = compound(word) or misspelled(word) or misspelled_head(word)
    found = found or dish(word) or diminutive(word) or misspelled_plural(word)
    return found or stretched(word) or glued(word) or unread_compound(word)


def unread_compound(word: str) -> LexiconEntry | None:
    """“pähkinäallergia” is an allergy to what no list has; not “hypoallergenic”"""
    is_end = ALLERGY.search(word, 3) and not word.startswith(AGAINST_ALLERGY)
    return LexiconEntry({"allergy", "unsure"}) if is_end else None


def stretched(word: str) -> LexiconEntry | None:
    """“nuuuts”, “cheeeese”: a letter that is written three times is one or two"""
    parts = STRETCHED.split(word)  # a plain part, the stretched one, its letter, and so on
    if not 1 < len(parts) <= MOST_STRETCHED * 3 + 1:
        return None
    for sizes in product((1, 2), repeat=len(parts) // 3):
        ends = [letter * size for letter, size in zip(parts[2::3], sizes, strict=True)]
        found = lookup_word("".join(map("".join, zip(parts[::3], [*ends, ""], strict=True))))
        if found and found.kinds & FORGIVING:
            return found
    return None


def glued(word: str) -> LexiconEntry | None:
    """“nofishplease”, “sanslait”, “bezlepku”: a food, and that it is left out"""
    phrases = lexicon().phrases
    for no in _by_length("glued_denials"):
        rest = word.removeprefix(no)
        for end in ("", *_by_length("glued_ends")) if rest != word else ():
            food = rest.removesuffix(end)
            if (end and food == rest) or len(food) < (4 if len(no) < 4 else 3):  # “semble”
                continue
            known = phrases.get((food,)) or (misspelled(food) if len(food) > SHORTEST else None)
            if known and "allergen" in known.kinds:
                return LexiconEntry({"allergen", "free"}, dict(known.allergens))
            known = phrases.get((no, food))
            if known and known.kinds & NAMING:
                return known
    return None


def with_letters_joined(text: str, found: list[NoteToken]) -> list[NoteToken]:
    """“n.u.t.s”, “c o e l i a c”; two letters are a diet beside no name: “2 g.f.”"""
    for run in LETTERS.finditer(text):
        word = fold(re.sub("[. ]", "", run[0]))
        known = lexicon().phrases.get((word,))
        is_pair = len(word) == 2
        is_name = NAME_BEFORE.search(text, 0, run.start()) or NAME_BEHIND.match(text, run.end())
        if not known or not known.kinds & NAMING or (is_pair and (run[1] == " " or is_name)):
            continue
        joined_letters = NoteToken(word, *run.span())
        before = [token for token in found if token.start < run.start()]
        found = [*before, joined_letters, *(each for each in found if each.start >= run.end())]
    return found


def compound(word: str) -> LexiconEntry | None:
    for head in _by_length("compound_heads"):
        if word.endswith(head) and len(word) > len(head) + 1:
            return joined(word[: -len(head)], {"allergy", "compound"})
    for head in _by_length("compound_heads"):  # “ALLERGYNUTS”
        if word.startswith(head) and len(word) > len(head) + 2 and ALLERGY.match(head):
            return joined(word[len(head) :], {"allergy", "compound"})
    for free in _by_length("compound_free"):
        if word.endswith(free) and (entry := stem(word[: -len(free)])):
            return LexiconEntry({"allergen", "compound", "free"}, dict(entry.allergens))
    return shortened(word)


def misspelled_head(word: str) -> LexiconEntry | None:
    """“Glutenunverträglichkeitt”, “Nussallergei”: one wrong letter, and a food before it"""
    if len(word) < LONGEST_PLAIN:
        return None
    for head in _by_length("compound_heads"):
        for size in (len(head) + 1, len(head), len(head) - 1) if len(head) >= LONG - 1 else ():
            first, end = word[:-size], word[-size:]
            if len(first) > 2 and end[0] == head[0] and is_near(end, head):
                found = stem(first)
                is_food = found and "allergen" in found.kinds
                return joined(first, {"allergy", "compound"}) if is_food else None
    return None


def is_near(one: str, two: str) -> bool:
    if len(one) == len(two):
        return close(one, two)
    return one in shorter(two) or two in shorter(one)


def shortened(word: str) -> LexiconEntry | None:
    """“laktoseint.”, “Nussall.”: so short an end counts after a food only."""
    for head in _by_length("compound_short"):
        first = word.removesuffix(head)
        found = lexicon().phrases.get((first,)) if len(first) >= SHORTEST - 2 else None
        if first != word and found and "allergen" in found.kinds:
            return LexiconEntry({"allergy", "compound", "allergen"}, dict(found.allergens))
    return None


@lru_cache(maxsize=8)
def _by_length(kind: str) -> tuple[str, ...]:
    return tuple(sorted(small_words(kind), key=lambda word: (-len(word), word)))


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
    tries = (
        first,
        first.removesuffix("s"),
        first.removesuffix("n"),
        first.removesuffix("en"),
        first + first[-1:],
    )  # “Nusallergie”
    found = next((phrases[(t,)] for t in tries if t and (t,) in phrases), None)
    return found or (misspelled(first) or dish(first) if len(first) >= SHORTEST else None)


def dish(word: str) -> LexiconEntry | None:
    """“Rohmilchkäse” is a cheese, “Sojamilch” soya, “pindasaus” peanuts."""
    phrases = lexicon().phrases
    for end in _by_length("compound_foods"):
        first = word[: -len(end)]
        if not word.endswith(end) or len(first) < 3:
            continue
        found = phrases.get((first,)) or phrases.get((first.removesuffix("n"),))
        if not found and end in small_words("compound_ends"):
            found = lookup_word(end)  # “snoeptomaatjes”: the end is a small one itself
        if found and "allergen" in found.kinds:
            return LexiconEntry({"allergen"}, dict(found.allergens))
    return None


def diminutive(word: str) -> LexiconEntry | None:
    """“garnaaltjes”, “gambitas”, “leitinho”: a small one of a known food."""
    phrases = lexicon().phrases
    for end in _by_length("diminutives"):
        first = word.removesuffix(end)
        if first == word or len(first) < 3:
            continue
        for known in (first,) if "j" in end else (first + "o", first + "a", first + "e", first):
            found = phrases.get((known,)) if len(known) >= SHORTEST - 2 else None
            if found and "allergen" in found.kinds:
                return LexiconEntry({"allergen"}, dict(found.allergens))
    return None


def misspelled(word: str) -> LexiconEntry | None:
    near = _heard().get(sound(word)) or {
        known for form in shorter(word) for known in _written().get(form, ()) if close(word, known)
    }
    return lexicon().phrases[(min(near),)] if near else None


def misspelled_plural(word: str) -> LexiconEntry | None:
    """“crustacées”, an odd plural of no list; not “sensibilités”, a word of a rule."""
    one = word.removesuffix("s")
    if one == word or len(one) < LONG or (one,) in lexicon().phrases:
        return None
    return None if one in small_words("ordinary") else misspelled(one)


@lru_cache(maxsize=1)
def _forgiven() -> list[str]:
    built = lexicon()
    return [
        phrase[0]
        for phrase, entry in built.phrases.items()
        if len(phrase) == 1
        and len(phrase[0]) >= SHORTEST
        and entry.kinds & FORGIVING
        and "symptom" not in entry.kinds
        and phrase[0] not in built.plurals
    ]


@lru_cache(maxsize=1)
def _written() -> dict[str, tuple[str, ...]]:
    """Known words by all that is left of them without one letter.

    Tuples, because nearly all hold one word: a set takes four times as much memory.
    """
    found: dict[str, tuple[str, ...]] = {}
    for known in _forgiven():
        for form in shorter(known):
            found[form] = (*found.get(form, ()), known)
    return found


@lru_cache(maxsize=1)
def _heard() -> dict[str, set[str]]:
    """Long known words by their sound."""
    found: dict[str, set[str]] = {}
    for known in _forgiven():
        if len(known) >= LONG:
            found.setdefault(sound(known), set()).add(known)
    return found


@lru_cache(maxsize=4_000)
def sound(word: str) -> str:
    """Letters that are heard alike are one: “anaphylactic” and “anafilaktik”."""
    for written, heard in SOUNDS:
        word = word.replace(written, heard)
    return TWICE.sub(r"\1", word)


def shorter(word: str) -> set[str]:
    return {word[:i] + word[i + 1 :] for i in range(len(word))} | {word}


def close(one: str, two: str) -> bool:
    """One letter more, less, other or swapped; the first letter holds."""
    if one[0] != two[0] or abs(len(one) - len(two)) > 1:
        return False
    if len(one) != len(two):
        return True
    differ = [i for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b]
    if len(differ) < 2:
        return True
    return (
        len(differ) == 2 and one[differ[0]] == two[differ[1]] and one[differ[1]] == two[differ[0]]
    )
