"""Rate limit and circuit breaker, one shared row per connection."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from partner.models.connection import Connection


class Budget(models.Model):
    """The pace of requests, shared by all processes. Instants are seconds since the epoch.

    Seconds, because the pace is arithmetic that one UPDATE does in the database
    (`partner/limits/throttle.py`), the same on SQLite and PostgreSQL.
    """

    connection = models.OneToOneField(Connection, on_delete=models.CASCADE, related_name="budget")
    # Requests per second now, and the most that is allowed (NULL: not known, learnt).
    rate = models.FloatField()
    # When the next request would be due if all were evenly spaced (GCRA's arrival time).
    due_at = models.FloatField(default=0)
    paused_until = models.FloatField(default=0)
    raised_at = models.FloatField(default=0)
    lowered_at = models.FloatField(default=0)
    # Slow start: doubling until the first refusal shows where the limit may be.
    is_searching = models.BooleanField(default=True)

    faults = models.PositiveIntegerField(default=0)
    last_fault_at = models.FloatField(default=0)
    open_until = models.FloatField(default=0)
    probes = models.PositiveIntegerField(default=0)
    # When answers about something else than what was requested last opened the circuit or kept it
    # open; 0: never.
    odd_at = models.FloatField(default=0)

    class Meta:
        verbose_name = _("request budget")
        verbose_name_plural = _("request budgets")

    def __str__(self) -> str:
        return f"budget of connection {self.connection_id}"
