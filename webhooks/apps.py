"""The receiver of the service's events and its delivery log."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "webhooks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from mirror.health import sections
        from mirror.processes import clock_jumps
        from webhooks.health import section
        from webhooks.models import Delivery

        clock_jumps.register(Delivery, "received_at", "routed_at")
        sections.register(section)
