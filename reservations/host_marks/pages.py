"""The marks of one booking: what was marked, and what can be."""

from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from accounts.models import User
from reservations.changes.pages.summaries import CHANGE_RIGHT
from reservations.host_marks.forms import CHOICES
from reservations.host_marks.models import HostMark, HostMarkKind, latest_of_each, shown_mark
from reservations.host_marks.store import can_mark
from reservations.models import Reservation
from restaurants.access import can

# The key of a mark, in the drawer and on the page of a booking.
SHORTCUTS = {"on-the-way-20": "o", "no-answer": "a", "table-ready": "r"}


class HostMarkButton(NamedTuple):
    value: str
    minutes: int | None
    shortcut: str


class ListedMark(NamedTuple):
    """A mark with who set it and when; of several calls only the last one counts."""

    mark: HostMark
    sentence: str
    counts: bool


class HostMarkPanel:
    def __init__(self, reservation: Reservation, user: User, *, now: datetime) -> None:
        self.reservation = reservation
        self.user = user
        self.now = now

    @cached_property
    def is_allowed(self) -> bool:
        return can(self.user, CHANGE_RIGHT, self.reservation.restaurant)

    def _buttons(self, kind: HostMarkKind) -> list[HostMarkButton]:
        if not (self.is_allowed and can_mark(self.reservation, kind, now=self.now)):
            return []
        return [
            HostMarkButton(value, minutes, SHORTCUTS.get(value, ""))
            for value, (one, minutes) in CHOICES.items()
            if one == kind
        ]

    @property
    def on_the_way(self) -> list[HostMarkButton]:
        return self._buttons(HostMarkKind.ON_THE_WAY)

    @property
    def no_answer(self) -> list[HostMarkButton]:
        return self._buttons(HostMarkKind.NO_ANSWER)

    @property
    def table_ready(self) -> list[HostMarkButton]:
        """Until it is ready: a second mark would say nothing."""
        is_ready = any(one.mark.kind == HostMarkKind.TABLE_READY for one in self.listed)
        return [] if is_ready else self._buttons(HostMarkKind.TABLE_READY)

    @property
    def has_buttons(self) -> bool:
        return bool(self.on_the_way or self.table_ready)

    @cached_property
    def listed(self) -> list[ListedMark]:
        """The marks of the service day, the latest first. One query."""
        day = self.reservation.service_day
        found = (
            self.reservation.host_marks.filter(service_day=day) if day else HostMark.objects.none()
        )
        marks = list(found.select_related("made_by").order_by("made_at", "pk"))
        counting = set(latest_of_each(one.kind for one in marks).values())
        listed = [
            ListedMark(one, self._sentence(one), at in counting) for at, one in enumerate(marks)
        ]
        return listed[::-1]

    def _sentence(self, one: HostMark) -> str:
        return shown_mark(one.kind, one.minutes, one.made_at, self.reservation.restaurant).sentence

    @property
    def quiet_until(self) -> datetime | None:
        """Until when a call quiets the late alert."""
        ends = (one.mark.quiet_until for one in self.listed if one.counts)
        return next(filter(None, ends), None)
