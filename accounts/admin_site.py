"""The database admin behind the same sign-in as everything else."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.http import HttpRequest, HttpResponse


class AdminSite(admin.AdminSite):
    """Django's own, except that a shared device opens none of it.

    Django's own sign-in form would bypass the second factor and the throttle.
    """

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        answer: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return answer

    def has_permission(self, request: HttpRequest) -> bool:
        on_shared_device = getattr(request.user, "is_on_shared_device", False)
        return not on_shared_device and super().has_permission(request)
