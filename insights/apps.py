"""Questions answered with pictures, tables and CSV."""

from django.apps import AppConfig


class InsightsConfig(AppConfig):
    name = "insights"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from insights import recount
        from mirror import kinds

        for kind in ("reservation", "review"):
            kinds.watch(kind, recount.mark)
