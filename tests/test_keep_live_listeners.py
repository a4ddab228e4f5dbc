"""What listens for changes is not replaced by what it reads.

htmx queues an event that comes while an element's request is under way on that element, and a new
element listens only a moment after the swap. Where an answer replaces its listener, the last change
of a burst is lost.
"""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
TAGS = re.compile(r"{%.*?%}|{#.*?#}|{{.*?}}", re.S)
VOID = {"input", "link", "meta", "br", "hr", "img", "wbr", "source", "col"}
KEEPS = {"", "innerHTML", "beforeend", "afterbegin", "none"}


class Listeners(HTMLParser):
    """The elements of a template that listen for changes and replace themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        own = tag, found.get("id", "")
        if "live:" in found.get("hx-trigger", "") and self.is_replaced(found, own[1]):
            self.faults.append(self.get_starttag_text() or tag)
        if tag not in VOID:
            self.open.append(own)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def is_replaced(self, found: dict[str, str], own_id: str) -> bool:
        """Another element is named by its id, and is not around this one."""
        target, swap = found.get("hx-target", "this"), found.get("hx-swap", "").split(" ")[0]
        if swap in KEEPS and target == "this":
            return False
        around = {name for _tag, name in self.open} | {own_id}
        return not target.startswith("#") or target[1:] in around


def faults(source: str) -> list[str]:
    parser = Listeners()
    parser.feed(TAGS.sub("", source))
    return parser.faults


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_it_works(path: Path):
    assert faults(path.read_text()) == []


@pytest.mark.parametrize(
    "source",
    [
        '<p id="a" hx-trigger="live:x from:body" hx-target="this" hx-swap="outerHTML"></p>',
        '<p id="a" hx-trigger="live:x from:body" hx-target="#a" hx-swap="outerHTML"></p>',
        '<p id="a"><b hx-trigger="live:x from:body" hx-target="#a"></b></p>',
        '<p><b hx-trigger="every 9s, live:x from:body" hx-target="closest p"></b></p>',
    ],
)
def test_it_finds_one_that_replaces_itself(source):
    assert len(faults(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        '<b hidden hx-trigger="live:x from:body" hx-target="#a" hx-swap="outerHTML"></b><p id="a">',
        '<p hx-trigger="live:x from:body" hx-swap="innerHTML"></p>',
        '<p hx-trigger="every 60s" hx-swap="outerHTML"></p>',
    ],
)
def test_it_leaves_others_alone(source):
    assert faults(source) == []


LISTENER = re.compile(r"<\w+[^<>]*?hx-trigger=\"[^\"]*live:[^<>]*>", re.S)
PART = re.compile(r"{% partialdef (\w+) inline %}(.*?){% endpartialdef", re.S)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_answer_brings_another_listener(path: Path):
    """It would stand beside the first one, and each change would be read twice."""
    parts = PART.findall(path.read_text())

    assert [
        name
        for name, text in parts
        for found in LISTENER.findall(TAGS.sub("", text))
        if f'hx-target="#{name}"' in found
    ] == []
