"""Kind and discount of offers from their bookings, because the service lists neither."""

from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from django.db.models import Max

from accounts.models import User
from reservations.models import Reservation
from reservations.words import offer_kind, offer_restriction
from restaurants.models import Restaurant

NEAR = timedelta(days=60)
FACTS = ("offer_type", "offer_menu_type", "offer_discount", "offer_price", "offer_currency")


class BookedOffer(NamedTuple):
    """An offer as its latest booking states it."""

    type: str
    menu_type: str
    discount: Decimal | None
    price: Decimal | None
    currency: str
    names: dict[str, str]

    @property
    def kind(self) -> str:
        return offer_kind(self.type, self.menu_type)

    @property
    def restriction(self) -> str:
        """Who may use it, or ""."""
        return offer_restriction(self.menu_type)

    @property
    def name(self) -> str:
        """In the reader's language, else in English, else in any."""
        return Reservation(offer_name=self.names).offer_label


def booked_offers(restaurant: Restaurant, *, user: User, today: date) -> dict[UUID, BookedOffer]:
    """The offers of the bookings within two months of today. One query, over an index of days."""
    rows = Reservation.objects.visible_to(user).present().for_restaurants([restaurant.pk])
    rows = rows.filter(service_day__range=(today - NEAR, today + NEAR))
    named = rows.filter(offer_uuid__isnull=False).exclude(offer_type="").order_by()
    known = named.values_list("offer_uuid", *FACTS, "offer_name").annotate(last=Max("service_day"))
    return {row[0]: BookedOffer(*row[1:-1]) for row in sorted(known, key=lambda row: row[-1])}
