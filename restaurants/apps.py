"""Groups, restaurants, memberships and roles: who may see what."""

from django.apps import AppConfig

from lib.registration import RegistrationMixin


class RestaurantsConfig(RegistrationMixin, AppConfig):
    name = "restaurants"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from restaurants import audit_places, only_connection

        super().ready()
        audit_places.watch()
        only_connection.watch()
