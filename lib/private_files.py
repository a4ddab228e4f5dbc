"""System check: files with guests' data or secrets are readable by their own user only."""

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import Warning as CheckWarning

GROUP_AND_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def check_private_files(**_kwargs: Any) -> list[CheckWarning]:
    """Warn of each of these files that other users of the machine can open."""
    return [
        CheckWarning(
            f"Other users of this machine may open {path}.",
            hint=f"chmod go= {path}",
            id="lib.W001",
        )
        for path in private_paths()
        if is_open_to_others(path)
    ]


def private_paths() -> Iterator[Path]:
    """The environment file, the folder of written data and the database."""
    yield settings.ENV_PATH
    yield settings.VAR_DIR
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        yield Path(settings.DATABASES["default"]["NAME"])


def is_open_to_others(path: Path) -> bool:
    return path.exists() and bool(path.stat().st_mode & GROUP_AND_OTHERS)
