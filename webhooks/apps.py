"""The receiver of the service's events and its delivery log."""

from django.apps import AppConfig

from lib.registration import RegistrationMixin


class WebhooksConfig(RegistrationMixin, AppConfig):
    name = "webhooks"
    default_auto_field = "django.db.models.BigAutoField"
