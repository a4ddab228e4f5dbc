"""Which lines of the kitchen's part somebody has read, and which changed since."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from lib.encryption import stored_digest
from live.announcements import announce_one
from reservations.briefing.models import KitchenAcknowledgement, PrintedBriefing
from reservations.models import Reservation
from restaurants.models import Restaurant

if TYPE_CHECKING:
    from reservations.briefing.lines import BriefingLine

Places = dict[int, Restaurant]

SALT = "reservations.briefing.acknowledgements"


class LineState(NamedTuple):
    """Who has read the line as it is; or when somebody read it as it was before."""

    restaurant: Restaurant
    seen: KitchenAcknowledgement | None
    before: KitchenAcknowledgement | None
    outdated: PrintedBriefing | None  # the day's last paper, if it does not say this line

    @property
    def key(self) -> str:
        if self.seen:
            return "seen"
        return "changed" if self.before or self.outdated else "open"

    @property
    def seen_at(self) -> datetime | None:
        """In the restaurant's time."""
        return self._local(self.seen)

    @property
    def before_at(self) -> datetime | None:
        """In the restaurant's time."""
        return self._local(self.before)

    @property
    def printed_at(self) -> datetime | None:
        """In the restaurant's time."""
        return self._as_local_time(self.outdated.printed_at) if self.outdated else None

    def _local(self, one: KitchenAcknowledgement | None) -> datetime | None:
        return self._as_local_time(one.seen_at) if one else None

    def _as_local_time(self, instant: datetime) -> datetime:
        return self.restaurant.local(instant).replace(tzinfo=None)


def digest_of(line: "BriefingLine") -> str:
    """A keyed hash of everything that the kitchen reads on a line."""
    booking = line.booking
    sentences = [(*one.parts, *one.findings, one.certainty) for one in line.mentions]
    read = booking.uuid, booking.minutes, booking.party_size, line.tags, sentences
    return stored_digest(SALT, repr(read))


def states_of(day: date, lines: "list[BriefingLine]", places: Places) -> dict[UUID, LineState]:
    """What the kitchen has read of these lines, and what is on its last paper. Three queries."""
    known: dict[UUID, list[KitchenAcknowledgement]] = defaultdict(list)
    ticks = KitchenAcknowledgement.objects.for_day(day, places.values())
    for one in ticks.select_related("seen_by"):
        known[one.reservation_uuid].append(one)
    papers = PrintedBriefing.objects.latest_of(day, places.values())
    found = {}
    for line in lines:
        place, uuid = line.booking.restaurant.pk, line.booking.uuid
        found[uuid] = _state_of(line, known[uuid], places[place], papers.get(place))
    return found


def _state_of(
    line: "BriefingLine",
    known: Sequence[KitchenAcknowledgement],
    restaurant: Restaurant,
    paper: PrintedBriefing | None,
) -> LineState:
    """`known` are the ticks of this booking."""
    digest = line.digest
    seen = next((one for one in known if one.digest == digest), None)
    before = max(known, key=lambda one: one.seen_at, default=None)
    is_on_paper = paper is None or paper.digests.get(line.booking.uuid) == digest
    return LineState(restaurant, seen, before, None if is_on_paper else paper)


@transaction.atomic
def acknowledge(
    reservation: Reservation, digest: str, *, day: date, user: User
) -> KitchenAcknowledgement:
    """Record who has read the line. Of two who tick it the first one stays."""
    found, is_new = KitchenAcknowledgement.objects.get_or_create(
        reservation_uuid=reservation.pk,
        digest=digest,
        defaults={
            "restaurant": reservation.restaurant,
            "service_day": day,
            "seen_by": user,
            "seen_at": timezone.now(),
        },
    )
    if is_new:
        announce_one(
            "acknowledgement", reservation.pk, version=found.pk, restaurant=reservation.restaurant
        )
    return found
