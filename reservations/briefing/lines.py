"""A line of the briefing: one booking with its notes, tags and what the notes say."""

from typing import Any, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from customers.allergies.kitchen_names import kitchen_name, read_by_people, tag_name
from customers.allergies.mentions import NoteMention, Source, mentions_in, of_fields_and_tags
from reservations.briefing.acknowledgements import digest_of
from reservations.service_day.bookings import BoardBooking

NOTES = (
    "uuid",
    "customer_note",
    "restaurant_note",
    "custom_fields",
    "customer__notes",
    "internal_note",
    "customer__fav_food",
    "customer__fav_drinks",
    "customer__custom_fields",
    "customer__other_tags",
    "customer__dietary_restrictions",
)


class BriefingLine(NamedTuple):
    """One booking of the service list."""

    booking: BoardBooking
    guest_note: str
    team_note: str
    diets: list[str]  # as the service has tagged them
    mentions: list[NoteMention]  # what notes say of allergies and diets
    language: str  # of the restaurant's kitchen

    @property
    def time(self) -> str:
        return self.booking.time

    @property
    def digest(self) -> str:
        """What a tick is for: the line as it is now."""
        return digest_of(self)

    @property
    def tags(self) -> list[str]:
        """Allergies, then diets, as the service has tagged them."""
        return [*self.booking.allergies, *self.diets]

    @property
    def tag_names(self) -> list[str]:
        """The tags in the kitchen's language; in the reader's where the kitchen has none."""
        if not self.language:
            return read_by_people(self.tags)
        return [tag_name(tag, self.language) for tag in self.tags]

    @property
    def kitchen_names(self) -> list[str]:
        """What the notes name in the kitchen's language, if that is not the reader's."""
        if not self.language or self.language == get_language():
            return []
        codes = dict.fromkeys(one.code for mention in self.mentions for one in mention.findings)
        return [kitchen_name(code, self.language) for code in codes]

    @property
    def shows_guest_note(self) -> bool:
        """The whole note, unless the sentence that was read stands there already."""
        return bool(self.guest_note) and not self.mentions


def line_of(booking: BoardBooking, row: Any, language: str) -> BriefingLine:
    if row is None:
        return BriefingLine(booking, "", "", [], [], language)
    diets = row.customer__dietary_restrictions or [] if booking.sees_health else []
    mentions = mentions_in(_sources(row), booking.decisions) if booking.sees_health else []
    return BriefingLine(booking, row.customer_note, row.restaurant_note, diets, mentions, language)


def _sources(row: Any) -> list[Source]:
    return [
        Source(_("Guest's request"), row.customer_note),
        Source(_("Team note"), row.restaurant_note),
        Source(_("Notes of the group"), row.customer__notes or ""),
        Source(_("Internal note"), row.internal_note),
        Source(_("Favourite food"), row.customer__fav_food or "", is_of_favourites=True),
        Source(_("Favourite drinks"), row.customer__fav_drinks or "", is_of_favourites=True),
        *of_fields_and_tags(row.custom_fields),
        *of_fields_and_tags(
            [*(row.customer__custom_fields or ()), *(row.customer__other_tags or ())]
        ),
    ]
