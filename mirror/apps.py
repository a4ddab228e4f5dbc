"""The mirror of the service: sync requests, sweeps, backfills, freshness, health."""

from django.apps import AppConfig

from lib.registration import RegistrationMixin


class MirrorConfig(RegistrationMixin, AppConfig):
    name = "mirror"
    default_auto_field = "django.db.models.BigAutoField"
