"""What the health page shows: of many accounts those with something wrong, the others as lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from mirror.health.sections import ORDER, PAUSED, Section, sentence

# So many accounts are shown whole.
FEW = 3
# Of more, those with something wrong, the worst first.
MOST_WHOLE = 10


@dataclass(frozen=True)
class AccountHealth:
    """The sections of one account, and the worst of them."""

    connection: int
    name: str
    parts: list[Section]

    @property
    def worst(self) -> Section:
        return max(self.parts, key=lambda part: ORDER[part.state])

    @property
    def is_wrong(self) -> bool:
        return sentence(self.parts).name != "all"


class HealthPage:
    """The sections in full, and the accounts of which one line is shown."""

    def __init__(self, parts: Sequence[Section], *, chosen: int | None = None) -> None:
        self.head = sentence(parts)
        accounts = accounts_in(parts)
        machine = [part for part in parts if part.connection is None]
        whole = [one for one in accounts if one.connection == chosen] or to_show(accounts)
        shown = [*(part for one in whole for part in one.parts), *machine]
        # What is down and what is late first, the others in their order: on a phone the sixth of
        # fifteen cards is three screens away.
        self.sections = sorted(shown, key=lambda part: -max(ORDER[part.state], ORDER[PAUSED]))
        self.folded = [one for one in by_severity(accounts) if one not in whole]


def to_show(accounts: list[AccountHealth]) -> list[AccountHealth]:
    if len(accounts) <= FEW:
        return accounts
    return [one for one in by_severity(accounts) if one.is_wrong][:MOST_WHOLE]


def by_severity(accounts: list[AccountHealth]) -> list[AccountHealth]:
    return sorted(accounts, key=lambda one: (-ORDER[one.worst.state], one.name))


def accounts_in(parts: Sequence[Section]) -> list[AccountHealth]:
    own = [part for part in parts if part.connection is not None]
    grouped = groupby(own, key=lambda part: (part.connection, part.account))
    return [AccountHealth(pk or 0, name, list(found)) for (pk, name), found in grouped]
