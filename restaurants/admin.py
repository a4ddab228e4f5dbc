"""Places in the database admin: for repairs, where the pages do not reach."""

from django.contrib import admin
from django.http import HttpRequest

from restaurants.models import Group, Restaurant
from restaurants.places.forms import RestaurantForm


@admin.register(Group)
class GroupAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # it takes none at run time
    list_display = ["name", "uuid"]
    search_fields = ["name", "uuid"]


@admin.register(Restaurant)
class RestaurantAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # it takes none at run time
    form = RestaurantForm
    list_display = ["name", "group", "timezone", "currency", "uuid"]
    list_select_related = ["group"]
    search_fields = ["name", "uuid"]
    fields = ["group", *RestaurantForm.Meta.fields]

    def get_readonly_fields(
        self, _request: HttpRequest, obj: Restaurant | None = None
    ) -> list[str]:
        """A uuid never moves to another group: bookings would be read where the guests are not."""
        return ["group"] if obj else []
