"""The way out: submit, hold, send, resolve, history."""

from django.apps import AppConfig


class OutboxConfig(AppConfig):
    name = "outbox"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from mirror import health, watch
        from outbox import engine, overdue

        health.register(overdue.section)
        watch.URGENT.append(lambda now: engine.work(now=now, most=20))
