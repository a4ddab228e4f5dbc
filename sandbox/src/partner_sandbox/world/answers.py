"""What the three detail GETs answer for a whole world, and where in it a value stands."""

from collections.abc import Iterator
from typing import Any

from partner_sandbox.entities import customers, reservations, reviews
from partner_sandbox.entities.directory import Directory
from partner_sandbox.store import Store

Answers = dict[str, list[Any]]


def answers(store: Store) -> Answers:
    """Everything of the first group, which is the one that the clients of a small world may see."""
    places = {p.id: p for p in Directory(store).restaurants.values() if p.group_id == 1}
    with store.reading() as db:
        guests = db.execute("SELECT * FROM customer WHERE group_id=1").fetchall()
        bookings = db.execute(f"{reservations.FIND} r.restaurant_id<=3").fetchall()
        opinions = db.execute(f"{reviews.FIND} v.restaurant_id<=3").fetchall()
    return {
        "customer": [customers.payload(row) for row in guests],
        "reservation": [
            reservations.payload(row, places[row["restaurant_id"]]) for row in bookings
        ],
        "review": [reviews.payload(row, places[row["restaurant_id"]]) for row in opinions],
    }


def values_at(found: Any, path: list[str]) -> Iterator[Any]:
    """The values at a path of keys; lists on the way are walked."""
    if isinstance(found, list):
        for one in found:
            yield from values_at(one, path)
    elif not path:
        yield found
    elif isinstance(found, dict):
        yield from values_at(found.get(path[0]), path[1:])
