"""People in the database admin: for repairs, where the pages do not reach."""

from django.contrib import admin
from django.http import HttpRequest

from accounts.models import SharedDevice, User


@admin.register(User)
class UserAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # it takes none at run time
    """Passwords are chosen by link, roles given on the people pages: neither is typed here."""

    list_display = ["email", "name", "is_active", "is_superuser", "last_login"]
    list_filter = ["is_active", "is_superuser"]
    search_fields = ["email", "name"]
    fields = [
        "email",
        "name",
        "is_active",
        "is_staff",
        "is_superuser",
        "is_owner",
        "last_login",
        "date_joined",
    ]
    readonly_fields = ["last_login", "date_joined"]

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """The audit trail goes on naming people who left: they are deactivated."""
        return False


@admin.register(SharedDevice)
class SharedDeviceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # it takes none at run time
    list_display = ["name", "owner", "expires_at"]
    list_select_related = ["owner"]
    readonly_fields = ["owner", "expires_at"]
