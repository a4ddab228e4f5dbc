"""The sign-in backend, separate from rights, which come from memberships alone."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.db import models

from accounts.models import User
from lib.database.compiled_queries import prepared_models


class SignInBackend(AuthenticationBackend):  # type: ignore[misc]  # allauth ships no types
    """Checks e-mail address and password, and carries no permission.

    Django's own backend would also read permissions given to the person or to a Django group
    directly: two queries more, and a second source of rights beside the memberships.
    """

    def get_user(self, user_id: int) -> User | None:
        """The active user of a session, by a compiled query: every page begins with it."""
        return next(iter(_active_user(user_id)), None)

    def get_all_permissions(self, user_obj: User, obj: models.Model | None = None) -> set[str]:
        return set()

    def has_perm(self, user_obj: User, perm: str, obj: Any = None) -> bool:
        return False

    def has_module_perms(self, user_obj: User, app_label: str) -> bool:
        return False


@prepared_models
def _active_user(user_id: int) -> Any:
    return User.objects.filter(pk=user_id, is_active=True)
