"""What the team marks on a booking of the running day."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from restaurants.models import Restaurant

# Nobody is reached for good: after so long it is time to call again.
QUIET_AFTER_NO_ANSWER = 10  # minutes


class HostMarkKind(models.TextChoices):
    """Each has a symbol of its name."""

    ON_THE_WAY = "on-the-way", gettext_lazy("On the way")
    NO_ANSWER = "no-answer", gettext_lazy("No answer")
    TABLE_READY = "table-ready", gettext_lazy("Table ready")


# The marks that a call leaves; the latest one counts.
CALLS = (HostMarkKind.ON_THE_WAY, HostMarkKind.NO_ANSWER)


class ShownMark(NamedTuple):
    """A mark on a card, in the restaurant's local time."""

    kind: str
    at: str
    until: str  # when an alert that it quiets returns, or ""

    @property
    def time(self) -> str:
        """The time beside the symbol: when to expect the guest, or when somebody called."""
        if self.kind == HostMarkKind.TABLE_READY:
            return ""
        return self.until if self.kind == HostMarkKind.ON_THE_WAY else self.at

    @property
    def sentence(self) -> str:
        if self.kind == HostMarkKind.ON_THE_WAY:
            return _("On the way, expected %(time)s") % {"time": self.until}
        if self.kind == HostMarkKind.NO_ANSWER:
            return _("Called at %(time)s, no answer") % {"time": self.at}
        return _("Table ready")


class HostMark(models.Model):
    """What somebody of the team has marked: a fact of ours, of which the service learns nothing.

    It belongs to the service day on which it was set: a booking that is moved to another day
    leaves it behind. Deleted with the day and with the guest.
    """

    reservation = models.ForeignKey(
        "reservations.Reservation", models.CASCADE, related_name="host_marks"
    )
    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="+", db_index=False)
    service_day = models.DateField()
    kind = models.CharField(max_length=16, choices=HostMarkKind.choices)
    minutes = models.PositiveSmallIntegerField(null=True)  # in which the guest wants to be here
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        indexes = [
            # Those of a restaurant, which are deleted with it.
            models.Index(fields=["restaurant", "service_day"], name="host_mark_of_a_day"),
            # The marks of a board, and those that are deleted with their day: host_marks.store.
            models.Index(fields=["service_day"], name="host_mark_day"),
        ]

    def __str__(self) -> str:
        return f"{self.reservation_id} {self.kind}"

    @property
    def quiet_until(self) -> datetime | None:
        return quiet_until(self.kind, self.minutes, self.made_at)


def quiet_until(kind: str, minutes: int | None, made_at: datetime) -> datetime | None:
    """Until when the mark quiets the late alert; a ready table does not."""
    if kind == HostMarkKind.ON_THE_WAY:
        return made_at + timedelta(minutes=minutes or 0)
    if kind == HostMarkKind.NO_ANSWER:
        return made_at + timedelta(minutes=QUIET_AFTER_NO_ANSWER)
    return None


def shown_mark(
    kind: str, minutes: int | None, made_at: datetime, restaurant: Restaurant
) -> ShownMark:
    until = quiet_until(kind, minutes, made_at)
    at, end = (f"{restaurant.local(one):%H:%M}" if one else "" for one in (made_at, until))
    return ShownMark(kind, at, end)


def latest_of_each(kinds: Iterable[str]) -> dict[str, int]:
    """The position of the latest call and of the latest ready table, in the order of time."""
    return {"call" if kind in CALLS else "table": at for at, kind in enumerate(kinds)}
