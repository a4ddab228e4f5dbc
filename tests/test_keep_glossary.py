"""docs/glossary.md names what there is: classes and modules by their paths, words as on screens."""

import importlib
import re
from pathlib import Path
from typing import NamedTuple

import polib
import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)

pytestmark = pytest.mark.once


class Entry(NamedTuple):
    word: str
    meaning: str
    path: str
    en: str
    fr: str
    es: str


def entries() -> list[Entry]:
    lines = (ROOT / "docs" / "glossary.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "`" in line]
    return [Entry(*row) for row in rows if len(row) == len(Entry._fields)]


def exists(path: str) -> bool:
    try:
        importlib.import_module(path)
    except ModuleNotFoundError:
        module, _dot, name = path.rpartition(".")
        return hasattr(importlib.import_module(module), name)
    return True


def test_it_is_read():
    assert len(entries()) > 50


@pytest.mark.parametrize("path", sorted({entry.path.strip("`") for entry in entries()}))
def test_every_class_and_module_is_there(path):
    assert exists(path)


@pytest.mark.parametrize("language", ["fr", "es"])
def test_the_words_are_those_of_the_screens(language):
    catalogue = polib.pofile(str(ROOT / "locale" / language / "LC_MESSAGES" / "django.po"))
    # The short forms of narrow columns have a context.
    shown = {entry.msgid: entry.msgstr for entry in catalogue if not entry.msgctxt}
    listed = {one.en: getattr(one, language) for one in entries() if one.en}

    assert listed == {word: shown.get(word) for word in listed}


def test_the_page_of_changes_leads_to_files_that_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    section = text[text.index("## If you want to change") :]
    paths = [path for path in re.findall(r"`([\w./-]+)`", section) if "/" in path]
    assert [path for path in paths if not (ROOT / path).exists()] == []
    assert len(paths) > 40
