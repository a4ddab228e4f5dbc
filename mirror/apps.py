"""The mirror of the service: sync requests, sweeps, backfills, freshness, health."""

from django.apps import AppConfig


class MirrorConfig(AppConfig):
    name = "mirror"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from mirror import alerts, clocks, freshness, health, repairs, short_lists, upstream
        from restaurants.shell import ALERTS, FRESHNESS

        FRESHNESS.append(freshness.of_shell)
        ALERTS.append(alerts.of_shell)
        for check in (upstream.token_section, upstream.api_section, upstream.screen_section):
            health.register(check)
        health.register(clocks.section)
        health.register(repairs.section)
        health.register(short_lists.section)
