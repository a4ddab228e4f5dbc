"""What else is held on a guest: each room above says what it keeps, and forgets it when asked.

    personal_data.register(
        Holding("bookings", title=_("Bookings"), collect=collect, erase=erase, latest=latest)
    )

A guest's export is the sum of what `collect` answers, and an erasure is not done before every
`erase` has returned: all in one transaction.
"""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.functional import Promise

from customers.fact_lines import FactLines


def _never(_uuids: Sequence[UUID]) -> dict[UUID, datetime]:
    return {}


@dataclass(frozen=True)
class PersonalDataProvider:
    """What one room keeps.

    `collect(uuid)` returns it as data that JSON can hold; `erase(uuid)` forgets what tells of the
    person and may keep what does not (an evening's count of covers), while the guest's own row is
    still whole. `latest(uuids)` says when each guest was last seen, for the retention clock.
    `lines` says how what was collected reads for people.
    """

    name: str
    _: KW_ONLY
    title: str | Promise
    collect: Callable[[UUID], list[dict[str, Any]]]
    erase: Callable[[UUID], None]
    latest: Callable[[Sequence[UUID]], dict[UUID, datetime]] = _never
    lines: FactLines = field(default_factory=FactLines)


PROVIDERS: list[PersonalDataProvider] = []


def register(one: PersonalDataProvider) -> None:
    PROVIDERS[:] = [other for other in PROVIDERS if other.name != one.name] + [one]


def last_seen(uuids: Sequence[UUID]) -> dict[UUID, datetime]:
    """When each guest was last seen by any room. One query a room."""
    found: dict[UUID, datetime] = {}
    for provider in PROVIDERS:
        for uuid, at in provider.latest(uuids).items():
            found[uuid] = max(at, found.get(uuid, at))
    return found
