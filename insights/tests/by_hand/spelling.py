"""How the English page writes numbers and names, once more."""

from decimal import Decimal
from fractions import Fraction

LEAD_NAMES = (
    *("the same day", "the day before", "2–3 days", "4–7 days", "8–14 days", "15–30 days"),
    "31 days and more",
)
CHANNEL_NAMES = {
    "Booking Module": "Booking module",
    "Marketplace": "Marketplace",
    "Walk-in": "Walk-in",
    "Offline": "Entered by staff",
}
CERTAINTY_NAMES = {"tagged": "tagged", "stated": "in a note", "maybe": "perhaps"}
UNNAMED = "in a currency that the bills do not name"


def rounded(value, digits=0):
    """Half away from zero."""
    exact = Fraction(value)
    scaled = abs(exact) * 10**digits
    whole = int(scaled + Fraction(1, 2))
    return Decimal(whole if exact >= 0 else -whole).scaleb(-digits)


def number(value, digits=0):
    return "–" if value is None else f"{rounded(value, digits):,.{digits}f}"


def share(value):
    return "–" if value is None else f"{number(value * 100, 1)} %"


def part(some, every):
    return Fraction(some, every) if every else None


def mean(numbers):
    values = list(numbers)
    return Fraction(sum(map(Fraction, values)), len(values)) if values else None


def signed(change, digits):
    value = rounded(change, digits)
    sign = "+" if value > 0 else "−" if value < 0 else "±"
    return sign + number(abs(value), digits)


def grown(now, before):
    return f"{signed((Fraction(now) / Fraction(before) - 1) * 100, 0)} %" if before else None


def moved(now, before, unit):
    if now is None or before is None:
        return None
    return f"{signed(now - before, 1)} {unit}"


def shifted(now, before):
    if now is None or before is None:
        return None
    return moved(now * 100, before * 100, "points")


def amount(value):
    """A sum of bills: two decimals, or three where it was received with three."""
    if value is None:
        return "–"
    return number(value, 2 if Fraction(value) * 100 % 1 == 0 else 3)


def names(found):
    """At most three, and how many more."""
    shown = ", ".join(found[:3])
    return f"{shown} and {len(found) - 3} more" if len(found) > 3 else shown


def cent(value):
    """As a decimal of the precision that a page can divide to."""
    return None if value is None else Decimal(value.numerator) / value.denominator
