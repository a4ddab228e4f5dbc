"""Answers of calls: the partner's text and the typed entity read from it."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar

from partner.http.protocol import Decoded, DriftItem, Request, foreign
from partner.limits.priorities import CallPriority
from partner.payloads.entity_checks import is_requested, missing
from partner.payloads.reading import Entity, read, read_list
from partner.schemas import PhoneMatch

T = TypeVar("T")
E = TypeVar("E", bound=Entity)


@dataclass(frozen=True, slots=True)
class PartnerAnswer(Generic[T]):
    """A good answer. `raw` is its text, character for character."""

    raw: str = field(repr=False)
    payload: Any = field(repr=False)
    entity: T = field(repr=False)
    # What the contract does not announce: unknown fields and words, wrong types.
    drift: tuple[DriftItem, ...]
    # Taken before the request left: the answer is at least as new as this.
    started_at: datetime


def entity_answer(
    model: type[E], request: Request, decoded: Decoded, *, priority: CallPriority
) -> PartnerAnswer[E]:
    if not isinstance(decoded.payload, dict):
        raise foreign(request, priority=priority, body=decoded.text)
    entity, drift = read(model, decoded.payload)
    if not is_requested(request, entity, decoded.payload):
        raise foreign(request, priority=priority, body=_evidence(decoded))
    return answer(decoded, entity, drift + missing(request, entity, decoded.payload))


def phone_answer(
    number: str, request: Request, decoded: Decoded, *, priority: CallPriority
) -> PartnerAnswer[PhoneMatch]:
    """Return the guest with exactly this number: the service compares text with text."""
    found = entity_answer(PhoneMatch, request, decoded, priority=priority)
    if found.entity.phone and _digits(found.entity.phone) != _digits(number):
        raise foreign(request, priority=priority, body=_evidence(decoded))
    return found


def _digits(number: str) -> str:
    return "".join(filter(str.isdigit, number))


def _evidence(decoded: Decoded) -> str:
    """Return what came instead; only field names if it may be another person's record."""
    is_record = any(key.endswith("Uuid") for key in decoded.payload)
    return ", ".join(decoded.payload) if is_record else decoded.text


def list_answer(
    model: type[E], request: Request, decoded: Decoded, *, priority: CallPriority
) -> PartnerAnswer[tuple[E, ...]]:
    entities, drift = read_list(model, array(request, decoded, priority=priority))
    return answer(decoded, entities, drift)


def sizes_answer(
    request: Request, decoded: Decoded, *, priority: CallPriority
) -> PartnerAnswer[tuple[int, ...]]:
    items = array(request, decoded, priority=priority)
    # The contract says "numbers": 4.0 is a party of four, true is none.
    numbers = [item for item in items if type(item) in (int, float)]
    sizes = tuple(int(item) for item in numbers if 0 < item == item // 1)
    drift = () if len(sizes) == len(items) else (DriftItem("wrong type", "[]"),)
    return answer(decoded, sizes, drift)


def array(request: Request, decoded: Decoded, *, priority: CallPriority) -> list[Any]:
    if not isinstance(decoded.payload, list):
        raise foreign(request, priority=priority, body=decoded.text)
    return decoded.payload


def answer(decoded: Decoded, entity: T, drift: tuple[DriftItem, ...]) -> PartnerAnswer[T]:
    return PartnerAnswer(
        raw=decoded.text,
        payload=decoded.payload,
        entity=entity,
        drift=decoded.drift + drift,
        started_at=decoded.started_at,
    )
