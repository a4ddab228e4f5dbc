"""Style and script stay small, in their layers, and within the policy."""

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

STATIC = Path(settings.BASE_DIR) / "static"
STYLES = sorted((STATIC / "css").glob("*.css"))
SCRIPTS = sorted((STATIC / "js").glob("*.js"))
# Named for an app, or for it and what they dress; loaded in the `head` block of its own pages.
PAGE_STYLES = sorted((STATIC / "css" / "pages").glob("*.css"))
PAGE_SCRIPTS = sorted((STATIC / "js" / "pages").glob("*.js"))
# Imported by the service worker, and by no page.
WORKER_SCRIPTS = sorted((STATIC / "js" / "worker").glob("*.js"))
# Loaded by the pages they are named for, and by no other.
APART = {"admin.css", "entrance.css", "styleguide.css"}
LAYERS = "reset, tokens, base, layout, components, utilities"


def code(path: Path) -> str:
    """The text without its comments, which cost nothing once compressed."""
    return re.sub(r"/\*.*?\*/|^\s*//.*?$\n?| // .*?$", "", path.read_text(), flags=re.S | re.M)


def test_it_works(client: Client):
    policy = client.get("/accounts/login/").headers["Content-Security-Policy"]

    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "style-src 'self'" in policy


def test_every_style_is_imported_once_into_a_layer():
    app = (STATIC / "css" / "app.css").read_text()
    imported = re.findall(r'@import "(.+?)" layer\((\w+)\);', app)

    assert app.startswith(f"@layer {LAYERS};")
    assert sorted(name for name, _layer in imported) == sorted(
        path.name for path in STYLES if path.name not in APART | {"app.css"}
    )
    assert {layer for _name, layer in imported} <= set(LAYERS.split(", "))


def test_styles_stay_small():
    every_page = "".join(code(path) for path in STYLES if path.name not in APART)

    assert len(gzip.compress(every_page.encode())) <= 12_000


def test_scripts_stay_small():
    assert sum(len(code(path)) for path in SCRIPTS) <= 25_000


def test_an_app_adds_little_to_its_own_pages():
    for path in PAGE_STYLES:
        assert len(gzip.compress(code(path).encode())) <= 3_000, path.name
        assert re.match(r"@layer \w+ \{", code(path).strip()), path.name
    for path in PAGE_SCRIPTS:
        assert len(code(path)) <= 8_000, path.name


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_a_style_fits_in_the_head(path: Path):
    text = path.read_text()

    assert len(text.splitlines()) <= 120
    assert not re.search(r"^\s*#[\w-]+[^;]*\{", text, re.M), "an id selector"


def test_the_service_worker_stays_small():
    """It is fetched beside the first view: push messages and the offline copy."""
    assert sum(len(code(path)) for path in WORKER_SCRIPTS) <= 9_000


@pytest.mark.parametrize("path", SCRIPTS + WORKER_SCRIPTS, ids=lambda path: path.name)
def test_a_script_fits_in_the_head(path: Path):
    assert len(path.read_text().splitlines()) <= 60
