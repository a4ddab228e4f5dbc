"""Every sentence in every language, with the same gaps to fill. `make check` looks for new ones."""

import re
from datetime import date, time
from decimal import Decimal
from importlib import import_module
from pathlib import Path

import polib
import pytest
from django.apps import apps
from django.forms import BaseForm
from django.utils import translation

from bin.messages import ROOT, catalogues, faults, unused
from lib.management.commands.makemessages import ALIASES

CATALOGUES = {path.parts[-3]: path for path in catalogues()}


@pytest.mark.django_db
@pytest.mark.parametrize("language", CATALOGUES)
def test_it_works(client, language):
    words = {entry.msgid: entry.msgstr for entry in polib.pofile(str(CATALOGUES[language]))}

    page = client.get("/accounts/login/", headers={"accept-language": language})

    assert page.headers["Content-Language"] == language
    assert words["Sign in"] in page.content.decode()


def test_every_language_of_the_settings_has_its_words(settings):
    assert {code for code, _name in settings.LANGUAGES} == {"en", *CATALOGUES}


@pytest.mark.parametrize("path", CATALOGUES.values(), ids=CATALOGUES)
def test_no_sentence_is_left_out_and_no_gap_is_lost(path):
    assert list(faults(path)) == []


def test_a_translation_without_a_sentence_is_named(tmp_path):
    for name, words in (("ours", ["Late", "Soon"]), ("collected", ["Soon"])):
        entries = "".join(f'msgid "{word}"\nmsgstr "x"\n\n' for word in words)
        (tmp_path / name).mkdir()
        (tmp_path / name / "fr").mkdir()
        (tmp_path / name / "fr" / "django.po").write_text(entries)
    ours, collected = (tmp_path / name / "fr" / "django.po" for name in ("ours", "collected"))

    assert [line.partition(": ")[2] for line in unused(ours, collected)] == [
        "'Late' is used nowhere"
    ]


@pytest.mark.parametrize(("language", "other"), [("fr", "convive"), ("es", "cubierto")])
def test_covers_are_called_by_one_word(language, other):
    """The glossary names it; a reader of the pulse takes another one for another number."""
    entries = polib.pofile(str(CATALOGUES[language]))
    words = {text for entry in entries for text in (entry.msgstr, *entry.msgstr_plural.values())}

    assert [text for text in words if other in text.lower()] == []


def test_french_has_its_apostrophe_and_a_space_that_never_breaks_before_double_signs():
    """An ordinary one leaves the sign alone on the next line of a phone."""
    entries = polib.pofile(str(CATALOGUES["fr"]))
    words = {text for entry in entries for text in (entry.msgstr, *entry.msgstr_plural.values())}
    broken = re.compile(r" [:;!?»](?!\S)|« |[^\W\d_][:?!](?= |$)")

    assert [text for text in words if broken.search(text)] == [], "U+00A0 stands before them"
    assert [text for text in words if re.search(r"[^\W\d_]'[^\W\d_]", text)] == [], "’ is theirs"


def test_every_colon_behind_a_label_is_a_word_of_the_catalogues():
    """A bare one reads “Nom: Ce champ” in French, where it has a space before it."""
    translated = re.compile(r"{% blocktranslate.*?{% endblocktranslate %}", re.S)
    bare = re.compile(r".*(?:}}|%}|</\w+>):(?:\s|$)", re.M)
    templates = (ROOT / "templates").rglob("*.html")

    texts = {path.name: translated.sub("", path.read_text()) for path in templates}
    found = [f"{name}: {one.strip()}" for name, text in texts.items() for one in bare.findall(text)]

    assert found == [], "write label, colon and value in one blocktranslate"


@pytest.mark.django_db
def test_an_error_of_a_form_is_written_as_its_language_writes(client):
    page = client.post(
        "/accounts/login/", {"login": "", "password": ""}, headers={"accept-language": "fr"}
    ).content.decode()

    assert re.search(r"</a>\xa0: ", page)


def test_every_name_that_gettext_is_imported_under_is_collected():
    imported = re.compile(r"\b[dnp]*gettext(?:_lazy)? as (\w+)")
    files = [path for path in ROOT.glob("*/**/*.py") if ".venv" not in path.parts]

    names = {name for path in files for name in imported.findall(path.read_text())}

    assert names <= {"_", *ALIASES}


class TestFaults:
    def test_it_names_what_is_missing_and_what_would_break(self, tmp_path):
        path = tmp_path / "xx" / "LC_MESSAGES" / "django.po"
        path.parent.mkdir(parents=True)
        path.write_text(
            'msgid "Hello"\nmsgstr ""\n\n'
            'msgid "%(count)s guests"\nmsgstr "gasten"\n\n'
            'msgid "{name} left"\nmsgstr "{name} weg"\n'
        )

        assert list(faults(path)) == [
            "xx: 'Hello' is not translated",
            "xx: '%(count)s guests' has other placeholders in its translation",
        ]


def typed_inputs():
    """Every field of our forms whose input has a type of which a browser reads one spelling."""
    ours = [app for app in apps.get_app_configs() if Path(app.path).parent == ROOT]
    for path in (path for app in ours for path in Path(app.path).rglob("forms.py")):
        import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    found, classes = [], [BaseForm]
    while classes:
        form = classes.pop()
        classes += form.__subclasses__()
        if form.__module__.split(".")[0] not in {app.name for app in ours}:
            continue
        for name, field in getattr(form, "base_fields", {}).items():
            kind = field.widget.attrs.get("type", getattr(field.widget, "input_type", ""))
            if kind in READABLE:
                found.append(pytest.param(field.widget, kind, id=f"{form.__qualname__}.{name}"))
    return found


READABLE = {
    "date": (date(2026, 11, 27), "2026-11-27"),
    "time": (time(19, 30), "19:30"),
    "number": (Decimal("1234.5"), "1234.5"),
}


@pytest.mark.parametrize("language", ["en", *CATALOGUES])
@pytest.mark.parametrize(("widget", "kind"), typed_inputs())
def test_a_field_is_filled_with_what_a_browser_reads(widget, kind, language):
    """Of “27/11/2026”, as French and Spanish write it, a browser shows an empty field."""
    value, readable = READABLE[kind]
    with translation.override(language):
        assert widget.format_value(value) == readable


def test_fields_of_each_type_are_tried():
    assert {one.values[1] for one in typed_inputs()} == set(READABLE)
