"""`python -m bin.database`: bring the database up to date.

One program, because loading Django costs more than a database that is up to date.
"""

import os

import django
from django.core.management import call_command


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)


if __name__ == "__main__":
    main()
