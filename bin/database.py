"""`python -m bin.database`: bring the database up to date.

One program, because loading Django costs more than a database that is up to date.
`make run` calls it from the program that has loaded Django anyway.
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
