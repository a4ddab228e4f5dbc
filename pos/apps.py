"""Point-of-sale identity and the logo upload."""

from django.apps import AppConfig


class PosConfig(AppConfig):
    name = "pos"
    default_auto_field = "django.db.models.BigAutoField"
