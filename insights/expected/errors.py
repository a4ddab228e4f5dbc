"""How wrong the forecasts were, beside two simple rules: sums over services, by days before."""

from collections.abc import Collection, Iterable
from dataclasses import astuple, dataclass, fields
from datetime import date
from typing import Any

from django.db.models import Case, Count, F, IntegerField, Q, Sum, Value, When
from django.db.models.functions import Abs

from insights.expected.models import PastForecast

IS_INSIDE = Q(came__gte=F("lower"), came__lte=F("upper"))


@dataclass(frozen=True)
class ForecastErrors:
    """Sums over the services that were held. Shares are None where nobody came."""

    services: int = 0
    came: int = 0
    missed: int = 0  # covers that the forecasts were off by
    above: int = 0  # forecast beyond those that came
    inside: int = 0  # services within their range
    missed_by_last_four: int = 0
    missed_by_ratio: int = 0
    by_rule: int = 0  # services whose forecast was a simple rule's
    walked: int = 0  # services whose forecast was worked out afterwards

    def __add__(self, other: "ForecastErrors") -> "ForecastErrors":
        return ForecastErrors(*map(sum, zip(astuple(self), astuple(other), strict=True)))

    @property
    def wape(self) -> float | None:
        return self._of_covers(self.missed)

    @property
    def bias(self) -> float | None:
        return self._of_covers(self.above)

    @property
    def last_four(self) -> float | None:
        return self._of_covers(self.missed_by_last_four)

    @property
    def ratio(self) -> float | None:
        return self._of_covers(self.missed_by_ratio)

    @property
    def inside_share(self) -> float | None:
        return self.inside / self.services if self.services else None

    @property
    def better_rule(self) -> float | None:
        """The lesser error of the two simple rules."""
        return min((one for one in (self.last_four, self.ratio) if one is not None), default=None)

    def _of_covers(self, number: int) -> float | None:
        return number / self.came if self.came else None


def errors_of(
    restaurants: Collection[int], first: date, last: date
) -> dict[tuple[int, int], ForecastErrors]:
    """By restaurant and days before. One query of stored rows."""
    held = PastForecast.objects.filter(
        restaurant__in=restaurants, day__range=(first, last), came__isnull=False
    )
    groups: Any = held.order_by().values("restaurant_id", "horizon").annotate(**_sums())
    return {
        (row["restaurant_id"], row["horizon"]): ForecastErrors(
            **{field.name: row[f"sum_{field.name}"] for field in fields(ForecastErrors)}
        )
        for row in groups
    }


def together(found: Iterable[ForecastErrors]) -> ForecastErrors:
    return sum(found, ForecastErrors())


def _sums() -> dict[str, Any]:
    came = F("came")
    return {
        "sum_services": Count("pk"),
        "sum_came": Sum("came"),
        "sum_missed": Sum(Abs(F("covers") - came)),
        "sum_above": Sum(F("covers") - came),
        "sum_inside": _number(IS_INSIDE),
        "sum_missed_by_last_four": Sum(Abs(F("last_four") - came)),
        "sum_missed_by_ratio": Sum(Abs(F("ratio") - came)),
        "sum_by_rule": _number(~Q(rule=0)),
        "sum_walked": _number(Q(is_walk=True)),
    }


def _number(condition: Q) -> Sum:
    return Sum(Case(When(condition, then=Value(1)), default=0, output_field=IntegerField()))
