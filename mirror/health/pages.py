"""What the health page shows: of many accounts those with something wrong, the others as lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _

from mirror.health.sections import GOOD, ORDER, PAUSED, Section, sentence

# So many accounts are shown whole.
FEW = 3
# Of more, those with something wrong, the worst first.
MOST_WHOLE = 10


@dataclass(frozen=True)
class AccountHealth:
    """The sections of one account, or of the machine, and the worst of them."""

    connection: int
    name: str
    parts: list[Section]

    @property
    def cards(self) -> list[Section]:
        """What is down and what is late first, the others in their order: on a phone the sixth
        of fifteen cards is three screens away."""
        return sorted(self.parts, key=_urgency)

    @property
    def attention(self) -> list[Section]:
        return [part for part in self.cards if part.state != GOOD]

    @property
    def good(self) -> list[Section]:
        """Folded away on a phone: of three accounts they are ten screens."""
        return [part for part in self.cards if part.state == GOOD]

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
        whole = [one for one in accounts if one.connection == chosen] or to_show(accounts)
        self.blocks = _blocks(whole, [part for part in parts if part.connection is None])
        self.folded = [one for one in by_severity(accounts) if one not in whole]


def _blocks(accounts: list[AccountHealth], machine: list[Section]) -> list[AccountHealth]:
    """The cards of each account below its name, and those of the machine. A single account has
    no name here, and one block holds everything."""
    if not any(one.name for one in accounts):
        return [AccountHealth(0, "", [*(part for one in accounts for part in one.parts), *machine])]
    blocks = [*accounts, AccountHealth(0, _("This installation"), machine)]
    return sorted(blocks, key=lambda block: _urgency(block.worst))


def _urgency(part: Section) -> int:
    return -max(ORDER[part.state], ORDER[PAUSED])


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
