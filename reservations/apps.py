"""Boards, drawer, booking funnel, availability override."""

from django.apps import AppConfig

from lib.registration import RegistrationMixin


class ReservationsConfig(RegistrationMixin, AppConfig):
    name = "reservations"
    default_auto_field = "django.db.models.BigAutoField"
