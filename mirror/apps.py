"""The mirror of the service: sync requests, sweeps, backfills, freshness, health."""

from django.apps import AppConfig


class MirrorConfig(AppConfig):
    name = "mirror"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from mirror.health import alerts, clocks, freshness, sections, upstream
        from mirror.jobs import short_lists
        from mirror.queue import repairs
        from restaurants.shell import ALERTS, FRESHNESS

        FRESHNESS.append(freshness.of_shell)
        ALERTS.append(alerts.of_shell)
        for check in (upstream.token_section, upstream.api_section, upstream.screen_section):
            sections.register(check)
        sections.register(clocks.section)
        sections.register(repairs.section)
        sections.register(short_lists.section)
