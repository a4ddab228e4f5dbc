"""Questions answered with pictures, tables and CSV."""

from django.apps import AppConfig


class InsightsConfig(AppConfig):
    name = "insights"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from insights import recount
        from insights.models import Counter, Digest
        from mirror import kinds
        from mirror.processes import clock_jumps

        clock_jumps.register(Counter, "counted_at")
        clock_jumps.register(Digest, "claimed_at", "sent_at")

        for kind in ("reservation", "review"):
            kinds.watch(kind, recount.mark)
