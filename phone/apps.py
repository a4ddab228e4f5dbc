"""Caller look-up, call records, onboarding milestones."""

from django.apps import AppConfig


class PhoneConfig(AppConfig):
    name = "phone"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from phone import actions, holding, of_guest

        actions.register_all()
        holding.register_all()
        of_guest.register_all()
