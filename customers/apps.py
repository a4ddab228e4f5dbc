"""Guests: search, profile, duplicates, privacy."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CustomersConfig(AppConfig):
    name = "customers"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from customers import sync
        from customers.models import Customer, DuplicateScore, InternalNote
        from customers.privacy import health as privacy_health
        from customers.profile import panels
        from mirror.health import sections
        from mirror.kinds import Kind, register
        from mirror.processes import clock_jumps

        register(
            Kind(
                name="customer",
                label=_("Guest"),
                model=Customer,
                fetch=sync.fetch,
                build=sync.build,
                place=sync.place,
                list=sync.list_uuids,
                held=sync.held,
                owner=sync.owner,
                joins=("group",),
                diary=sync.DIARY,
            )
        )
        clock_jumps.register(DuplicateScore, "found_at")
        clock_jumps.register(InternalNote, "changed_at")
        sections.register(privacy_health.section)
        panels.register_all()
