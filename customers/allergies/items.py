"""A note cut into sentences of items: a known phrase, a word of no meaning here, or a sign."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import dropwhile, takewhile

from customers.allergies.folding import NoteToken, tokens
from customers.allergies.lexicon import IMPLIED, LexiconEntry, lexicon, small_words
from customers.allergies.rules.boxes import UNANSWERED, without_answer, without_unticked
from customers.allergies.rules.homographs import is_foreign, languages_of
from customers.allergies.spelling import lookup_word, with_letters_joined

MOST_ITEMS = 200  # of one sentence; a text without an end would take time by the square
ENDS = frozenset(".!?\n")
SHORTENED = frozenset((
    "bzw", "inkl", "evtl", "ca", "mme", "st", "resp", "etc", "alg", "alrg", "gg", "geg", "ev",
    "allg", "insb", "fam", "hr", "fr", "nat", "aprox", "ecc", "sigg", "evt", "vb", "aub",
    "alerg", "allerg", "intol", "mr", "mrs", "dr", "sr", "sra", "sig", "pers", "pax", "nr", "max",
    "min", "incl", "excl", "bv", "bijv", "ggf", "wg", "zzgl", "approx", "esp", "rest", "tel",
    "ms", "mlle", "srta", "dhr", "mevr",
))  # fmt: skip
# “no meat of pigs”: what follows says which meat, so that it is no diet.
OF_AN_ANIMAL = {"di", "de", "rossa", "roja", "rouge", "vermelha", "red", "rosse", "rojas"}
CHOICES = re.compile(
    r"(?i)[(\[]?\b(?:y|yes|o|oui|s|sí|si|sì|sim|j|ja)\s?/\s?(?:n|no|non|não|nein|nee)\b[)\]]?"
)
IDENTIFIER = re.compile(
    r"(?i)\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{10,}\b|\b[\da-f]{8}(?:-[\da-f]{4,12}){2,4}\b"
    r"|\b(?-i:[A-Z]{2,3})-\d{4,}\b"  # “voucher GV-2231”
)
LIST_NUMBER = re.compile(r"^[ \t]*\d{1,2}[.)][ \t]+(?=[^\W\d])", re.MULTILINE)  # “1. nuts”
KEY_QUESTION = re.compile(r"\?(?=[\"']\s*[:=])")  # “"Allergy?": "No"”
BLANK = re.compile(r"(?i)[(\[<]\s*(?:blank|empty|vide|leer|vacío|vuoto|vazio|leeg)\s*[)\]>]")
QUESTION_SIGN = re.compile(r"(?m)^[ \t]*[QFPDV][ \t]*:(?=[^\n]*\?)")  # “Q: Any allergies?”
ANSWER_SIGN = re.compile(r"^[ \t]*[AR][ \t]*:(?=[ \t]*\w*[ \t.!]*$)", re.MULTILINE)  # “A: nope”
# “pas (plus) d'allergie”, “no (known) allergies”
ASIDE = re.compile(
    r"(?i)(\b(?:no|not|pas|sans|sin|non|nessun\w*|keine?|sem|geen|aucune?)\s)\((\w+)\)(?=\s)"
)
SMILEY = re.compile(r"(?<=[\s!.?])[:;]-?[()](?=\s|$)")
SHORT_BEFORE_COUNT = re.compile(r"\.(?<=\b(?:all|cel)\.)(?=\s?(?:[xX]\s?)?[(\d])")  # “all. x1”
NUMBER_SIGNS = frozenset({"no", "n", "nr", "nº", "num", "number", "numero", "nummer"})
SLASH = re.compile(r"(?<=[^\S\n])/(?=[^\S\n])")  # “P1: nuts / P2: none”, not “n/a”
ARROW = re.compile(r"[-=]{1,3}>|[→➜➔➡⇒]")  # “peanuts → hives”
COPULAS = frozenset("èéÈÉ")  # without its accent it is “and”
# One of them is in whatever the patterns above and the boxes of a form find.
MARKS = re.compile(r"[^\w\s.,!'’]|\d")
TIMES = "x"
TIMES_BESIDE = re.compile(r"\d[xX][^\W\d_]|[^\W\d_][xX]\d")
FOOD_SHORT, COELIACS = frozenset(["int", "all"]), frozenset(["cel", "coe", "cels"])
MOST_PEOPLE = 20  # that a short form may count
OF_ALLERGY = frozenset({"severe", "mild", "warning", "allergy", "intolerance"})
TELLING = OF_ALLERGY | {"cause"}
ILL = frozenset({"allergy", "intolerance", "cause", "diet"})
NEAR, FAR, MOST_BEFORE = 4, 20, 60  # items that are looked at around “no 4”
SIGNS = frozenset(",:()-–—|•&+[]<>=~@%€$£…*→")


@dataclass(slots=True)
class Item:
    word: str
    start: int
    end: int
    kinds: set[str]
    entry: LexiconEntry
    number: int | None = None


@dataclass(slots=True)
class Sentence:
    items: list[Item] = field(default_factory=list)
    is_question: bool = False
    is_affirmed: bool = False  # “Nut allergy? Yes.”
    is_loud: bool = False  # “Nut allergy: NO!!”


NOTHING = LexiconEntry()
HARMLESS = LexiconEntry({"harmless"})


def with_times_apart(found: list[NoteToken]) -> Iterator[NoteToken]:
    """“1xGF, 2xvegan, coeliacx1”: a sign of times that stands against its word."""
    for before, each, after in zip([None, *found], found, [*found[1:], None], strict=False):
        word, start, end = each
        counts_ahead = before and before.word.isdecimal() and before.end == start
        counts_behind = after and after.word.isdecimal() and after.start == end
        is_unknown = len(word) > 1 and (word,) not in lexicon().phrases
        if counts_ahead and is_unknown and word[0] == TIMES:
            yield NoteToken(TIMES, start, start + 1)
            yield NoteToken(word[1:], start + 1, end)
        elif counts_behind and is_unknown and word[-1] == TIMES and lookup_word(word[:-1]):
            yield NoteToken(word[:-1], start, end - 1)
            yield NoteToken(TIMES, end - 1, end)
        else:
            yield each


def without_marks(text: str) -> str:
    """“Allergies (Y/N): N”: what a form offers is no answer, and “8d2c17df0a11” no 17 dairy-free.

    The numbers of a list are neither counts nor ends of sentences. All places stay what they were.
    """
    if not MARKS.search(text):
        return text
    text = without_unticked(text)
    text = SLASH.sub("|", text)
    text = ASIDE.sub(r"\1 \2 ", text)
    text = SHORT_BEFORE_COUNT.sub(" ", text)
    text = ARROW.sub(lambda found: "-".ljust(len(found[0])), text)
    signs = (QUESTION_SIGN, ANSWER_SIGN) if QUESTION_SIGN.search(text) else ()
    for pattern in (CHOICES, IDENTIFIER, LIST_NUMBER, KEY_QUESTION, BLANK, SMILEY, *signs):
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    return UNANSWERED.sub(without_answer, text)


def is_answer(items: list[Item], at: int) -> bool:
    before, behind = items[at - 1 : at] if at else [], items[at + 1 : at + 2]
    is_label = bool(before) and before[0].word in ":="
    return is_label and (not behind or behind[0].word in ",;/|}")


def mark_shorthand(sentence: Sentence, text: str) -> None:
    """“Allergies: N”, “lait : oui”, “ALLG nuts”, “ANA nuts”, “2 cel”.

    Elsewhere “n” is “and”, “oui” allows, “allg.” is “in general”, and Ana a name.
    """
    items = sentence.items
    for at, each in enumerate(items):
        if each.word == "n" and is_answer(items, at):
            each.kinds = {"no", "none"}
        elif "allowed" in each.kinds and is_answer(items, at):
            each.kinds = each.kinds - {"allowed"}
        elif each.word == "allg" and is_allergy_shorthand(items, at, text):
            each.kinds = {"allergy"}
        elif is_anaphylaxis(items, at, text) or is_short_allergy(items, at, text):
            each.kinds = IMPLIED["trouble"]
        elif each.word == "all" and is_counted_allergy(items, at, text):
            each.kinds = {"allergy", "unsure"}
        elif each.word in COELIACS and is_counted(items, at):
            each.entry = lookup_word("gluten") or NOTHING
            each.kinds = each.entry.kinds


def is_short_allergy(items: list[Item], at: int, text: str) -> bool:
    """“fish int.”, “shell all.” at the end; not “no fish at all.”"""
    if items[at].word not in FOOD_SHORT:
        return False
    is_end = at + 1 == len(items) or text[items[at].end : items[at].end + 1] == "."
    return is_end and at > 0 and "allergen" in items[at - 1].kinds


def is_counted_allergy(items: list[Item], at: int, text: str) -> bool:
    """“all. x1”, “4 pax, 1 all.”, “all x1”; not “all x4” nor “table for 4 all.”"""
    before, behind = items[max(0, at - 2) : at], items[at + 1 : at + 3]
    is_short = text[items[at].end : items[at].end + 1] == "."
    after = [item for item in behind if item.word not in (TIMES, *"(:")]
    if after and after[0].number is not None:
        is_apart = at == 0 or bool(items[at - 1].kinds & {"sign", "people"})
        return is_apart and is_few(after[0].number, is_short=is_short)
    before = before[:-1] if before and before[-1].word == TIMES else before
    count = before[-1].number if before and not behind else None
    is_first = before[:-1] == [] or bool(before[-2].kinds & {"sign", "people"})
    return count is not None and is_first and is_few(count, is_short=is_short)


def is_few(count: int, *, is_short: bool) -> bool:
    return count == 1 or (is_short and 0 < count <= MOST_PEOPLE)


def is_anaphylaxis(items: list[Item], at: int, text: str) -> bool:
    if items[at].word != "ana":
        return False
    is_first = at == 0 or bool(items[at - 1].kinds & {"sign", "number"})
    is_led = any(item.word == "to" for item in items[at + 1 : at + 2])
    is_before_food = any(item.entry.allergens for item in items[at + 1 + is_led : at + 2 + is_led])
    is_upper = text[items[at].start : items[at].end] == "ANA"
    return is_before_food and (is_led or (is_upper and is_first))


def is_counted(items: list[Item], at: int) -> bool:
    """“2 cel”, “2 cel 1 veg”, “cel x2”, “cel. 1”; a telephone in “cel 5 55 12” and “2 cel 612”"""
    counts = [items[n].number if 0 <= n < len(items) else None for n in (at - 1, at + 1, at + 2)]
    if TIMES in {item.word for item in items[max(0, at - 1) : at + 2]}:
        return True
    before, behind, after = counts
    if before and before <= MOST_PEOPLE:
        return behind is None or (behind <= MOST_PEOPLE and after is None)
    end = at + 1 + (behind is not None)
    is_end = end >= len(items) or bool(items[end].kinds & {"sign", "diet", "allergen"})
    is_led = at > 0 and "person" in items[at - 1].kinds  # “niña cel”
    return is_end and (is_led if behind is None else 0 < behind < MOST_PEOPLE // 2)


def is_allergy_shorthand(items: list[Item], at: int, text: str) -> bool:
    """“allg nuts”, “allg: nuts”, “allg to nuts”, “ALLG”"""
    behind = [item for item in items[at + 1 : at + 3] if item.entry.allergens]
    is_led = at + 1 < len(items) and bool(items[at + 1].kinds & {"link", "sign", "allergen"})
    is_before = at > 0 and bool(items[at - 1].entry.allergens)
    is_upper = text[items[at].start : items[at].end].isupper()
    return is_upper or is_before or (is_led and bool(behind))


def items_of(found: list[NoteToken]) -> list[Item]:
    items, at, end = [], 0, len(found)
    homographs, score = lexicon().homographs, None
    while at < end:
        size, entry = longest(found, at)
        if size == 1 and found[at].word in homographs:
            score = score or languages_of(found)
            if is_foreign(found, at, score):
                entry = HARMLESS if entry and "harmless" in entry.kinds else None
        items.append(item(found[at : at + size], entry))
        if size == 1 and found[at].word in lexicon().numbers_of:
            score = score or languages_of(found)
            settle_number(items[-1], score)
        at += size
    return items


def settle_number(each: Item, score: dict[str, int]) -> None:
    """“tres” is three in Spanish, and “very” in French without its accent."""
    own = max(score[language] for language in lexicon().numbers_of[each.word])
    is_number = own >= max(score.values())
    each.kinds = {"number"} if is_number else each.kinds - {"number"}
    each.number = each.number if is_number else None


def longest(found: list[NoteToken], at: int) -> tuple[int, LexiconEntry | None]:
    built = lexicon()
    limit = min(built.longest.get(found[at].word, 1), len(found) - at)
    if limit < 2:
        return 1, lookup_word(found[at].word)
    most = built.longest_pair.get((found[at].word, found[at + 1].word), 0)
    for size in range(min(most, limit), 1, -1):
        entry = built.phrases.get(tuple(token.word for token in found[at : at + size]))
        if entry and not (entry.diets and is_no_diet(found, at + size)):
            more = without_fillers(found, at, limit) if "modal" in entry.kinds else None
            return more or (size, entry)
    return (limit > 2 and without_fillers(found, at, limit)) or (1, lookup_word(found[at].word))


def without_fillers(found: list[NoteToken], at: int, limit: int) -> tuple[int, LexiconEntry] | None:
    """“can't really eat” is “can't eat”."""
    ahead, fillers = found[at : at + limit + 1], small_words("fillers")
    kept = [n for n, token in enumerate(ahead) if not n or token.word not in fillers]
    if len(kept) == len(ahead):
        return None
    for size in range(len(kept), 1, -1):
        entry = lexicon().phrases.get(tuple(ahead[n].word for n in kept[:size]))
        if entry and not entry.diets:
            return kept[size - 1] + 1, entry
    return None


def is_no_diet(found: list[NoteToken], at: int) -> bool:
    is_one_meat = at < len(found) and found[at].word in OF_AN_ANIMAL
    return is_one_meat or names_allergy(found, at)


def names_allergy(found: list[NoteToken], at: int) -> bool:
    """“no gluten allergy” denies an allergy; it is not the diet “no gluten”."""
    entry = lookup_word(found[at].word) if at < len(found) else None
    return bool(entry and entry.kinds & {"allergy", "intolerance"})


def item(found: list[NoteToken], entry: LexiconEntry | None) -> Item:
    first = found[0].word
    if entry:
        return Item(first, found[0].start, found[-1].end, entry.kinds, entry, entry.number)
    if first.isdecimal():  # “²” is a digit and no number
        number = int(first) if len(first) <= 3 else None
        return Item(first, found[0].start, found[0].end, {"number"}, NOTHING, number)
    return Item(first, found[0].start, found[0].end, sign_kinds(first), NOTHING)


def sign_kinds(word: str) -> set[str]:
    if len(word) > 1 and word[0] == "+":
        return {"severe", "plusses"}
    if word in ENDS:
        return {"end"}
    if word[0].isalpha():
        return {"word"}
    return {"sign"}


def without_number_signs(items: list[Item]) -> Iterator[Item]:
    """“seat no. 3”, “nut allergy no 4”; “Allergies, no. 2 adults” answers, “huevo no. 2” too."""
    number = 0
    for at, each in enumerate(items):
        number = after_number_sign(items, at) if each.word in NUMBER_SIGNS else number
        if at >= number:
            yield each


def after_number_sign(items: list[Item], at: int) -> int:
    sign = items[at]
    place = next((n for n in range(at + 1, len(items)) if items[n].word not in ".°º"), at)
    is_marked = place > at + 1  # “n” alone is “and”
    is_word = sign.end - sign.start == len(sign.word) and (sign.word != "n" or is_marked)
    is_counted = items[place].number or (items[place].word == "of" and is_marked)
    near = reversed(items[max(0, at - MOST_BEFORE) : at])
    before = [*takewhile(lambda item: item.word not in ENDS, near)]
    last = next((item for item in before if item.word not in ",-–—"), sign)
    if not (is_word and is_counted):
        return at
    if last is sign or last.word in ":=(":
        if is_of_guest(before, items, place):
            if items[place].number == 1 and not is_marked and not before:
                sign.kinds = {"doubt"}  # “no 1 is vegan” may be nobody
                return at
            items[place].number = None  # a place, and no count
            return place
        return at
    is_label = [item.word for item in items[place + 1 : place + 2]] == [":"]  # “allergy no. 1: …”
    is_apart = items[place].start > items[place - 1].end  # unlike “allergies no.2”
    is_answer = "allergen" in last.kinds or (last.kinds & OF_ALLERGY and is_apart)
    is_answer = is_answer and not (names_illness(before) or is_label)
    is_refusal = "no" in sign.kinds and may_refuse(before, items[place + 1 : place + FAR])
    if is_answer or is_refusal:
        return at
    items[place].number = None if last.kinds & ILL else items[place].number
    return place


def is_of_guest(before: list[Item], items: list[Item], place: int) -> bool:
    """“no 4 coeliac”, “nut allergy (no. 3)”, “coeliac: no. 3”; not “Nut allergy: no. 2 adults”"""
    rest = [*takewhile(lambda item: item.word not in ENDS, items[place + 1 : place + FAR])]
    if not before:
        named = takewhile(lambda item: "sign" not in item.kinds, rest[:NEAR])
        return any(item.kinds & ILL for item in named)
    is_end = not rest or rest[0].word == ")"
    is_bracket = before[0].word == "("
    return names_illness(before) if is_end != is_bracket else is_end


def names_illness(items: list[Item]) -> bool:
    """“coeliac”, “nut allergy”, “vegan”; not “allergies”"""
    kinds = {kind for item in items for kind in item.kinds}
    return bool(kinds & {"cause", "diet"}) or ("allergen" in kinds and bool(kinds & OF_ALLERGY))


def may_refuse(before: list[Item], behind: list[Item]) -> bool:
    """“lunch no 2 nuts”, “party no. 3: nuts”: without the “no” it would be an order."""
    rest = [*takewhile(lambda item: item.word not in ENDS, behind)]
    food = next((item for item in rest if item.word != ":"), None)
    telling = {kind for item in (*before, *rest) for kind in item.kinds} & TELLING
    return food is not None and "allergen" in food.kinds and not telling


def sentences(text: str) -> list[Sentence]:
    found = [Sentence()]
    plain = without_marks(text)
    words = with_letters_joined(plain, tokens(plain))
    words = list(with_times_apart(words)) if TIMES_BESIDE.search(plain) else words
    items = [*without_number_signs(items_of(words))]
    for at, each in enumerate(items):
        if each.word not in ENDS:
            if each.word == "e" and text[each.start : each.end] in COPULAS:
                each.kinds = {*each.kinds, "copula"}
            if len(found[-1].items) == MOST_ITEMS:
                found.append(Sentence())
            found[-1].items.append(each)
            continue
        if each.word == "." and (is_shortened(found[-1]) or is_decimal(each, text)):
            continue
        found[-1].is_question |= each.word == "?"
        found[-1].is_loud |= each.word == "!"
        if each.word != "\n" or not open_list(found[-1]) or is_before_label(items[at : at + 12]):
            found.append(Sentence())
    found = [sentence for sentence in found if sentence.items]
    for sentence in found:
        mark_shorthand(sentence, text)
    return found


def is_shortened(sentence: Sentence) -> bool:
    """“Sellerie u. Senf”, “geen noten i.v.m. allergie”"""
    before = sentence.items[-1].word if sentence.items else ""
    return before in SHORTENED or (len(before) == 1 and before.isalpha())


def is_decimal(end: Item, text: str) -> bool:
    """“a 0.0 beer”; also “no restr., seat 4 egg”"""
    around = text[end.start - 1 : end.start] + text[end.end : end.end + 1]
    return around[1:] == "," or (len(around) == 2 and around.isdigit())


def is_before_label(items: list[Item]) -> bool:
    """“Allergies:”, and below it “Seating: window”; “Anna: nuts”, “jicama: severe” go on."""
    rest = list(dropwhile(lambda item: item.word == "\n", items))
    words = list(takewhile(lambda item: item.kinds & {"word", "link"}, rest))
    is_label = 0 < len(words) < 4 and [item.word for item in rest[len(words) :]][:1] == [":"]
    answer = rest[len(words) + 1 :][:2]
    return is_label and not any(item.entry.allergens or item.kinds & OF_ALLERGY for item in answer)


def open_list(sentence: Sentence) -> bool:
    """A line that ends with a colon or comma goes on in the next one."""
    return bool(sentence.items) and sentence.items[-1].word in ":,"
