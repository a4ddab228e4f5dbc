"""Groups, restaurants, memberships and roles: who may see what."""

from django.apps import AppConfig

from lib.registration import RegistrationMixin


class RestaurantsConfig(RegistrationMixin, AppConfig):
    name = "restaurants"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from restaurants import only_connection
        from restaurants.audit_trail import models as audit_places

        super().ready()
        audit_places.watch()
        only_connection.watch()
