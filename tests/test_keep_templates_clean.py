"""What no template may hold: the policy forbids it, or it would let text become markup."""

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
MOST_IN_A_LINE = 160
FORBIDDEN = {
    "a style attribute": re.compile(r"\sstyle\s*=", re.I),
    "a style element": re.compile(r"<style\b", re.I),
    "an inline script": re.compile(r"<script\b(?![^>]*(\bsrc=|application/json))", re.I),
    "an event handler": re.compile(r"\son[a-z]+\s*=|hx-on", re.I),
    "a script expression": re.compile(r"javascript:|hx-vals=.js:", re.I),
    "text marked as safe": re.compile(r"\|\s*safe\b|autoescape off"),
    "an address of another host": re.compile(r"(src|href)=[\"']https?://", re.I),
}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_it_works(path: Path):
    text = path.read_text()

    assert [name for name, pattern in FORBIDDEN.items() if pattern.search(text)] == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_its_lines_can_be_read(path: Path):
    """Line breaks cost nothing: lib/web/template_whitespace.py takes them out."""
    lines = enumerate(path.read_text().splitlines(), 1)

    assert [number for number, line in lines if len(line) > MOST_IN_A_LINE] == [], (
        f"these lines have more than {MOST_IN_A_LINE} characters: break them"
    )


NAME_OF_A_GUEST = re.compile(
    r"\{\{ (?:\w+\.)*(?:guest|customer|guest_name|board_name)(?:\|default\S*)? \}\}"
)
# Where no number can follow, or no element stand.
ALONE = ("<title", "block title", "blocktranslate", 'value="')


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_name_of_a_guest_turns_nothing_around(path: Path):
    """Beside an Arabic name the day of a date or the size of a party would change sides."""
    named = [line for line in path.read_text().splitlines() if NAME_OF_A_GUEST.search(line)]

    assert [
        line for line in named if not any(word in line for word in ("<bdi", 'dir="auto"', *ALONE))
    ] == []


DISCLOSURE = re.compile(r"<details class=\"disclosure[^>]*>\s*<summary[^>]*>(.*?)</summary>", re.S)


def test_what_opens_has_an_arrow():
    """The browser's own is hidden, so that without ours the words look like any others."""
    found = [
        (str(path.relative_to(ROOT)), words)
        for path in TEMPLATES
        for words in DISCLOSURE.findall(path.read_text())
    ]

    assert len(found) > 10
    assert [where for where, words in found if "{% icon" not in words] == []


def test_what_is_swapped_names_an_element_that_is_there():
    """A page that selects an element which no template has would empty itself."""
    everything = "\n".join(path.read_text() for path in TEMPLATES)
    named = set(re.findall(r"hx-select=\"#([a-z-]+)\"", everything))

    assert len(named) > 5
    assert named - set(re.findall(r"\bid=\"([a-z-]+)\"", everything)) == set()


def test_what_opens_by_a_command_opens_in_older_browsers_too():
    """With script by ours; without it as a popover, which they know."""
    buttons = [
        (str(path.relative_to(ROOT)), tag)
        for path in TEMPLATES
        for tag in re.findall(r"<button\b[^>]*\bcommandfor=[^>]*>", path.read_text())
    ]

    assert len(buttons) > 1
    assert [
        where
        for where, tag in buttons
        if not re.search(r"data-(dialog|close)\b", tag) or "popovertarget=" not in tag
    ] == []
