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


OF_LIBRARIES = {"PROMETHEUS_MULTIPROC_DIR"}


def read_by_processes() -> set[str]:
    text = (ROOT / "Procfile").read_text() + (ROOT / "bin" / "process").read_text()
    return set(re.findall(r"\$\{([A-Z_]+):-", text)) - OF_LIBRARIES


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


def literal_defaults() -> dict[str, str]:
    """The defaults that stand as such in the code, spelled as the page spells them."""
    tree = ast.parse((ROOT / "config/settings.py").read_text())
    found = dict(re.findall(r"\$\{([A-Z_]+):-([^}]*)\}", (ROOT / "Procfile").read_text()))
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and re.fullmatch(r"env\.\w+", ast.unparse(call.func)):
            for keyword in call.keywords:
                if keyword.arg == "default" and isinstance(keyword.value, ast.Constant):
                    found[str(ast.literal_eval(call.args[0]))] = spelled(keyword.value.value)
    return found


def spelled(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)


def documented_defaults() -> dict[str, str]:
    page = (ROOT / "docs/configuration.md").read_text()
    return dict(re.findall(r"^\| `([A-Z_]+)` \| `([^`]+)` \|", page, re.M))


def test_a_documented_default_is_that_of_the_code():
    code = literal_defaults()
    page = {name: value for name, value in documented_defaults().items() if name in code}
    assert page == {name: code[name] for name in page}
    assert len(page) > 25


def test_threads_are_counted_alike_everywhere():
    """The server's threads, in the Procfile, in the code that divides them and on the page."""
    threads = re.findall(r"--blocking-threads (\d+)", (ROOT / "Procfile").read_text())
    pages = re.findall(
        r"^PAGE_THREADS = (\d+)", (ROOT / "config/requests/page_threads.py").read_text(), re.M
    )
    text = (ROOT / "docs/configuration.md").read_text()
    assert f"Pages and streams share {pages[0]} of its {threads[0]} threads" in text
