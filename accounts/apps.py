"""People: users, sign-in, second factor, the shared-tablet switch, the audit trail."""

from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Its secrets take part in every change of keys, also in a process that signs nobody in.
        import_module("accounts.second_factor")
