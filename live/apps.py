"""Sends what changed to the open screens."""

from django.apps import AppConfig

from lib.registration import RegistrationMixin


class LiveConfig(RegistrationMixin, AppConfig):
    name = "live"
    default_auto_field = "django.db.models.BigAutoField"
