"""`collectstatic` puts what a style sheet imports into it, so that a page waits for one."""

import json

import pytest
from django.core.management import call_command

MAIN = """@layer base, components;

@import "base.css" layer(base);
@import "badge.css" layer(components);
"""
JOINED = """@layer base, components;

@layer base {
a { color: red; }}
@layer components {
b { color: blue; }}
"""


@pytest.fixture
def collect(settings, tmp_path):
    """Write files of a project, collect them, and read what was collected of one."""
    settings.STATICFILES_DIRS = [tmp_path / "source"]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "lib.web.style_sheets.JoinedStaticFilesStorage"}
    }

    def go(**files: str) -> tuple[str, str]:
        for name, text in files.items():
            path = tmp_path / "source" / "css" / f"{name}.css"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (tmp_path / "source" / "dot.svg").write_text("<svg/>")
        call_command("collectstatic", interactive=False, verbosity=0)
        manifest = json.loads((tmp_path / "collected" / "staticfiles.json").read_text())
        name = manifest["paths"]["css/app.css"]
        return name, (tmp_path / "collected" / name).read_text()

    return go


def test_it_works(collect):
    _name, text = collect(app=MAIN, base="a { color: red; }", badge="b { color: blue; }")

    assert text == JOINED


def test_a_change_of_an_imported_sheet_has_a_new_name(collect):
    """Browsers keep a file for ever by its name."""
    before, _text = collect(app=MAIN, base="a { color: red; }", badge="")
    after, text = collect(base="a { color: green; }")

    assert before != after
    assert "green" in text


def test_what_an_imported_sheet_shows_is_found(collect):
    _name, text = collect(app=MAIN, base='a { background: url("../dot.svg"); }', badge="")

    assert 'url("../dot.' in text
    assert '"../dot.svg"' not in text


def test_a_missing_sheet_ends_the_collection(collect):
    with pytest.raises(FileNotFoundError, match=r"badge\.css"):
        collect(app=MAIN, base="")
