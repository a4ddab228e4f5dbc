"""The list of what belongs to an offline copy: addresses, and versions by which they are old."""

from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse

from lib.web.style_sheets import collected_within
from reservations.models import Reservation
from restaurants.models import Restaurant

ZOOMS = ("list", "arrivals")
LIBRARY = "django_htmx/htmx-2.min.js"


class OfflineList:
    """Today and tomorrow of each restaurant: its boards, its briefing, each of its bookings."""

    def __init__(self, restaurants: list[Restaurant], *, now: datetime) -> None:
        self.restaurants = restaurants
        self.now = now

    def days(self, restaurant: Restaurant) -> list[date]:
        today = restaurant.service_day(self.now)
        return [today, today + timedelta(days=1)]

    @property
    def pages(self) -> list[str]:
        """Addresses of whole pages; the first of a restaurant is its list of today."""
        return [
            address
            for restaurant in self.restaurants
            for day in self.days(restaurant)
            for address in addresses(restaurant, day)
        ]

    @property
    def bookings(self) -> dict[str, int]:
        """The version of each booking, by the address of its drawer. A query per restaurant."""
        return {
            reverse("reservations:show", args=[uuid]): version
            for restaurant in self.restaurants
            for uuid, version in self._versions(restaurant)
        }

    def _versions(self, restaurant: Restaurant) -> Any:
        rows = Reservation.objects.present().for_restaurants([restaurant.pk])
        rows = rows.filter(service_day__in=self.days(restaurant))
        return rows.order_by("local_minutes", "pk").values_list("uuid", "version")


def addresses(restaurant: Restaurant, day: date) -> list[str]:
    place = {"scope": str(restaurant.uuid), "day": day.isoformat()}
    board, brief = reverse("reservations:index"), reverse("reservations:brief")
    boards = [f"{board}?{urlencode({**place, 'zoom': zoom})}" for zoom in ZOOMS]
    return [*boards, f"{brief}?{urlencode(place)}"]


def assets() -> list[str]:
    """Style and scripts of every page, which say nothing about anybody."""
    folder = settings.BASE_DIR / "static"
    found = sorted(path for kind in ("css", "js") for path in folder.rglob(f"*.{kind}"))
    within = collected_within(folder / "css" / "app.css")
    own = [str(path.relative_to(folder)) for path in found if path not in within]
    return [static(path) for path in (*own, LIBRARY)]
