"""How much each connection holds: numbers of rows by kind, and nothing of what stands in them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Model, Q, QuerySet
from django.utils.functional import Promise

from lib.registration import ExtensionPoint
from partner.models import Connection


@dataclass(frozen=True, kw_only=True)
class ConnectionSize:
    """A kind of rows that belong to a connection; each app adds its own."""

    place: int
    label: Promise
    model: type[Model]
    path: str  # from a row to its connection
    only: Q = field(default_factory=Q)

    def counts(self, connections: QuerySet[Connection, Any]) -> Mapping[int, int]:
        """Count the rows of each connection. One query."""
        rows: Any = self.model._default_manager.filter(
            self.only, **{f"{self.path}__in": connections}
        )
        return dict(rows.order_by().values_list(self.path).annotate(number=Count("*")))


CONNECTION_SIZES: ExtensionPoint[ConnectionSize] = ExtensionPoint(
    "Sizes of connections", order=lambda size: size.place
)
