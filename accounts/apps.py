"""People: users, sign-in, second factor, the shared-tablet switch, the audit trail."""

from importlib import import_module

from django.apps import AppConfig, apps
from django.apps.registry import Apps
from django.db import DEFAULT_DB_ALIAS
from django.db.models.signals import post_migrate, post_save, pre_save

from lib.database.cache_table import create_cache_table


class AccountsConfig(AppConfig):
    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Its secrets take part in every change of keys, also in a process that signs nobody in.
        import_module("accounts.sign_in.second_factor")
        import_module("accounts.push.devices")
        # The limit on failed sign-ins counts in the cache.
        self.watch_addresses()
        post_migrate.connect(create_cache_table, sender=self)
        post_migrate.connect(self.write_roles, sender=self)

    @staticmethod
    def write_roles(*, using: str, apps: Apps = apps, **_signal: object) -> None:
        # Models cannot be imported before the registry is ready.
        from accounts.rights import write_roles

        if using == DEFAULT_DB_ALIAS:
            write_roles(apps)

    def watch_addresses(self) -> None:
        # Models cannot be imported before the registry is ready.
        from accounts.mail import owner_notices

        for model in owner_notices.ADDRESSES:
            pre_save.connect(owner_notices.note_addresses, sender=model)
            post_save.connect(owner_notices.tell_owners, sender=model)
