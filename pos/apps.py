"""Point-of-sale identity and the logo upload."""

from django.apps import AppConfig

from lib.registration import RegistrationMixin


class PosConfig(RegistrationMixin, AppConfig):
    name = "pos"
    default_auto_field = "django.db.models.BigAutoField"
