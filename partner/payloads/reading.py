"""Tolerant parsing of a payload into a typed entity; bad parts become None.

A part of the wrong type is read where it can mean one thing only ("4", "true", a number for a
text), and of an object in the place of a note or of tags all its words are; else it becomes None.
Unknown fields and words are kept. All of it is reported as drift items, so that they are seen on
the health page instead of in a crash.
"""

import copy
import re
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from typing import Annotated, Any, ClassVar, TypeVar, cast, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PrivateAttr,
    Strict,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from lib.coerce import LARGEST_AMOUNT, integral
from lib.moments import parse_moment
from lib.text import as_data
from partner.http.protocol import DriftItem
from partner.wording import names

# Rounds of taking out what does not fit; the last one takes whole fields.
ROUNDS = 5
WORD_CAP = 60
SHORTEST_TEXT = 100
FLAGS = {"true": True, "false": False}
INTEGER = re.compile(r"-?\d{1,15}", re.ASCII)
DEGREE = re.compile(
    r"(?:very |tr[eè]s |muy |molto |muito |sehr |life[ -])?"
    r"(?:severe|mild|moderate|high|low|medium|critical|serious|strong|light"
    r"|slight|threatening|anaphyla\w+|allerg\w+|intoleran\w+|yes|no|none|\d{1,2}"
    r"|grave|s[eé]v[eè]re|sever[oa]|l[eé]ger|l[eé]g[eè]re|mod[eé]r[eé]e?|moderad[oa]|moderat[oa]"
    r"|lev[ei]|lieve|forte?|fuerte|mortelle?|mortale?|schwer|leicht|stark|ernstig|anafila\w+)",
    re.IGNORECASE,
)
DEGREE_FIELD = re.compile(r"\w*(?:sever\w+|mild|level|degree|gravity|reactions?)", re.IGNORECASE)
COMMA = re.compile(r",(?![^(\[]*[)\]])")  # none of those within brackets
WORD = re.compile(rf"[A-Za-z0-9_-]{{1,{WORD_CAP}}}")


class Entity(BaseModel):
    """Base of everything read: camelCase outside, ours inside; every part may be missing."""

    model_config = ConfigDict(
        alias_generator=to_camel, extra="allow", frozen=True, protected_namespaces=()
    )
    # Field → the words that the contract lists for it.
    WORDS: ClassVar[dict[str, frozenset[str]]] = {}
    # The dotted paths of the parts that could not be read, for whoever must not take them for null.
    _unreadable: frozenset[str] = PrivateAttr(default=frozenset())

    def __repr__(self) -> str:
        # Tracebacks and error reports print local values; a guest's data stays out of them.
        return f"<{type(self).__name__}>"

    __str__ = __repr__


E = TypeVar("E", bound=Entity)


def _aware(value: datetime, info: ValidationInfo) -> datetime:
    """Read a time without offset as UTC (the contract's examples are), and report it."""
    if value.tzinfo is not None:
        return value
    if info.context is not None:
        info.context.append(DriftItem("naive time", to_camel(info.field_name or "")))
    return value.replace(tzinfo=UTC)


def _dated(value: Any) -> Any:
    """A date is a text. Of a number or its digits a date in 1970 would be made up."""
    if isinstance(value, str) and not value.strip().lstrip("-").replace(".", "").isdigit():
        return value
    raise ValueError("not a date")


def _timed(value: Any, parse: ValidatorFunctionWrapHandler) -> datetime:
    """Read RFC 3339, which is nearly always sent, and then whatever else ISO 8601 allows."""
    try:
        return cast(datetime, parse(_dated(value)))
    except ValidationError:
        if moment := parse_moment(value):
            return moment
        raise


def _with_time(value: Any) -> Any:
    """A day alone is no time: of a booking midnight would be made up."""
    if isinstance(value, str) and ":" not in value and parse_moment(value) is None:
        raise ValueError("no time of day")
    return value


def _amount(value: Decimal) -> Decimal:
    """Refuse what no column holds and no page can round: it would fail where it is shown."""
    if value.copy_abs() >= LARGEST_AMOUNT:  # abs() raises Overflow for 1e999999999
        raise ValueError("not an amount")
    return value


def _note(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise PydanticCustomError("note_type", "not a text")


def _tags(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    raise PydanticCustomError("tags_type", "not a list")


Text = Annotated[str, Strict()]
# Words for people, among which an allergy may be: of no other part all words are read.
Note = Annotated[str, BeforeValidator(_note)]
Tags = Annotated[list[Note], BeforeValidator(_tags)]
Word = Annotated[str, Strict(), AfterValidator(names.neutral)]
Flag = Annotated[bool, Strict()]
Whole = Annotated[int, Strict(), BeforeValidator(integral)]
Instant = Annotated[datetime, WrapValidator(_timed), AfterValidator(_aware)]
# Of a date alone, too, an instant is read; of a meal none is.
MealTime = Annotated[Instant, BeforeValidator(_with_time)]
Day = Annotated[date, BeforeValidator(_dated)]
Number = Annotated[Decimal, AfterValidator(_amount)]


def read(model: type[E], payload: Any) -> tuple[E, tuple[DriftItem, ...]]:
    """Return the entity and what was odd about the payload. Never raises for bad parts.

    `payload` must be a JSON object; it is not changed.
    """
    drift: list[DriftItem] = []
    try:
        entity = model.model_validate(payload, context=drift)
    except ValidationError as fault:
        drift.clear()
        entity = _read_what_fits(model, payload, fault=fault, drift=drift)
    drift.extend(_unannounced(entity, path=""))
    return entity, tuple(dict.fromkeys(drift))


def readable(model: type[Entity], payload: dict[str, Any], *, fields: Collection[str]) -> list[str]:
    """Name those of the fields that hold something which can be read."""
    entity, _drift = read(model, {field: payload.get(field) for field in fields})
    values = entity.model_dump(by_alias=True)
    return [field for field in fields if values.get(field) is not None]


def read_list(model: type[E], payload: list[Any]) -> tuple[tuple[E, ...], tuple[DriftItem, ...]]:
    """Read every object of a list; what is not an object is left out and reported."""
    read_items = [read(model, item) for item in payload if isinstance(item, dict)]
    drift = [item for _, items in read_items for item in items]
    if len(read_items) < len(payload):
        drift.append(DriftItem("wrong type", "[]"))
    return tuple(entity for entity, _ in read_items), tuple(dict.fromkeys(drift))


def _read_what_fits(
    model: type[E], payload: Any, *, fault: ValidationError, drift: list[DriftItem]
) -> E:
    rest = copy.deepcopy(payload)
    bad: list[DriftItem] = []
    unreadable: set[str] = set()
    for attempt in range(ROUNDS):
        whole_fields = attempt == ROUNDS - 1
        errors = fault.errors(include_input=False, include_url=False)
        reached = {
            _reachable(rest, error["loc"][:1] if whole_fields else error["loc"]): error["type"]
            for error in errors
        }
        for loc, kind in reversed(reached.items()):  # taking an item out moves those after it
            bad.append(DriftItem("wrong type", _dotted(loc)))
            if attempt or not _respell(rest, loc, kind):
                unreadable.add(_dotted(loc))
                _take_out(rest, loc)
        try:
            context: list[DriftItem] = []
            entity = model.model_validate(rest, context=context)
        except ValidationError as again:
            fault = again
            continue
        drift.extend(bad + context)
        entity._unreadable = frozenset(unreadable)
        return entity
    raise fault  # cannot be: without its fields an entity is empty, and that is valid


def _reachable(node: Any, loc: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """Cut what pydantic adds behind the payload's own path (the member of a union)."""
    for depth, step in enumerate(loc):
        if not _has(node, step):
            return loc[:depth]
        node = node[step]
    return loc


def _respell(node: Any, loc: tuple[int | str, ...], kind: str) -> bool:
    """Write the part at `loc` as what it must mean; whether it means anything of that type."""
    if not loc:
        return False
    for step in loc[:-1]:
        node = node[step]
    respell = RESPELLED.get(kind)
    meant = respell(node[loc[-1]]) if respell else None
    if meant is not None:
        node[loc[-1]] = meant
    return meant is not None


def _integer(sent: Any) -> int | None:
    return int(sent) if isinstance(sent, str) and INTEGER.fullmatch(sent.strip()) else None


def _flag(sent: Any) -> bool | None:
    return FLAGS.get(sent.strip().lower()) if isinstance(sent, str) else None


def _words(sent: Any) -> str | None:
    """Of something with texts in it, all of them: they may be an allergy."""
    return ", ".join(_texts(sent)) or None if isinstance(sent, dict | list) else _text(sent)


def _text(sent: Any) -> str | None:
    """A number that stands for a text: a telephone number, a postal code. No short one, which may
    be the code of a word."""
    is_number = isinstance(sent, int) and not isinstance(sent, bool)
    return str(sent) if is_number and SHORTEST_TEXT <= sent < LARGEST_AMOUNT**2 else None


def _items(sent: Any) -> list[Any] | None:
    """One tag, or several with commas between them, in place of a list of tags; or the list as a
    text, of which “[]” would be a tag."""
    if isinstance(sent, str) and sent.strip()[:1] in ("[", "{"):
        sent = as_data(sent)
    if isinstance(sent, list):
        return list(_texts(sent))
    if isinstance(sent, dict):
        return list(_texts(sent)) or None
    if not isinstance(sent, str):
        return None
    return [part for item in COMMA.split(sent) if (part := item.strip())]


def _texts(sent: Any) -> Iterator[str]:
    """The texts in it, and the names of what is true ({"peanuts": true, "milk": false}) or has a
    degree ({"peanuts": "severe"}, {"peanuts": 3}), which alone would not show of what."""
    if isinstance(sent, str) and sent.strip():
        yield sent.strip()
    elif isinstance(sent, dict):
        is_table = not any(isinstance(one, dict | list) for one in sent.values())
        is_table &= all(_is_degree(one) for one in sent.values() if isinstance(one, str))
        for name, value in sent.items():
            yield from _named(name, value, is_table=is_table)
    elif isinstance(sent, list):
        yield from chain.from_iterable(map(_texts, sent))


def _named(name: str, value: Any, *, is_table: bool) -> Iterator[str]:
    """A number is a degree in a table of degrees only: elsewhere it is an “id”."""
    texts = [str(value)] if is_table and _is_number(value) else [*_texts(value)]
    is_of_name = _is_degree(value) and not DEGREE_FIELD.fullmatch(name)
    if value is True or _flag(value) or (is_of_name and isinstance(value, dict) and not texts):
        yield name
    elif texts and is_of_name:
        yield f"{name} ({', '.join(texts)})"
    elif _flag(value) is None:
        yield from texts


def _is_degree(sent: Any) -> bool:
    """“severe”, 3, {"severity": …}, {"severe": true}"""
    if isinstance(sent, dict):
        return any(map(DEGREE_FIELD.fullmatch, sent))
    return _is_number(sent) or (isinstance(sent, str) and bool(DEGREE.fullmatch(sent.strip())))


def _is_number(sent: Any) -> bool:
    """As a degree; 0 is none."""
    return isinstance(sent, int | float) and not isinstance(sent, bool) and sent > 0


RESPELLED: dict[str, Callable[[Any], Any]] = {
    "int_type": _integer,
    "bool_type": _flag,
    "string_type": _text,
    "note_type": _words,
    "tags_type": _items,
}


def _take_out(node: Any, loc: tuple[int | str, ...]) -> None:
    """Take the part at `loc` out: a field becomes None, an item of a list disappears."""
    for step in loc[:-1]:
        node = node[step]
    if isinstance(node, list):
        del node[int(loc[-1])]
    elif loc:
        node[loc[-1]] = None


def _has(node: Any, step: int | str) -> bool:
    if isinstance(node, dict):
        return step in node
    return isinstance(node, list) and isinstance(step, int) and step < len(node)


def _dotted(loc: tuple[int | str, ...]) -> str:
    """Write a path without list positions, so that equal drift counts as one."""
    return ".".join("[]" if isinstance(step, int) else step for step in loc)


def _unannounced(entity: Entity, *, path: str) -> Iterator[DriftItem]:
    for key in entity.model_extra or ():
        yield DriftItem("unknown field", f"{path}{key[:WORD_CAP]}")
    for name, known in entity.WORDS.items():
        word = getattr(entity, name)
        if word is not None and word not in known:
            yield DriftItem("unknown word", f"{path}{to_camel(name)}", _shown(word, known))
    for name, spelt, is_list in _nested(type(entity)):
        inner = getattr(entity, name)
        for part in (inner or ()) if is_list else (inner,):
            if part is not None:
                yield from _unannounced(part, path=f"{path}{spelt}.")


def _shown(word: str, known: Collection[str]) -> str:
    """The word if it looks like those of its enumeration; anything else may be about a person."""
    return word if WORD.fullmatch(word) or _is_phrase(word, known) else "(text)"


def _is_phrase(text: str, known: Collection[str]) -> bool:
    """Several words, no more than a known one has, of which one is known: a name has none."""
    phrases = [one.split(" ") for one in known if " " in one]
    words = text.split(" ")
    return (
        len(text) <= WORD_CAP
        and all(map(WORD.fullmatch, words))
        and len(words) <= max(map(len, phrases), default=0)
        and not set(words).isdisjoint(chain.from_iterable(phrases))
    )


@lru_cache(maxsize=64)
def _nested(model: type[Entity]) -> tuple[tuple[str, str, bool], ...]:
    """Return the fields that hold entities, as we and they spell them, and which are lists."""
    item = []
    for name, field in model.model_fields.items():
        parts = _flat(field.annotation)
        if any(isinstance(part, type) and issubclass(part, Entity) for part in parts):
            item.append((name, to_camel(name), list in parts))
    return tuple(item)


def _flat(annotation: Any) -> list[Any]:
    origin = getattr(annotation, "__origin__", None)
    inner = [part for arg in get_args(annotation) for part in _flat(arg)]
    return [origin or annotation, *inner]
