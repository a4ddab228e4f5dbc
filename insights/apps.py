"""Questions answered with pictures, tables and CSV."""

from django.apps import AppConfig

from lib.registration import RegistrationMixin


class InsightsConfig(RegistrationMixin, AppConfig):
    name = "insights"
    default_auto_field = "django.db.models.BigAutoField"
