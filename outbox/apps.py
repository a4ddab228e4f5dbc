"""The way out: submit, hold, send, resolve, history."""

from django.apps import AppConfig

from lib.registration import RegistrationMixin


class OutboxConfig(RegistrationMixin, AppConfig):
    name = "outbox"
    default_auto_field = "django.db.models.BigAutoField"
