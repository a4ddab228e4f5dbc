"""Guests: search, profile, duplicates, privacy."""

from django.apps import AppConfig

from lib.registration import RegistrationMixin


class CustomersConfig(RegistrationMixin, AppConfig):
    name = "customers"
    default_auto_field = "django.db.models.BigAutoField"
