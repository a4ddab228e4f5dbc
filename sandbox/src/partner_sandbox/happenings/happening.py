"""Context of a happening: its options, and the choice of restaurant, booking or review."""

import sqlite3
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from partner_sandbox.entities import customers, reservations, reviews
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.http.fields import UUID_TEXT
from partner_sandbox.service import SandboxService
from partner_sandbox.webhooks.events import OWNER


class NotPossible(Exception):
    """The options name something that is not there, or to which this cannot happen."""


@dataclass
class Happening:
    service: SandboxService
    db: sqlite3.Connection
    options: dict[str, Any]
    now: int

    def place(self) -> SandboxRestaurant:
        """The requested restaurant, or any that has a receiver."""
        directory = self.service.directory
        if "restaurant" in self.options:
            place = directory.restaurant(self.raw("restaurant"))
            if place is None:
                raise NotPossible("There is no restaurant with this uuid.")
            return place
        return self.service.luck.choice(self.places())

    def places(self) -> list[SandboxRestaurant]:
        """Where to look for a candidate, in random order."""
        if "restaurant" in self.options:
            return [self.place()]
        directory = self.service.directory
        found = [
            place
            for place in directory.restaurants.values()
            if directory.groups[place.group_id].owner == OWNER and not place.closed_down
        ]
        self.service.luck.shuffle(found)
        return found

    def raw(self, name: str) -> bytes:
        text = self.options[name]
        if not isinstance(text, str) or not UUID_TEXT.fullmatch(text):
            raise NotPossible(f"`{name}` is a uuid.")
        return UUID(text).bytes

    def option(self, name: str, allowed: tuple[str, ...], default: str) -> str:
        value = self.options.get(name, default)
        if value not in allowed:
            raise NotPossible(f"`{name}` is one of {', '.join(allowed)}.")
        return str(value)

    def reservation(self, condition: str, window: tuple[int, int]) -> Any:
        """The requested reservation, or one that fits, nearest to now first."""
        if "reservation" in self.options:
            row = reservations.find(self.db, self.raw("reservation"))
            if row is None:
                raise NotPossible("There is no reservation with this uuid.")
            return row
        for place in self.places():
            row = self.db.execute(
                f"{reservations.FIND} r.restaurant_id=? AND r.meal>=? AND r.meal<? AND"
                f" ({condition}) ORDER BY ABS(r.meal-?), r.id LIMIT 1",
                (place.id, self.now + window[0], self.now + window[1], self.now),
            ).fetchone()
            if row is not None:
                return row
        return None

    def review(self, condition: str, window: int) -> Any:
        """The requested review, or the newest that fits."""
        if "review" in self.options:
            row = reviews.find(self.db, self.raw("review"))
            if row is None:
                raise NotPossible("There is no review with this uuid.")
            return row
        for place in self.places():
            row = self.db.execute(
                f"{reviews.FIND} v.restaurant_id=? AND v.meal>=? AND ({condition})"
                " ORDER BY v.meal DESC, v.id LIMIT 1",
                (place.id, self.now - window),
            ).fetchone()
            if row is not None:
                return row
        return None

    def customer(self) -> Any:
        if "customer" in self.options:
            row = customers.find(self.db, self.raw("customer"))
            if row is None:
                raise NotPossible("There is no customer with this uuid.")
            return row
        return self.any_customer(self.place())

    def any_customer(self, place: SandboxRestaurant) -> Any:
        most = self.db.execute("SELECT MAX(id) FROM customer").fetchone()[0] or 0
        return self.db.execute(
            "SELECT * FROM customer WHERE id>=? AND group_id=? ORDER BY id LIMIT 1",
            (self.service.luck.randint(0, most), place.group_id),
        ).fetchone()

    def place_of(self, row: Any) -> SandboxRestaurant:
        return self.service.directory.restaurants[row["restaurant_id"]]

    def change_reservation(self, row: Any, **columns: Any) -> dict[str, Any]:
        """Store the change, send its event and return what was done."""
        place = self.place_of(row)
        row = reservations.change(self.db, row, self.now, **columns)
        self.service.events.reservation("reservationUpdated", row["uuid"], place)
        return describe(row, place)

    def change_review(self, row: Any, event: str, **columns: Any) -> dict[str, Any]:
        row = reviews.change(self.db, row, self.now, **columns)
        return self.announce_review(row, event)

    def announce_review(self, row: Any, *events: str) -> dict[str, Any]:
        place = self.place_of(row)
        for event in events:
            self.service.events.review(event, row["uuid"], place, row["reservation_uuid"])
        return {"review": reservations.uuid_text(row["uuid"]), "restaurant": place.name}


def describe(row: Any, place: SandboxRestaurant) -> dict[str, Any]:
    return {
        "reservation": reservations.uuid_text(row["uuid"]),
        "restaurant": place.name,
        "mealDate": reservations.local_text(place, row["meal"]),
        "partySize": row["party_size"],
        "status": row["status"],
        "mealStatus": row["meal_status"],
    }


def close_restaurant(happening: Happening) -> dict[str, Any]:
    """A restaurant leaves the service: its reservations answer RESTAURANT_NOT_FOUND."""
    return _set_closed(happening, closed=True)


def open_restaurant(happening: Happening) -> dict[str, Any]:
    """A restaurant that left comes back."""
    return _set_closed(happening, closed=False)


def _set_closed(happening: Happening, *, closed: bool) -> dict[str, Any]:
    place = happening.place()
    happening.db.execute("UPDATE restaurant SET closed_down=? WHERE id=?", (closed, place.id))
    place.closed_down = closed
    return {"restaurant": place.name, "uuid": place.uuid}
