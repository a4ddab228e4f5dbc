"""The way out: submit, hold, send, resolve, history."""

from django.apps import AppConfig


class OutboxConfig(AppConfig):
    name = "outbox"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from mirror.health import sections
        from mirror.processes import clock_jumps, watch
        from outbox import engine, overdue
        from outbox.models import Intent

        sections.register(overdue.section)
        due = "not_before", "lease_until"
        clock_jumps.register(Intent, *due, "created_at", "sent_at", "ended_at")
        watch.URGENT.append(lambda now: engine.work(now=now, most=20))
