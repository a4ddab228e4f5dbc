"""Notes in scripts that are not ours: that they speak of an allergy or a diet, and of what.

Japanese, Chinese, Korean, Thai, Arabic, Hebrew, Hindi, Russian, Ukrainian, Bulgarian and Greek. Of
foods the lists have the usual ones: what else a sentence holds is a question. A denial stands at
its word; farther away it says what the guest cannot eat.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, cast
from unicodedata import normalize

from customers.allergies.findings import AllergenFinding, Certainty, DietFinding
from customers.allergies.lexicon import read_file

SCRIPTS = re.compile("[\u0370-\u1dff\u1f00-\u1fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# Of a word of Russian, Greek or Hebrew. East Asia writes the next word without a space.
ENDING = "[^\\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]*"
NEAR = 24  # characters before the word in which its denial stands
BESIDE = 6  # in which its food stands: “えびのアレルギー”
# A word of Chinese characters or katakana, of four letters elsewhere; hiragana is grammar.
UNREAD = re.compile("[ァ-ヺー㐀-鿿]{2}|[Ͱ-῿가-힯]{4}")
SENTENCE = re.compile(r"[^.!?。！？؟\n]+")
CLAUSE = re.compile(r"[^,;、，；،]+、?")  # “乳、卵” is milk and eggs
# “грибы” has no fish in it, “أبيض” no egg; small words stand against the next in two scripts.
# “безглютена” is without gluten; no peach is in “子どもも”, no milk in “ขนม”
STARTS = (("Ͱ", "ԯ", r"(?:(?<!\w)|(?<=без)|(?<=χωρίς))"), ("֐", "׿", r"(?<!\w)[ולבמהשכ]{0,3}?"),
          ("؀", "ۿ", r"(?<!\w)[وفبلكا]{0,4}?"), ("も", "も", "(?<!ど)"),
          ("か", "か", "(?<![だ静確])"), ("น", "น", "(?<!ข)"))  # fmt: skip
# “งาน” is an event, “Αυγούστου” August, “ללא שום בקשות” without any request, “エビスビール” a beer,
# “이식당” this restaurant, “새우 x1” one of them, “苦手なし” that nothing is disliked
NOT_BEFORE = {
    "エビ": "(?!ス(?:ビール|様|さん|バー|店|駅))",
    "이식": "(?!당)",
    "x": r"(?<![a-z0-9]x)(?!\s*[a-z0-9])",
    "なし": r"(?<![はがものー手題限更約望供い物:：、\s]なし)(?<!特になし)",
    "無し": r"(?<![はがものー手題限更約望供い物:：、\s]無し)(?<!特に無し)",
    "ベジ": "(?!タブル|ファ)",
    "乳、": "(?<![授母離]乳、)",
    "งา": "(?!น)",
    "αυγο": "(?!ύσ|υ\u0301?σ)",
    "שום": r"(?!\s+(?:אלרגיות|אלרגיה|רגישות|רגישויות|בעיה|בעיות|בקשות|הגבלות))",
}
AT_STARTS = frozenset({"refused", "allowed", "ill"})  # “можно” is not in “невозможно”


def allergies_in(text: str) -> Iterator[AllergenFinding]:
    if text.isascii() or not SCRIPTS.search(text):
        return
    for sentence in SENTENCE.finditer(text):
        first, last = sentence.span()
        heads = list(pattern_of("allergy").finditer(text, first, last))
        if heads and not is_exception(text, first, last):
            heads = [one for one in heads if not is_denied(text, one)]
        is_refused = bool(pattern_of("refused").search(text, first, last))
        foods = list(foods_of(text, first, last, "stated" if heads else "maybe"))
        yield from foods if heads or is_refused else ()
        is_named = any(food.certainty == "stated" for food in foods)
        for one in heads:
            if not is_named:
                yield AllergenFinding("unspecified", "stated", one.span())
            elif UNREAD.search(read_words().sub(" ", text[first:last])):
                yield AllergenFinding("unspecified", "maybe", one.span())
        if not (heads or foods):
            yield from hints(text, first, last)


@cache
def read_words() -> re.Pattern[str]:
    """What is left of a sentence without them may name another food: “卵と山芋アレルギー”"""
    kinds = ("allergy", "refused", "uneaten", "allowed", "no", "none", "between", "except")
    foods = "|".join(map(either_form, sorted(meanings("foods", "perhaps"), key=len, reverse=True)))
    return pattern(rf"(?:{words(*kinds)}|{foods}){ENDING}")


def hints(text: str, first: int, last: int) -> Iterator[AllergenFinding]:
    """“山芋は食べられない”, “透析中”: what no list has, and illnesses"""
    for kind in ("uneaten", "ill"):
        for one in pattern_of(kind).finditer(text, first, last):
            if kind == "ill" or not is_denied(text, one):
                yield AllergenFinding("unspecified", "maybe", one.span())


def foods_of(text: str, first: int, last: int, sure: Certainty) -> Iterator[AllergenFinding]:
    """“卵は大丈夫、ナッツアレルギー”: what is allowed is a hint."""
    for clause in CLAUSE.finditer(text, first, last):
        is_allowed = pattern_of("allowed").search(text, *clause.span())
        for one in pattern_of("foods", "perhaps").finditer(text, *clause.span()):
            for code, is_sure in meanings("foods", "perhaps")[word_of(one)].items():
                certainty = sure if is_sure and not is_allowed else "maybe"
                yield AllergenFinding(code, certainty, place(one), is_sure=is_sure)


def diets_in(text: str) -> Iterator[DietFinding]:
    if text.isascii() or not SCRIPTS.search(text):
        return
    for one in pattern_of("diets").finditer(text):
        if not is_denied(text, one):
            for code in meanings("diets")[word_of(one)]:
                yield DietFinding(code, "stated", place(one))


def place(one: re.Match[str]) -> tuple[int, int]:
    return one.span(one.lastindex or 0)


def word_of(one: re.Match[str]) -> str:
    return spelled(one[one.lastindex or 0])


def is_denied(text: str, one: re.Match[str]) -> bool:
    before = text[max(0, one.start() - NEAR) : one.start()]
    after = denial_after().match(text, one.end())
    if after and "・" in after[0]:  # of “えびアレルギー・好き嫌いなし” only the dislikes
        known = pattern_of("foods", "perhaps", "diets")
        after = None if known.search(text, max(0, one.start() - BESIDE), one.end()) else after
    return bool(after or denial_before().search(before))


def is_exception(text: str, first: int, last: int) -> bool:
    """“нет аллергии, кроме рыбы”, “えび以外アレルギーなし”: the food is refused."""
    has_except = pattern_of("except").search(text, first, last)
    return bool(has_except and pattern_of("foods", "perhaps").search(text, first, last))


@cache
def denial_before() -> re.Pattern[str]:
    """“没有食物过敏”, “нет пищевых аллергий”: a denial, and words that may follow it."""
    return pattern(rf"(?<!\w)(?:{words('no')})(?:\s*(?:{words('between')}))*\s*\Z")


@cache
def denial_after() -> re.Pattern[str]:
    """“アレルギーはなし”, “過敏：無”, “аллергии нет”: after the end of the word, or a colon."""
    none = rf"{words('none')}|x(?!\s*[a-z0-9])"  # “알레르기 X”, not “알레르기 x2”
    sign = r"\s*+[-–:：]?\s*+"  # never tried twice: 200 spaces took half a minute
    return pattern(f"{ENDING}{sign}(?:{words('particles')})?{sign}(?:{none})")


@cache
def pattern_of(*kinds: str) -> re.Pattern[str]:
    if isinstance(listed()[kinds[0]], dict):
        return pattern(starts(meanings(*kinds)))
    return pattern(starts(words_of(*kinds)) if AT_STARTS.issuperset(kinds) else words(*kinds))


@cache
def meanings(*kinds: str) -> dict[str, dict[str, bool]]:
    """What each word of the lists means: code → surely meant."""
    found: dict[str, dict[str, bool]] = defaultdict(dict)
    for kind in kinds:
        for code, line in listed()[kind].items():
            for word in line.split(", "):
                found[spelled(word)].setdefault(code, kind != "perhaps")
    return found


def starts(known: Iterable[str]) -> str:
    """Their words, each where one may begin in its script; the longest first."""
    ways: dict[str, list[str]] = defaultdict(list)
    for word in sorted(known, key=len, reverse=True):
        start = next((sign for low, high, sign in STARTS if low <= word[0] <= high), "")
        ways[start].append(f"(?:{either_form(word)}){NOT_BEFORE.get(word.casefold(), '')}")
    return "|".join(f"{start}({'|'.join(each)})" for start, each in ways.items())


def words(*kinds: str) -> str:
    """Those of these kinds; the longest first."""
    return "|".join(map(either_form, sorted(words_of(*kinds), key=len, reverse=True)))


def words_of(*kinds: str) -> list[str]:
    return [word for kind in kinds for word in listed()[kind].split(", ")]


def either_form(word: str) -> str:
    """With its marks in one sign, and apart."""
    forms = (normalize("NFD", word), normalize("NFC", word))
    return "|".join(re.escape(form) for form in dict.fromkeys(forms))


def spelled(word: str) -> str:
    return normalize("NFC", word.casefold())


def listed() -> dict[str, Any]:
    return cast("dict[str, Any]", read_shared()["other_scripts"])


@cache
def read_shared() -> dict[str, Any]:
    return read_file("shared")


def pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
