"""Words that mean what the lists say only beside others: “look”, “Bez”, “Ingen”."""

from itertools import takewhile

from customers.allergies.folding import NoteToken
from customers.allergies.lexicon import LANGUAGES, lexicon, small_words
from customers.allergies.spelling import lookup_word

FAR = 12  # words
NEAR = 3  # “bez żadnych orzechów”
ANSWERED = (["allergi", ":"], ["allergier", ":"])
NAMED = frozenset({"allergy", "intolerance", "cause", "free"})


def languages_of(found: list[NoteToken]) -> dict[str, int]:
    built, score = lexicon(), dict.fromkeys(LANGUAGES, 0)
    for word in {token.word for token in found}:  # once: “P1: noci / P2: niente / P3: latte”
        if word not in built.homographs:
            for language in built.languages.get(word, ()):
                score[language] += 1
    return score


def is_foreign(found: list[NoteToken], at: int, score: dict[str, int]) -> bool:
    """“look” is garlic in Dutch only: whether the other words are rather of another language."""
    languages = lexicon().homographs[found[at].word]
    if not languages and found[at].word in small_words("refusing"):
        is_answer = [token.word for token in found[max(0, at - 2) : at]] in ANSWERED
        return not (is_answer or refuses_food([token.word for token in found[at + 1 : at + FAR]]))
    return max((score[language] for language in languages), default=-1) < max(score.values())


def refuses_food(behind: list[str]) -> bool:
    """“bez mleka”, “ingen fisk”; “Bez nut allergy”, “van Ingen notenallergie” have names."""
    words = takewhile(lambda word: word[0] not in ".,;:!?()\n", behind)
    kinds = [entry.kinds if (entry := lookup_word(word)) else set() for word in words]
    food = next((n for n, each in enumerate(kinds[:NEAR]) if "allergen" in each), -1)
    is_denied = any("no" in each for each in kinds[: max(food, 0)])  # “Bez sin gluten”
    return food >= 0 and not is_denied and not any(each & NAMED for each in kinds)
