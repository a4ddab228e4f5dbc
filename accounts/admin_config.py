"""Puts our database admin in the place of Django's: read before any model exists."""

from django.contrib.admin.apps import AdminConfig as DjangoAdminConfig


class AdminConfig(DjangoAdminConfig):
    default_site = "accounts.admin_site.AdminSite"
