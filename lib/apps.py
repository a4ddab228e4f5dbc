"""Helpers of no domain. At start they look after the connections of PostgreSQL."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created

from lib import postgres


class LibConfig(AppConfig):
    name = "lib"

    def ready(self) -> None:
        connection_created.connect(postgres.prepare)
