"""The other side of `tests.bench.rereading`: adds notes to a long history, then reads them all."""

import random
import sys
import time
from collections.abc import Callable
from datetime import date
from typing import NoReturn

import django

django.setup()

from django.utils import timezone  # noqa: E402 - the settings exist only now

from customers.allergies.lexicon import LANGUAGES  # noqa: E402
from customers.allergies.measuring import corpus  # noqa: E402
from insights.models import Counter  # noqa: E402
from insights.sums import rereading  # noqa: E402
from lib.database import bulk  # noqa: E402
from reservations.models import Reservation  # noqa: E402
from restaurants.models import Restaurant  # noqa: E402
from tests.bench.helper_process import say  # noqa: E402

EVERY = 3  # bookings with a note
TELLING = 1 / 7  # of the notes: in a trial 12 of 86
AT_ONCE = 5000
HELD: list[float] = []
HARMLESS = (
    "Table près de la fenêtre si possible, merci beaucoup",
    "It is my mother's 70th birthday, could you bring a candle with the dessert?",
    "Llegaremos unos quince minutos tarde porque el tren sale a las siete",
    "We were here last year and loved the terrace; the same table would be wonderful",
    "Poussette et chaise haute pour un bébé de dix mois",
    "Business dinner, a quiet corner please, the bill goes to the company",
    "Wir kommen mit einem kleinen Hund und einem Kinderwagen",
    "Wheelchair access needed, no stairs please",
)


def main() -> NoReturn:
    say({"notes": add_notes()})
    rereading.count_needs = timed(rereading.count_needs)  # type: ignore[assignment, attr-defined]  # timed
    for _word in sys.stdin:
        say(read_again())
    sys.exit()


def add_notes() -> int:
    """No two alike, so that no cache makes them quicker than life."""
    dice = random.Random(7)  # noqa: S311  # no secret
    telling = [note.text for language in LANGUAGES for note in corpus(language)]
    batch, written = list[Reservation](), 0
    pks = list(Reservation.objects.order_by("uuid").values_list("pk", flat=True))[::EVERY]
    for number, pk in enumerate(pks):
        first = dice.choice(telling) if dice.random() < TELLING else dice.choice(HARMLESS)
        note = f"{first}. {dice.choice(HARMLESS)}, {number}"
        batch.append(Reservation(uuid=pk, customer_note=note))
        if len(batch) == AT_ONCE or number == len(pks) - 1:
            bulk.update(batch, ["customer_note"])
            written += len(batch)
            batch.clear()
    return written


def read_again() -> dict[str, float]:
    """As after an upgrade with other word lists, as the worker does it."""
    Counter.objects.update(reading_version="", reading_changed_at=None)
    began, processor = time.perf_counter(), time.process_time()
    months = 0
    while read := rereading.read_outdated(now=timezone.now()):
        months += read
    return {
        "seconds": round(time.perf_counter() - began, 1),
        "processor": round(time.process_time() - processor, 1),
        "months": months,
        "longest": round(1000 * max(HELD), 1),
    }


def timed(count_needs: Callable[[Restaurant, date], None]) -> Callable[[Restaurant, date], None]:
    """How long the sums of a restaurant are locked, on SQLite for every writer."""

    def count(restaurant: Restaurant, month: date) -> None:
        began = time.perf_counter()
        count_needs(restaurant, month)
        HELD.append(time.perf_counter() - began)

    return count


if __name__ == "__main__":
    main()
