"""Caller look-up, call records, onboarding milestones."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PhoneConfig(AppConfig):
    name = "phone"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from accounts import audit
        from mirror.processes import clock_jumps
        from phone import actions, milestones, missed, of_guest, personal_data
        from phone.models import Call, PhoneSystem
        from restaurants.shell import QUEUES, Queue

        audit.LABELS["phone.report_milestone"] = milestones.LABELS
        clock_jumps.register(PhoneSystem, "used_at")
        clock_jumps.register(Call, "checked_at")
        actions.register_all()
        personal_data.register_all()
        of_guest.register_all()
        QUEUES.append(
            Queue(
                label=_("Missed calls"),
                url_name="phone:index",
                query="outcome=missed",
                count=missed.waiting,
            )
        )
