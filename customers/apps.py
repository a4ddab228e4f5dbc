"""Guests: search, profile, duplicates, privacy."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from customers.search import search_index
from lib.registration import RegistrationMixin


class CustomersConfig(RegistrationMixin, AppConfig):
    name = "customers"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        super().ready()
        # It is no model's, and SQLite loses its triggers when the table of guests is made anew.
        post_migrate.connect(search_index.install, sender=self)
