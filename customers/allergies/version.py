"""The version of word lists and rules: what was counted with another one is counted again."""

from functools import cache
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent


@cache
def reading_version() -> str:
    """Changes with every word and every rule, so that nobody has to remember a number."""
    digest = sha256()
    for path in sorted([*FOLDER.glob("*.py"), *FOLDER.glob("words/*.toml")]):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]
