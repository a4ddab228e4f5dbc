"""How many people a finding is about, where the note says it."""

from collections.abc import Iterator

from customers.allergies.items import TIMES, Item
from customers.allergies.lexicon import small_words

MOST = 40
PERSONS = ("allergiker", "allergikerin", "intoleranter", "intolerante", "intolerant", "patient")
ALL_TIMES = (TIMES, "×")
BRACKET_TIMES = [["(", sign] for sign in ALL_TIMES]
YEARS_OLD = ["y", "o"]
MEALS = frozenset({"word", "want", "question", "allergen"})
LIST_SIGNS = frozenset(",+&/;")
STOPS = frozenset({"sign", "but", "harmless"})


def people_of(items: list[Item], at: int, *, is_diet: bool) -> int | None:
    return (
        times(items, at)
        or after(items, at)
        or before(items, at, is_diet=is_diet)
        or at_end(items, at)
        or of_list(items, at)
    )


def times(items: list[Item], at: int) -> int | None:
    """“2x vegan 1x celiac”"""
    return counted(items[at - 2]) if at > 1 and items[at - 1].word in ALL_TIMES else None


def after(items: list[Item], at: int) -> int | None:
    """“vegan x2”, “vegan (2)”, “vegan for my wife”."""
    while at + 1 < len(items) and is_picture(items[at + 1]):  # “vegan 🌱 x3”
        at += 1
    is_named = at + 1 < len(items) and "people" in items[at + 1].kinds  # “halal gasten x3”
    following = items[at + 1 + is_named : at + 4 + is_named]
    if [item.word for item in following[:2]] in BRACKET_TIMES:
        following = following[1:]  # “no pork (x2)”
    if len(following) > 1 and following[0].word in (*ALL_TIMES, "(", ":") and following[1].number:
        return None if is_measure(items, at + 2 + is_named) else counted(following[1])
    if following and following[0].number and len(following) > 1 and following[1].word in ALL_TIMES:
        return counted(following[0])
    if is_count_alone(following) and not begins_list_number(items, at + 1 + is_named):
        is_seat = is_named and items[at + 1].word in small_words("places")
        return None if is_seat else counted(following[0])
    return people_for(items, at)


def people_for(items: list[Item], at: int) -> int | None:
    """“vegan for my wife”, “gluten-free menu for three”; “a vegan table for four” is no number."""
    place = at + 1
    while place < min(len(items) - 1, at + 3) and items[place].word not in small_words("for_whom"):
        if not items[place].kinds & MEALS or items[place].word in small_words("places"):
            return None
        place += 1
    if place >= len(items) - 1 or items[place].word not in small_words("for_whom"):
        return None
    is_cake = any(item.word in small_words("cakes") for item in items[max(0, at - 3) : place])
    while place + 2 < len(items) and items[place + 1].word in small_words("every"):
        place += 1  # “for all 6 of us”
    whose = items[place + 1]
    if is_measure(items, place + 1) or (is_cake and whose.number):
        return None
    return 1 if whose.word in small_words("oneself") else people_in(whose)


def is_count_alone(following: list[Item]) -> bool:
    """“celiaco 1, vegetariano 2”, “kosher 2 pax”"""
    is_number = bool(following) and following[0].word.isdigit()
    rest = following[2:] if "people" in kinds_of(following[1:2]) else following[1:]
    return is_number and (not rest or rest[0].word in ",;)")


def kinds_of(items: list[Item]) -> set[str]:
    return {kind for item in items for kind in item.kinds}


def is_picture(item: Item) -> bool:
    return item.kinds <= {"sign", "emoji"} and ord(item.word[0]) > ord("\u2600")


def of_list(items: list[Item], at: int) -> int | None:
    """“dairy free and egg free (one person)”, “no gluten no lactose 1 pax”: the end is of all."""
    place = at + 1
    while place < len(items) and is_of_list(items[place]):
        place += 1
    if place == at + 1 or place == len(items):
        return None
    small = small_words("for_whom")  # among them "("
    rest = [item for item in items[place:] if item.word not in small and item.word != ")"]
    if not rest or len(rest) > 2:
        return None
    if rest[0].kinds & {"person", "both"}:  # “peanuts & fish (both kids)”
        return people_in(rest[0]) if len(rest) == 1 or "people" in rest[1].kinds else None
    return counted(rest[0]) if len(rest) == 2 and "people" in rest[1].kinds else None


def is_of_list(item: Item) -> bool:
    is_named = bool(item.kinds & {"allergen", "diet", "free", "link", "emphasis", "no"})
    is_plea = item.word in small_words("thanks")
    if "both" in item.kinds:
        return False
    return item.number is None and (is_named or is_plea or item.word in LIST_SIGNS)


def at_end(items: list[Item], at: int) -> int | None:
    """“vegetarisch, 2 pers”, “vegetarianas somos duas”"""
    rest = items[at + 1 :]
    if len(rest) > 3 and rest[3].word in small_words("of_all"):
        rest = rest[:3]  # “…, 2 people of 5”
    if not 2 <= len(rest) <= 3 or not rest[1].number:
        return None
    is_listed = len(rest) == 3 and rest[0].word == "," and "people" in rest[2].kinds
    is_sentence = len(rest) == 2 and rest[0].word in small_words("are")
    return counted(rest[1]) if is_listed or is_sentence else None


def before(items: list[Item], at: int, *, is_diet: bool) -> int | None:
    for place in places_before(items, at):
        each = items[place]
        if "person" in each.kinds or "both" in each.kinds:
            return people_in(each)
        if each.number and (part := part_of(items, place) or one_of(items, place, at)):
            return part
        if each.number and (is_of_listed(items, place, at) or is_who_comes(items, place, at)):
            return None
        if each.number and counts(items, place, at, is_diet=is_diet):
            return counted(each)
        is_stop = "allergy" in each.kinds or (each.kinds & STOPS and each.word != "(")
        is_stop = is_stop and "people" not in each.kinds  # “kids” are noise elsewhere
        if is_stop and (each.word != "," or at - place > 1):
            return None
    return None


def one_of(items: list[Item], place: int, at: int) -> int | None:
    """“two allergic, one to tomato”"""
    between = items[place + 1 : at]
    is_against = bool(between) and all(i.word in small_words("against") for i in between)
    return 1 if is_against and items[place].number == 1 else None


def is_of_listed(items: list[Item], place: int, at: int) -> bool:
    """“2 EpiPens, peanuts”"""
    between = items[place + 1 : at]
    is_listed = len(between) < 3 and any(item.word == "," for item in between)
    return is_listed and items[place].word.isdigit() and "people" not in between[0].kinds


def is_who_comes(items: list[Item], place: int, at: int) -> bool:
    """“4 people, nut allergy”, “only two of us now, peanut allergy”, “4pax 1930 nut allergy”."""
    is_first = all("people" not in item.kinds and not item.number for item in items[:place])
    if items[place].number == 1 or items[place + 1].word in small_words("children"):
        return False  # “two kids, nut allergy”
    between = items[place + 1 : at]
    ends = (n for n, item in enumerate(between) if item.word == "," or is_clock(item))
    end = next(ends, 0)
    is_counted = any("people" in item.kinds for item in between[:end])
    return place <= 1 and is_first and is_counted


def is_clock(item: Item) -> bool:
    return "number" in item.kinds and item.number is None


def places_before(items: list[Item], at: int) -> Iterator[int]:
    """The last eight places; what stands in brackets is an age: “my son (6) is allergic”."""
    place = at - 1
    while place >= max(0, at - 8):
        is_bracket = items[place].word == ")" and place > 2 and items[place - 2].word == "("
        place -= 3 if is_bracket else 0
        yield place
        place -= 1


def counts(items: list[Item], place: int, at: int, *, is_diet: bool) -> bool:
    """“2 vegans”, “2 people are vegan”, “one is vegan”; not “table 2”, “2 years old”."""
    is_place = place > 0 and items[place - 1].word in small_words("places")
    is_place |= is_numbered(items, place)
    is_place |= place > 1 and is_of_group(items[place - 2], items[place - 1])
    is_place |= is_for_all(items, place, at, is_diet=is_diet)
    if is_place or is_measure(items, place) or is_age(items, place):
        return False
    is_in_brackets = place > 0 and items[place - 1].word == "("  # “2 kids (one dairy intolerant)”
    if at - place <= 3 and (items[place].word.isdigit() or is_in_brackets):
        return True
    following = items[place + 1]
    if following.word in small_words("of_whom") and items[place + 2].number:
        return False  # “9 dont un intolérant”, not “drei davon vegetarisch”
    is_counted = following.word in small_words("counts_on") and at - place <= 4
    is_next = at - place == 1 and (
        is_diet or is_plural(items[place], items[at]) or is_person(items[at])
    )
    is_some_of = following.word in small_words("of_all") and "people" in kinds_of(
        items[place + 2 : at]
    )
    return "people" in following.kinds or is_counted or is_next or is_some_of


def is_numbered(items: list[Item], place: int) -> bool:
    """“P1 veg P2 GF”, “S4 vegan”, “#2 nuts”, “2) fish”: seats"""
    before = items[place - 1] if place else items[place]
    is_seat = before.word == "#" or before.word in small_words("seats")
    return (is_seat and before.end == items[place].start) or begins_list_number(items, place)


def begins_list_number(items: list[Item], place: int) -> bool:
    """“1) nuts 2) fish”, not “(nuts 2)”"""
    brackets = [item.word for item in items[:place] if item.word in "()"]
    is_open = brackets[-1:] == ["("]
    return not is_open and place + 1 < len(items) and items[place + 1].word == ")"


def is_for_all(items: list[Item], place: int, at: int, *, is_diet: bool) -> bool:
    """“cake for 8 no nuts”, “table for 4 nut allergy”: so many eat. “table for 4 vegans” counts."""
    if place < 2 or items[place - 1].word not in small_words("for_whom"):
        return False
    word = items[place - 2].word
    is_table = word in small_words("groups") or word in small_words("places")
    return word in small_words("cakes") or (is_table and not (is_diet and at - place == 1))


def is_of_group(group: Item, of: Item) -> bool:
    """“two of our group of nine”"""
    return "of" in of.kinds and (group.word in small_words("groups") or "people" in group.kinds)


def part_of(items: list[Item], place: int) -> int | None:
    """“one of the 6”, “2 sur 5”: as many as are meant of all; “4 of whom 1” counts the others."""
    for at in range(max(1, place - 2), place):
        if items[at].word in small_words("of_all") and is_single(items[at]):
            return counted(items[at - 1])
    return None


def is_plural(number: Item, head: Item) -> bool:
    """“davon zwei Laktoseintolerante”; “eine Nussallergie” counts nobody."""
    return (number.number or 0) > 1 and bool(head.kinds & {"allergy", "intolerance", "cause"})


def is_person(head: Item) -> bool:
    """“un celíaco”, “ein Nussallergiker”, not “eine Zöliakie”"""
    return head.word in small_words("persons") or head.word.endswith(PERSONS)


def is_measure(items: list[Item], place: int) -> bool:
    """“coeliac for 20 years”, “8 pm”, “6 y/o”"""
    words = [each.word for each in items[place + 1 : place + 3]]
    return words == YEARS_OLD or any(word in small_words("units") for word in words[:1])


def is_age(items: list[Item], place: int) -> bool:
    """“my daughter of 5”, “kid 3”, “kids 3 and 5”, “he is 8”; “2 kids 3 vegans” counts."""
    if is_age_of_one(items, place):
        return True
    first = place
    while first > 1 and items[first - 2].number and is_between_ages(items[first - 1]):
        first -= 2
    is_of = (
        first > 1 and is_single(items[first - 1]) and items[first - 1].word in small_words("aged")
    )
    whose = items[first - 2 if is_of else first - 1] if first else None
    if whose is None or whose.number:
        return False
    is_plain = whose.word in small_words("child")
    return is_plain or ((is_of or first < place) and bool(whose.kinds & {"person", "people"}))


def is_age_of_one(items: list[Item], place: int) -> bool:
    """“my son is 3 and allergic”; “my son is 1 of 3 vegans” counts."""
    if place < 2 or items[place - 1].word not in small_words("is_old"):
        return False
    who, following = items[place - 2], items[place + 1]
    is_part = following.word in small_words("of_all") or "people" in following.kinds
    return not is_part and ("person" in who.kinds or who.word in small_words("he_or_she"))


def is_single(item: Item) -> bool:
    """“of”, not “of whom”"""
    return item.end - item.start == len(item.word)


def is_between_ages(item: Item) -> bool:
    return item.word in (*small_words("joins"), ",", "&", "+")


def people_in(item: Item) -> int | None:
    if "person" in item.kinds:
        return 1
    return 2 if "both" in item.kinds else counted(item)


def counted(item: Item) -> int | None:
    return item.number if item.number and item.number <= MOST else None
