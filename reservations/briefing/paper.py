"""The briefing on paper: its number, its code, and whether it is still true."""

from datetime import datetime
from functools import cached_property
from uuid import UUID

from django.db import transaction
from django.utils.safestring import SafeString, mark_safe
from qrcode.image.svg import SvgPathImage
from qrcode.main import QRCode

from accounts.models import User
from reservations.briefing.lines import BriefingLine
from reservations.briefing.models import PrintedBriefing, PrintedLine
from reservations.briefing.pages import Briefing
from reservations.models import Reservation
from reservations.service_day.day import ServiceDay


@transaction.atomic
def record_print(evening: ServiceDay, *, user: User) -> PrintedBriefing:
    """Give the briefing, as it is now, a number. Six queries and those of the briefing."""
    printed = PrintedBriefing.objects.create(
        service_day=evening.day, printed_by=user, printed_at=evening.now
    )
    printed.restaurants.set(evening.health)
    PrintedLine.objects.bulk_create(
        PrintedLine(
            briefing=printed,
            restaurant_id=line.booking.restaurant.pk,
            reservation_uuid=line.booking.uuid,
            digest=line.digest,
        )
        for line in Briefing(evening).careful
    )
    return printed


def qr_code(address: str) -> SafeString:
    """The address as an image that a telephone reads from paper."""
    code = QRCode(border=2, image_factory=SvgPathImage)
    code.add_data(address)
    return mark_safe(code.make_image().to_string(encoding="unicode"))  # noqa: S308, paths alone


class PaperCheck:
    """What a paper says of allergies and diets, compared with now."""

    def __init__(self, printed: PrintedBriefing, briefing: Briefing) -> None:
        """The briefing is of the paper's day, and of those restaurants that the person may see."""
        self.printed = printed
        self.briefing = briefing
        self.evening = briefing.evening

    @cached_property
    def printed_digests(self) -> dict[UUID, str]:
        """What the paper says, by booking. One query."""
        lines = self.printed.lines.filter(restaurant__in=list(self.evening.restaurants))
        return dict(lines.values_list("reservation_uuid", "digest"))

    @cached_property
    def careful(self) -> list[BriefingLine]:
        """The lines as they are now. Two queries."""
        return self.briefing.careful

    @property
    def changed(self) -> list[BriefingLine]:
        return [
            one
            for one in self.careful
            if self.printed_digests.get(one.booking.uuid, one.digest) != one.digest
        ]

    @property
    def added(self) -> list[BriefingLine]:
        return [one for one in self.careful if one.booking.uuid not in self.printed_digests]

    @cached_property
    def gone(self) -> list[Reservation]:
        """Bookings on the paper that have no line any more: cancelled, moved, or not careful.

        One query.
        """
        missing = set(self.printed_digests) - {one.booking.uuid for one in self.careful}
        rows = Reservation.objects.filter(uuid__in=missing).order_by("local_minutes")
        return list(rows.select_related("restaurant", "customer"))

    @cached_property
    def is_true(self) -> bool:
        """Whether the paper still says all that the kitchen must know. Three queries."""
        return not (self.changed or self.added or self.gone)

    @property
    def printed_at(self) -> datetime:
        """In the restaurant's time."""
        return self.evening.as_local_time(self.printed.printed_at)

    @property
    def checked_at(self) -> datetime:
        return self.evening.as_local_time(self.evening.now)

    @property
    def others(self) -> int:
        """How many bookings changed, joined or left since, with or without allergies."""
        return self.briefing.changes_since(self.printed.printed_at)
