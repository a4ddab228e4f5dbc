"""The client of the Partner API and of the point-of-sale API. No other app calls them."""

from django.apps import AppConfig
from django.core.checks import Tags, register

from partner.checks import check_encryption_keys


class PartnerConfig(AppConfig):
    name = "partner"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        register(check_encryption_keys, Tags.security)
