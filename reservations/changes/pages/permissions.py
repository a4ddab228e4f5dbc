"""What this person may do with a booking now, and why not."""

from datetime import datetime
from functools import cached_property

from django.utils.translation import gettext as _

from accounts.models import User
from mirror.models import Mirrored
from reservations.changes.pages.summaries import CHANGE_RIGHT, ChangeSummary, change_summaries
from reservations.models import ENDED, Reservation
from restaurants.access import can


class ReservationPermissions:
    def __init__(self, reservation: Reservation, user: User, *, now: datetime) -> None:
        self.reservation = reservation
        self.user = user
        self.now = now

    @cached_property
    def is_allowed(self) -> bool:
        """Whether the person may change bookings here. One query, unless the request has run it."""
        return can(self.user, CHANGE_RIGHT, self.reservation.restaurant)

    @property
    def why_not(self) -> str:
        """Why nothing can be changed, or "": the service would refuse each of these."""
        row = self.reservation
        if not self.is_allowed:
            return _("Your role does not change bookings.")
        if row.presence != Mirrored.Presence.PRESENT:
            return _("The service no longer has it here, so nothing can be changed.")
        if row.status in ENDED:
            return _("%(status)s: nothing can be changed any more.") % {"status": row.status_label}
        return ""

    @property
    def why_not_moved(self) -> str:
        """Why it can be neither changed nor cancelled although its note can be."""
        row = self.reservation
        if row.meal_at is not None and row.meal_at < self.now:
            return _("Its time has passed: only the note can still be changed.")
        return ""

    @cached_property
    def summaries(self) -> list[ChangeSummary]:
        """The intents about the booking, in words. One query."""
        can_move = not (self.why_not or self.why_not_moved)
        return change_summaries(self.reservation, can_move=can_move)

    @property
    def news(self) -> list[ChangeSummary]:
        """The latest intent, and the latest that was not undone, and all that are open or wait for
        a person."""
        return [one for one, is_news in self._parted if is_news]

    @property
    def past(self) -> list[ChangeSummary]:
        return [one for one, is_news in self._parted if not is_news]

    @cached_property
    def _parted(self) -> list[tuple[ChangeSummary, bool]]:
        """Each of them, and whether it is news."""
        lasting = (n for n, one in enumerate(self.summaries) if not one.is_undone)
        latest = {0, next(lasting, 0)}
        return [(one, n in latest or one.is_news) for n, one in enumerate(self.summaries)]
