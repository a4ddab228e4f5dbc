"""Re-encrypt every stored secret with the newest key of ENCRYPTION_KEYS."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from lib.encryption import DecryptionFailed, rotate_all


class Command(BaseCommand):
    help = "Re-encrypt every stored secret with the newest key; afterwards drop the old ones."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = rotate_all()
        except DecryptionFailed as fault:
            raise CommandError(f"{fault} Nothing was changed.") from fault
        for what, count in done.items():
            self.stdout.write(f"{what}: {count}")
        self.stdout.write("Only the first key of ENCRYPTION_KEYS is needed now.")
