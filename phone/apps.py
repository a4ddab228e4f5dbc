"""Caller look-up, call records, onboarding milestones."""

from django.apps import AppConfig

from lib.registration import RegistrationMixin


class PhoneConfig(RegistrationMixin, AppConfig):
    name = "phone"
    default_auto_field = "django.db.models.BigAutoField"
