"""How many people a finding is about, where the note says it."""

from customers.allergies.items import Item

MOST = 40
PLACES = frozenset(
    ["table", "tisch", "mesa", "tavolo", "tafel", "tables", "no", "nr", "room", "zimmer", "chambre"]
)
PASSED = frozenset(
    {"word", "people", "severe", "mild", "emphasis", "diet", "link", "article", "of"}
)
STOPS = frozenset({"sign", "but", "harmless"})


def people_of(items: list[Item], at: int, *, is_diet: bool) -> int | None:
    return after(items, at) or before(items, at, is_diet=is_diet)


def after(items: list[Item], at: int) -> int | None:
    """“vegan x2”, “vegan (2)”, “vegan for my wife”."""
    following = items[at + 1 : at + 4]
    if len(following) > 1 and following[0].word in ("x", "×", "(", ":") and following[1].number:
        return counted(following[1])
    if (
        following
        and following[0].number
        and len(items) > at + 2
        and items[at + 2].word in ("x", "×")
    ):
        return counted(following[0])
    if following and following[0].word in ("(", "for", "pour", "para", "per", "fur", "voor"):
        return people_in(following[1]) if len(following) > 1 else None
    return None


def before(items: list[Item], at: int, *, is_diet: bool) -> int | None:
    for place in range(at - 1, max(-1, at - 9), -1):
        each = items[place]
        if "person" in each.kinds or "both" in each.kinds:
            return people_in(each)
        if each.number and counts(items, place, at, is_diet=is_diet):
            return counted(each)
        is_stop = "allergy" in each.kinds or (each.kinds & STOPS and each.word != "(")
        if is_stop and (each.word != "," or at - place > 1):
            return None
    return None


def counts(items: list[Item], place: int, at: int, *, is_diet: bool) -> bool:
    """A number next to the diet or allergy, or next to a word for people."""
    if place and items[place - 1].word in PLACES:
        return False
    if items[place].word.isdigit() and at - place <= 3:
        return True
    following = items[place + 1]
    return "people" in following.kinds or (is_diet and at - place == 1)


def people_in(item: Item) -> int | None:
    if "person" in item.kinds:
        return 1
    return 2 if "both" in item.kinds else counted(item)


def counted(item: Item) -> int | None:
    return item.number if item.number and item.number <= MOST else None
