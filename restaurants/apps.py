"""Groups, restaurants, memberships and roles: who may see what."""

from django.apps import AppConfig


class RestaurantsConfig(AppConfig):
    name = "restaurants"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from accounts.sign_in.passwords import offer_words
        from partner.setup_pages.probes import register_probe_place
        from restaurants import audit_places
        from restaurants.people.reach import names_of_places
        from restaurants.places.probe_place import place_to_try

        audit_places.watch()
        register_probe_place(place_to_try)
        offer_words(names_of_places)
