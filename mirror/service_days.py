"""Recomputes the service days of mirrored rows when a restaurant's clock is corrected."""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from lib.database import bulk
from mirror.kinds import Stored, notify_watchers
from restaurants.models import Restaurant

SLICE = 500  # rows of one transaction, which bounds the wait of a process that stores an event


@dataclass(frozen=True)
class ClockColumns:
    """The columns of a kind that follow from `meal_at` by the clock of the restaurant."""

    kind: str
    model: type[Any]
    columns: tuple[str, ...]
    values: Callable[[Restaurant, datetime | None], tuple[Any, ...]]

    def recompute(self, restaurant: Restaurant) -> int:
        """Recompute every row by the restaurant's present clock. Returns how many changed."""
        outdated = list(self._outdated(restaurant))
        return sum(
            self._move(restaurant, outdated[start : start + SLICE])
            for start in range(0, len(outdated), SLICE)
        )

    def _outdated(self, restaurant: Restaurant) -> Iterator[UUID]:
        held = self.model._default_manager.filter(restaurant=restaurant, meal_at__isnull=False)
        rows = held.order_by().values_list("pk", "meal_at", *self.columns)
        for pk, meal_at, *stored in rows.iterator(chunk_size=5000):
            if tuple(stored) != self.values(restaurant, meal_at):
                yield pk

    @transaction.atomic
    def _move(self, restaurant: Restaurant, pks: list[UUID]) -> int:
        """Compute again under a lock, because the time of a visit may have changed meanwhile."""
        rows = self.model._default_manager.select_for_update()
        stored = []
        for row in rows.filter(restaurant=restaurant, pk__in=pks).defer("raw"):
            before: Any = copy(row)
            for column, value in zip(
                self.columns, self.values(restaurant, before.meal_at), strict=True
            ):
                setattr(row, column, value)
            stored.append(Stored(before, row))
        bulk.update([pair.after for pair in stored], list(self.columns))
        notify_watchers(self.kind, stored)
        return len(stored)
