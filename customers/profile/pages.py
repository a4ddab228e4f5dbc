"""The page of one guest: ordered panels, to which apps above add their own.

This app stands below reservations, reviews and calls and may not import them, so each of them
adds a `GuestPanel` in its `registration.py`: what to look up, and the template that shows it.
The template is given `panel`, `facts` and `profile`, and nothing else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db import models
from django.utils.functional import Promise

from accounts.models import User
from customers.models import Customer
from lib.registration import ExtensionPoint
from restaurants.access import can, within_reach
from restaurants.models import Group, Restaurant

BOOK = "reservations.change_reservation"


class PanelColumn(models.TextChoices):
    """Where on the page: across its top, beside the facts, in the wide column, or at the end."""

    TOP = "top"
    FACTS = "facts"
    MAIN = "main"
    END = "end"


class Profile:
    """A guest as one person sees them. Every property is lazy."""

    def __init__(
        self, guest: Customer, user: User, *, now: datetime, is_revealed: bool = False
    ) -> None:
        self.guest = guest
        self.user = user
        self.now = now
        # Whether this page shows the contacts in full. The view has recorded it.
        self.is_revealed = is_revealed
        # Panels shown in full because of the address: `?all=visits`.
        self.in_full: list[str] = []
        # What several panels of one page share, by the name that its app gives it.
        self.kept: dict[str, Any] = {}

    @property
    def group(self) -> Group:
        return self.guest.group

    @cached_property
    def everywhere(self) -> list[Restaurant]:
        """The restaurants of the guest's group. One query."""
        return list(Restaurant.objects.filter(group=self.guest.group_id).order_by("name"))

    @cached_property
    def restaurants(self) -> list[Restaurant]:
        """Those of them that the person may open. At most one query, shared with the menus."""
        keys = {one.pk for one in within_reach(self.user)}
        return [one for one in self.everywhere if one.pk in keys]

    def may(self, right: str) -> bool:
        """Whether the person holds the right anywhere in the guest's group."""
        return can(self.user, right, group=self.group)

    @cached_property
    def books_at(self) -> Restaurant | None:
        """The first restaurant of the group at which the person may book for the guest."""
        return next((one for one in self.restaurants if can(self.user, BOOK, one)), None)

    @property
    def may_reveal(self) -> bool:
        return self.may("customers.reveal_contact")

    @cached_property
    def top(self) -> list["PanelFacts"]:
        """Panels above the columns. Each runs its own queries."""
        return self._shown(PanelColumn.TOP)

    @cached_property
    def facts(self) -> list["PanelFacts"]:
        """Panels beside the main column. Each runs its own queries."""
        return self._shown(PanelColumn.FACTS)

    @cached_property
    def main(self) -> list["PanelFacts"]:
        """Panels of the main column. Each runs its own queries."""
        return self._shown(PanelColumn.MAIN)

    @cached_property
    def end(self) -> list["PanelFacts"]:
        """Panels below the facts, and last on a phone. Each runs its own queries."""
        return self._shown(PanelColumn.END)

    @property
    def names(self) -> set[str]:
        """The names of the panels on the page."""
        return {shown.panel.name for shown in (*self.top, *self.facts, *self.main, *self.end)}

    def panel(self, name: str) -> "PanelFacts":
        """One panel alone, for the response that replaces it."""
        panel = PANELS.named(name)
        return PanelFacts(panel, panel.facts(self))

    def _shown(self, column: PanelColumn) -> list["PanelFacts"]:
        allowed = [s for s in PANELS if s.column == column and (not s.right or self.may(s.right))]
        looked_up = [(panel, panel.facts(self)) for panel in allowed]
        return [PanelFacts(panel, facts) for panel, facts in looked_up if facts is not None]


@dataclass(frozen=True, kw_only=True)
class GuestPanel:
    """A panel of the page.

    `facts(profile)` looks up what the template shows, in a fixed number of queries; `None` leaves
    the panel out. `place` orders the panels of a column; `right` is what it takes to see it.
    """

    name: str
    title: str | Promise
    place: int
    template: str
    facts: Callable[[Profile], Any]
    column: PanelColumn = PanelColumn.MAIN
    right: str = ""


@dataclass(frozen=True)
class PanelFacts:
    """A panel with its facts about this guest."""

    panel: GuestPanel
    facts: Any


PANELS: ExtensionPoint[GuestPanel] = ExtensionPoint(
    "Panels of a guest's page", order=lambda one: (one.place, one.name)
)
