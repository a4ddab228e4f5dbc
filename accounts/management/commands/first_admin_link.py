"""Print the one-time link of the first admin."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.password_links.models import FirstAdminLink


class Command(BaseCommand):
    help = "Print a link with which the first admin makes an account: once, within 24 hours."

    def handle(self, **options: Any) -> None:
        link = FirstAdminLink.objects.issue(now=timezone.now())
        if not link:
            self.stdout.write("This installation has an owner, who invites everybody else.")
            return
        self.stdout.write(
            "Open this link within 24 hours to make the first account. It works once:\n\n"
            f"  {link}\n"
        )
