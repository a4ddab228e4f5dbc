"""Charts that several questions share."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from django.utils.translation import gettext as _

from insights.answers import spell
from insights.pictures import Columns, Point
from insights.sums.reading import Bucket, Sums
from lib.labels import labelled

Measure = Callable[[Sums], int | Decimal | None]


def columns(
    now: Sequence[Bucket],
    before: Sequence[Bucket],
    measure: Measure,
    *,
    kind: str,
    words: str,
    currency: str = "",
) -> Columns:
    """A column per day, week or month; its line is the bucket that stands in the same place."""
    is_known = any(measure(bucket.sums) for bucket in before)
    points = []
    for bucket, other in zip_longest(now, before):
        if bucket is None:
            break
        value = measure(bucket.sums)
        has_then = is_known and other is not None and any(other.sums.values())
        then = measure(other.sums) if has_then else None
        points.append(point(bucket.label, value, then, kind=kind, currency=currency))
    top = max((p.value for p in points), default=0)
    return Columns(points, words=words, top=spell(Decimal(str(top)), kind, currency=currency))


def point(label: str, value: Any, before: Any, *, kind: str, currency: str = "") -> Point:
    spelt = spell(value, kind, currency=currency)
    words = labelled(label, spelt)
    if before is not None:
        spelt = spell(before, kind, currency=currency)
        words += " · " + _("before: %(value)s") % {"value": spelt}
    return Point(label, float(value or 0), None if before is None else float(before), words)
