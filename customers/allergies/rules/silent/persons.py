"""Foods beside a name in a note that states nothing: “Bob nuts, Ann egg”, “nuts for Tom”."""

from collections.abc import Iterator
from dataclasses import dataclass

from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.denials.foods import COUNTED
from customers.allergies.rules.denials.words import BREAKS
from customers.allergies.rules.outcome import HARDLY_ORDERED, is_bread
from customers.allergies.rules.silent.idioms import may_be_surname

MOST_OF_NAME = 2  # words of “Bob Smith”
NAMES = frozenset({"word", "person", "harmless"})
MAY_BE_NAMES = NAMES | {"emphasis", "link", "of"}  # Ben and Ana are words of other languages
NOT_NAMES = ("no_foods", "prepared", "for_whom", "having", "asks_you")
ANSWERS = ("=", ":", "is", "est", "es")  # “nuts = Bob”, “nuts is Bob”
CONNECTING = frozenset({"link", "of", "article"})


@dataclass(slots=True)
class FoodsOfOne:
    foods: list[Item]
    is_person: bool  # “my wife”, “him”, “Bob”; not the “roasted” of “roasted nuts”
    is_led: bool  # “nuts for Tom”, “nuts: Tom”
    is_verb: bool  # “Bob is nuts”

    @property
    def is_meant(self) -> bool:
        """“Bob egg”, “nuts for Tom”; not “milk for Tom”, nor “she is nuts”"""
        rare = HARDLY_ORDERED - COUNTED if self.is_led else HARDLY_ORDERED
        is_rare = any(food.entry.allergens.keys() <= rare for food in self.foods)
        return self.is_person and not self.is_verb and is_rare


def foods_of_persons(text: str, sentences: list[Sentence]) -> Iterator[Item]:
    """A hint at each, where one of them is no dinner: “Tom prawns, Lea egg”, not “Tom fish”."""
    found = [one for sentence in sentences for one in PersonReader(text, sentence.items).read()]
    if len(found) > 1:
        is_meant = any(not any(map(is_dinner, one.foods)) for one in found)
    else:
        is_meant = any(one.is_meant for one in found)
    if is_meant:
        yield from (food for one in found for food in one.foods)


def is_dinner(food: Item) -> bool:
    return is_bread(food) or not food.entry.allergens.keys() <= HARDLY_ORDERED


class PersonReader:
    def __init__(self, text: str, items: list[Item]) -> None:
        self.text, self.items = text, items

    def read(self) -> Iterator[FoodsOfOne]:
        at = 0
        while at < len(self.items):
            end, found = self.read_one(at) if self.may_begin(at) else (0, None)
            if found:
                yield found
            at = end or at + 1

    def may_begin(self, at: int) -> bool:
        """Behind a sign or “and”, or where the foods of the one before end: “bob nuts ann egg”"""
        before = self.items[at - 1] if at else None
        return not before or bool(before.kinds & {"sign", "link", "allergen", "end"})

    def read_one(self, at: int) -> tuple[int, FoodsOfOne | None]:
        name = self.name_from(at)
        if name > at:
            verb = self.behind_verb(name)
            end = self.foods_from(verb)
            if end > verb and self.is_end(end, like=at):
                is_person = self.is_person(at, name, food=verb)
                foods = self.foods_in(verb, end)
                return end, FoodsOfOne(foods, is_person, is_led=False, is_verb=verb > name)
            return 0, None
        end = self.foods_from(at)
        is_led = end > at and self.word_at(end) in small_words("for_whom")
        is_next = end > at and self.word_at(end) in ANSWERS
        start = end + 1 if is_led or is_next else end
        name = self.name_from(start) if end > at else start
        if name == start or not self.is_over(name):
            return 0, None
        is_person = (is_led or is_next) and self.is_person(start, name, food=at)
        if is_led and not is_person:  # “eggs for breakfast”
            return 0, None
        return name, FoodsOfOne(self.foods_in(at, end), is_person, is_led=True, is_verb=False)

    def word_at(self, at: int) -> str:
        return self.items[at].word if at < len(self.items) else ""

    def name_from(self, at: int) -> int:
        """Behind the words of a name that begins here; `at` where none does."""
        end = at
        while end < min(at + MOST_OF_NAME, len(self.items)) and self.is_name(end):
            end += 1
        return end

    def is_name(self, at: int) -> bool:
        item = self.items[at]
        if at and len(item.word) == 1 and self.text[item.start].isupper():  # “twin A”
            return self.is_name(at - 1)
        if self.is_somebody(at) or self.is_title(at):
            return True
        if any(item.word in small_words(kind) for kind in NOT_NAMES) or not item.word.isalpha():
            return False
        return item.kinds <= NAMES or (
            item.kinds <= MAY_BE_NAMES and self.is_capital(at) and at > 0
        )

    def is_capital(self, at: int) -> bool:
        word = self.text[self.items[at].start : self.items[at].end]
        return word[:1].isupper() and word[1:].islower()

    def is_person(self, start: int, end: int, *, food: int) -> bool:
        """“Bob nuts”; a capital alone says nothing in “Walnut Tree” and “Casse-noisette”."""
        names = range(start, end)
        if any(self.is_somebody(at) or self.is_title(at) for at in names):
            return True
        first, last = sorted((self.items[end - 1], self.items[food]), key=lambda item: item.start)
        is_apart = self.text[first.end : last.start] != "-"
        is_day = any("harmless" in self.items[at].kinds for at in names)  # “nuts for Friday”
        is_plain = is_apart and not is_day and not self.is_capital(food)
        return is_plain and all(map(self.is_capital, names))

    def is_somebody(self, at: int) -> bool:
        item = self.items[at]
        is_name = may_be_surname(self.text, self.items, at)
        is_food = "allergen" in item.kinds and not is_name  # “Mrs Nuts”
        is_titled = at > 0 and self.is_title(at - 1) and not is_food
        return is_titled or "person" in item.kinds or item.word in small_words("whom")

    def is_title(self, at: int) -> bool:
        return self.items[at].word in small_words("titles")

    def behind_verb(self, at: int) -> int:
        """“Bob is”, “Bob has”, “Bob's”"""
        is_verb = self.word_at(at) in small_words("having") | {"s", "est", "es"}
        return at + 1 if is_verb else at

    def foods_from(self, at: int) -> int:
        """Behind the foods of a list that begins right here."""
        end = place = at
        while place < len(self.items):
            kinds = self.items[place].kinds
            if "allergen" in kinds and not kinds & {"diet", "cause"}:
                end = place + 1
            elif place == at or not kinds & CONNECTING:
                break
            place += 1
        return end

    def foods_in(self, start: int, end: int) -> list[Item]:
        return [item for item in self.items[start:end] if "allergen" in item.kinds]

    def is_over(self, at: int) -> bool:
        if at >= len(self.items):
            return True
        item = self.items[at]
        is_next = item.word in BREAKS or bool(item.kinds & {"sign", "link", "allergen"})
        return is_next or item.word in small_words("thanks")

    def is_end(self, at: int, *, like: int) -> bool:
        """Of foods behind a name, where the next name may begin; not “Jo milk tea”"""
        if self.is_over(at):
            return True
        return self.is_name(at) and (self.is_capital(at) or not self.is_capital(like))
