"""The mirror of the service: sync requests, sweeps, backfills, freshness, health."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from lib.database import sqlite
from lib.registration import RegistrationMixin


class MirrorConfig(RegistrationMixin, AppConfig):
    name = "mirror"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        super().ready()
        # A new index is of no use before it is counted.
        post_migrate.connect(sqlite.count_indexes, sender=self)
