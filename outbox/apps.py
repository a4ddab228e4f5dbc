"""Changes sent to the service: submit, hold, send, verify, history."""

from django.apps import AppConfig

from lib.registration import RegistrationMixin


class OutboxConfig(RegistrationMixin, AppConfig):
    name = "outbox"
    default_auto_field = "django.db.models.BigAutoField"
