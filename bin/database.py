"""`python -m bin.database`: bring the database up to date, and print the first admin's link.

All steps run in one process, because loading Django takes longer than checking an up-to-date
database. `make run` calls the first of them from its own process, which has loaded Django anyway.
"""

import os

import django
from django.core.management import call_command


def bring_up_to_date() -> None:
    print("\033[36msetup\033[0m  bringing the database up to date", flush=True)
    call_command("migrate", verbosity=0)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    bring_up_to_date()
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("first_admin_link")
