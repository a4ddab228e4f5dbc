"""Which lines of the kitchen's part somebody has read, and which changed since."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import User
from live.announcements import announce_one
from reservations.briefing.models import KitchenAcknowledgement
from reservations.models import Reservation
from restaurants.models import Restaurant

if TYPE_CHECKING:
    from reservations.briefing.pages import BriefingLine

SALT = "reservations.briefing.acknowledgements"


class LineState(NamedTuple):
    """Who has read the line as it is; or when somebody read it as it was before."""

    restaurant: Restaurant
    seen: KitchenAcknowledgement | None
    before: KitchenAcknowledgement | None

    @property
    def key(self) -> str:
        if self.seen:
            return "seen"
        return "changed" if self.before else "open"

    @property
    def seen_at(self) -> datetime | None:
        """In the restaurant's time."""
        return self._local(self.seen)

    @property
    def before_at(self) -> datetime | None:
        """In the restaurant's time."""
        return self._local(self.before)

    def _local(self, one: KitchenAcknowledgement | None) -> datetime | None:
        return self.restaurant.local(one.seen_at).replace(tzinfo=None) if one else None


def digest_of(line: "BriefingLine") -> str:
    """A keyed hash of everything that the kitchen reads on a line."""
    booking = line.booking
    sentences = [(*one.parts, *one.findings, one.certainty) for one in line.mentions]
    read = booking.uuid, booking.minutes, booking.party_size, line.tags, sentences
    return salted_hmac(SALT, repr(read), algorithm="sha256").hexdigest()


def states_of(
    acknowledgements: Iterable[KitchenAcknowledgement],
    lines: "list[BriefingLine]",
    restaurants: dict[int, Restaurant],
) -> dict[UUID, LineState]:
    known: dict[UUID, list[KitchenAcknowledgement]] = defaultdict(list)
    for one in acknowledgements:
        known[one.reservation_uuid].append(one)
    return {
        line.booking.uuid: state_of(
            line, known[line.booking.uuid], restaurants[line.booking.restaurant.pk]
        )
        for line in lines
    }


def state_of(
    line: "BriefingLine", known: Sequence[KitchenAcknowledgement], restaurant: Restaurant
) -> LineState:
    """`known` are the ticks of this booking."""
    digest = digest_of(line)
    seen = next((one for one in known if one.digest == digest), None)
    before = max(known, key=lambda one: one.seen_at, default=None)
    return LineState(restaurant, seen, before)


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
