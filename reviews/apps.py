"""The inbox, the reply workflow, moderation tracking."""

from django.apps import AppConfig

from lib.registration import RegistrationMixin


class ReviewsConfig(RegistrationMixin, AppConfig):
    name = "reviews"
    default_auto_field = "django.db.models.BigAutoField"
