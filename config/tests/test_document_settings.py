"""docs/configuration.md has a row for each variable that the code reads, and no other."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def read_by_settings() -> set[str]:
    """Collect the first argument of every `env.something("NAME", …)`."""
    tree = ast.parse((ROOT / "config/settings.py").read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    env_calls = [call for call in calls if re.fullmatch(r"env\.\w+", ast.unparse(call.func))]
    names = [call.args[0] for call in env_calls if call.args]
    return {str(name.value) for name in names if isinstance(name, ast.Constant)}


def read_by_processes() -> set[str]:
    return set(re.findall(r"\$\{([A-Z_]+):-", (ROOT / "Procfile").read_text()))


def documented() -> set[str]:
    return set(re.findall(r"^\| `([A-Z_]+)`", (ROOT / "docs/configuration.md").read_text(), re.M))


def in_the_example() -> set[str]:
    return set(re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.M))


# Still read, under a name that the page no longer shows.
FORMER = {"WEBHOOK_STRANGERS_PER_MINUTE"}


def test_it_works():
    assert read_by_settings() | read_by_processes() == documented() | FORMER


def test_the_example_sets_only_what_exists():
    assert in_the_example() <= documented()
