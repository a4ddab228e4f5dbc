"""People in the database admin: those who run the server."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from accounts.models import User


@admin.register(User)
class UserAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # it takes none at run time
    """Accounts of superusers. Everybody else is of a group: the people pages show them to its
    admins. Passwords are chosen by link, roles given on those pages: neither is typed here."""

    list_display = ["email", "name", "is_active", "is_superuser", "last_login"]
    list_filter = ["is_active", "is_superuser"]
    search_fields = ["email", "name"]
    fields = [
        "email",
        "name",
        "is_active",
        "is_staff",
        "is_superuser",
        "last_login",
        "date_joined",
    ]
    readonly_fields = ["last_login", "date_joined"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return User.objects.filter(Q(is_superuser=True) | Q(is_staff=True))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """The audit trail goes on naming people who left: they are deactivated."""
        return False
