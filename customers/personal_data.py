"""What each app holds on a guest: collected for the export, erased with the guest.

A guest's export is the sum of what every `collect` returns. An erasure calls every `erase` in one
transaction.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.functional import Promise

from customers.fact_lines import FactLines
from customers.models import Customer
from lib.registration import ExtensionPoint
from lib.text import as_data
from mirror.models import Mirrored

# The keys of an answer that stay when a guest is erased, each with those inside it.
KeptKeys = dict[str, "KeptKeys | None"]
WHOLE = None


def _never(_uuids: Sequence[UUID]) -> dict[UUID, datetime]:
    return {}


def _nobody(_uuids: Sequence[UUID], _since: datetime) -> set[UUID]:
    return set()


def _nothing(_uuid: UUID, _since: datetime) -> bool:
    return False


def _no_requests(_uuid: UUID) -> Q:
    return Q(pk__in=())


@dataclass(frozen=True)
class PersonalDataProvider:
    """What one app holds on guests.

    `collect(uuid)` returns it as JSON data. `erase(uuid)` removes what identifies the person, while
    the guest's own row is still complete, and may keep what does not: a service day's covers.
    `lock(uuid)` locks the intents about the guest, and returns which sync requests `erase` changes:
    they are locked together, before any entity.
    `latest(uuids)` returns when each guest was last seen, for the retention clock, and
    `seen_since(uuids, moment)` many of those who were seen later: cheap, and not all need be in it.
    `holds_since(uuid, erased_at)` returns whether it keeps what a guest left after their erasure.
    `lines` renders the collected data for people.
    """

    name: str
    _: KW_ONLY
    title: str | Promise
    collect: Callable[[UUID], list[dict[str, Any]]]
    erase: Callable[[UUID], None]
    lock: Callable[[UUID], Q] = _no_requests
    latest: Callable[[Sequence[UUID]], dict[UUID, datetime]] = _never
    seen_since: Callable[[Sequence[UUID], datetime], set[UUID]] = _nobody
    holds_since: Callable[[UUID, datetime], bool] = _nothing
    lines: FactLines = field(default_factory=FactLines)


PROVIDERS: ExtensionPoint[PersonalDataProvider] = ExtensionPoint("What is held on a guest")


def erasures_among(guests: Iterable[UUID | None]) -> dict[UUID, datetime]:
    """Those of these guests who are erased, and since when: what is stored of them is redacted
    again. One query, none without guests."""
    erased = Customer.objects.filter(
        pk__in={uuid for uuid in guests if uuid}, presence=Mirrored.Presence.ERASED
    )
    return dict(erased.values_list("pk", "changed_at"))


def of_erased_guest(row: Any) -> bool:
    """Whether a row belongs to an erased guest. One query, none without a guest."""
    return bool(erasures_among([row.customer_id]))


def is_held_again(guest: Customer) -> bool:
    """Whether an erased guest has left something since, so that there is something to erase again.
    One query an app if erased."""
    is_erased = guest.presence == Mirrored.Presence.ERASED
    return is_erased and any(one.holds_since(guest.pk, guest.changed_at) for one in PROVIDERS)


def last_seen(uuids: Sequence[UUID]) -> dict[UUID, datetime]:
    """When each guest was last seen by any app. One query an app."""
    found: dict[UUID, datetime] = {}
    for provider in PROVIDERS:
        for uuid, at in provider.latest(uuids).items():
            found[uuid] = max(at, found.get(uuid, at))
    return found


def maybe_unseen(uuids: Sequence[UUID], *, since: datetime) -> list[UUID]:
    """Leave out those who were certainly seen since. One query an app."""
    seen = {uuid for provider in PROVIDERS for uuid in provider.seen_since(uuids, since)}
    return [uuid for uuid in uuids if uuid not in seen]


def whole(keys: str) -> KeptKeys:
    return dict.fromkeys(keys.split(), WHOLE)


def redact_answer(raw: str, kept: KeptKeys) -> str:
    """The answer with null in the place of all that is not kept; nothing of what is no object."""
    payload = as_data(raw)
    return json.dumps(_only(payload, kept), ensure_ascii=False) if isinstance(payload, dict) else ""


def _only(value: Any, kept: KeptKeys | None) -> Any:
    if kept is WHOLE:
        return value
    if not isinstance(value, dict):
        return None
    return {key: _only(inside, kept[key]) if key in kept else None for key, inside in value.items()}
