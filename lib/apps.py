"""Helpers that belong to no domain. At start the app configures PostgreSQL connections."""

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.backends.signals import connection_created

from lib.database import postgres
from lib.database.encoding import check_encoding
from lib.private_files import check_private_files


class LibConfig(AppConfig):
    name = "lib"

    def ready(self) -> None:
        connection_created.connect(postgres.prepare)
        register(check_private_files, Tags.security, deploy=True)
        register(check_encoding, Tags.database)
