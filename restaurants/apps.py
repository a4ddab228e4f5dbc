"""Groups, restaurants, memberships and roles: who may see what."""

from django.apps import AppConfig


class RestaurantsConfig(AppConfig):
    name = "restaurants"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from partner.probes import offer_place
        from restaurants.places import place_to_try

        offer_place(place_to_try)
