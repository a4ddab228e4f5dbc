"""Message catalogues: collect them, compile them, list what is missing.

python -m bin.messages collect    bring locale/*/*.po up to date, and name what is to be written
                                  there (needs xgettext)
python -m bin.messages compile    write the .mo files, where a .po is newer
python -m bin.messages check      name every sentence without a translation, and every translation
                                  without a sentence (needs xgettext)
"""

import os
import shutil
import string
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parents[1]
MOST_SHOWN = 20
# Words of the sandbox are for developers; the rest holds no words of ours.
READ = (".py", ".html", ".txt", ".po", ".toml", ".svg")
NOT_READ = (".venv", "sandbox", "tests", "var")


def catalogues(root: Path = ROOT) -> list[Path]:
    return sorted(root.glob("locale/*/LC_MESSAGES/django.po"))


def compile_catalogues() -> None:
    for path in catalogues():
        binary = path.with_suffix(".mo")
        if not binary.exists() or binary.stat().st_mtime < path.stat().st_mtime:
            polib.pofile(str(path)).save_as_mofile(str(binary))


def collect(root: Path) -> None:
    """Run makemessages over every module and template, and drop what no longer occurs."""
    ignored = [word for name in NOT_READ for word in ("--ignore", name)]
    languages = [word for path in catalogues(root) for word in ("-l", path.parts[-3])]
    command = [sys.executable, "manage.py", "makemessages", *languages, *ignored]
    options = ["--no-location", "--no-wrap", "--no-obsolete", "--verbosity", "0"]
    environment = {"ENV_FILE": str(ROOT / ".env"), **os.environ}
    subprocess.run([*command, *options], cwd=root, env=environment, check=True)
    for path in catalogues(root):  # two branches would conflict in the line of the date
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(one for one in lines if not one.startswith('"POT-Creation-Date')))


def collect_in_a_copy(folder: str) -> list[Path]:
    """The tree as git sees it, so that a check changes nothing."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True)
    for name in filter(None, found.stdout.split("\0")):
        if (ROOT / name).is_file() and name.endswith(READ):
            target = Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
    collect(Path(folder))
    return catalogues(Path(folder))


def faults(path: Path) -> Iterator[str]:
    """The faults of this language's catalogue, a line each."""
    language = path.parts[-3]
    for entry in polib.pofile(str(path)):
        translations = list(entry.msgstr_plural.values()) or [entry.msgstr]
        wanted = placeholders(entry.msgid_plural or entry.msgid)
        if not entry.translated():
            yield f"{language}: {entry.msgid!r} is not translated"
        # “One guest” may leave out the number, and nothing else may differ.
        elif placeholders(translations[-1]) != wanted or any(
            placeholders(one) - wanted for one in translations
        ):
            yield f"{language}: {entry.msgid!r} has other placeholders in its translation"


def unused(path: Path, collected: Path) -> Iterator[str]:
    """What the catalogue translates and no sentence needs any more, a line each."""
    used = {
        (entry.msgctxt, entry.msgid, entry.msgid_plural) for entry in polib.pofile(str(collected))
    }
    for entry in polib.pofile(str(path)):
        if (entry.msgctxt, entry.msgid, entry.msgid_plural) not in used:
            yield f"{path.parts[-3]}: {entry.msgid!r} is used nowhere"


def placeholders(text: str) -> set[str]:
    """What is filled in, in either spelling: %(count)s and {count}."""
    percent = {part.split(")")[0] for part in text.split("%(")[1:]}
    try:
        braces = {name for _, name, _, _ in string.Formatter().parse(text) if name}
    except ValueError:
        braces = set()
    return percent | braces


def check() -> int:
    with tempfile.TemporaryDirectory() as folder:
        collected = collect_in_a_copy(folder)
        found = [line for path in collected for line in faults(path)]
        found += [
            line for pair in zip(catalogues(), collected, strict=True) for line in unused(*pair)
        ]
    show(found, "Run make messages, then write what is missing in locale/*/LC_MESSAGES/django.po.")
    return 1 if found else 0


def show(found: list[str], next_step: str) -> None:
    for line in found[:MOST_SHOWN]:
        print(line)
    if len(found) > MOST_SHOWN:
        print(f"… and {len(found) - MOST_SHOWN:,} more.")
    if found:
        print(next_step)


def main(arguments: list[str]) -> int:
    if arguments == ["compile"]:
        compile_catalogues()
        return 0
    if arguments not in (["collect"], ["check"]):
        print(__doc__, file=sys.stderr)
        return 2
    if not shutil.which("xgettext"):
        print("This needs xgettext, which is in the package “gettext”.", file=sys.stderr)
        return 2
    if arguments == ["check"]:
        return check()
    collect(ROOT)
    found = [line for path in catalogues() for line in faults(path)]
    show(found, "Write these in locale/*/LC_MESSAGES/django.po.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
