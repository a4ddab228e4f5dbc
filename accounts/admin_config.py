"""Puts our database admin in the place of Django's: read before any model exists."""

from django.contrib.admin import site
from django.contrib.admin.apps import AdminConfig as DjangoAdminConfig

# Tables that name nobody of a group. Whoever runs the server needs a role to read the others, so
# those that libraries register go: e-mail addresses, second factors, sessions, the audit trail.
TABLES = frozenset({"accounts.user", "restaurants.group", "restaurants.restaurant"})


class AdminConfig(DjangoAdminConfig):
    default_site = "accounts.admin_site.AdminSite"

    def ready(self) -> None:
        super().ready()
        for model in list(site._registry):
            if model._meta.label_lower not in TABLES:
                site.unregister(model)
