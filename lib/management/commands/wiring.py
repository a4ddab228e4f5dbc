"""List what each app adds to others."""

from collections import defaultdict
from typing import Any

from django.core.management.base import BaseCommand

from lib.registration import added


class Command(BaseCommand):
    help = "List every extension point, and what each app adds to it."

    def handle(self, **_options: Any) -> None:
        by_point: dict[str, list[str]] = defaultdict(list)
        for point, app, entry in added:
            by_point[point].append(f"  {app:<14}{words_for(entry)}")
        for point in sorted(by_point):
            self.stdout.write("\n".join([point, *by_point[point], ""]))


def words_for(entry: Any) -> str:
    """The name of an entry if it has one, else the model or function that it is."""
    for attribute in ("name", "key", "label", "url_name", "verb", "kind", "template"):
        if found := getattr(entry, attribute, None):
            return str(found)
    if isinstance(entry, str):
        return entry
    found = getattr(entry, "model", entry)
    return f"{found.__module__}.{found.__qualname__}"
