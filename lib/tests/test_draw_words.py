"""The small words of all templates."""

import re
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.paginator import Paginator
from django.template import Context, Template
from django.utils.translation import override

from lib.templatetags.ui import (
    MARKS,
    PHASES,
    SYMBOLS,
    as_json,
    element_id,
    grouped,
    initials,
    page_numbers,
)


def draw(source: str, **context: object) -> str:
    return Template("{% load ui %}" + source).render(Context(context))


def test_a_symbol_is_drawn_where_it_stands():
    assert '<circle cx="11" cy="11" r="6.5"/>' in draw('{% icon "search" %}')


@pytest.mark.parametrize("name", [*MARKS, *(f"phase-{phase}" for phase in PHASES)])
def test_every_phase_and_mark_has_a_symbol(name: str):
    assert SYMBOLS[name]


def test_every_symbol_that_a_template_names_is_there():
    named = re.compile(r'{% icon "([^"]+)"')
    templates = (settings.BASE_DIR / "templates").rglob("*.html")

    assert {name for file in templates for name in named.findall(file.read_text())} <= {*SYMBOLS}


def test_a_phase_is_a_word_and_an_icon():
    badge = draw('{% phase "late" %}')

    assert 'data-phase="late"' in badge
    assert "Late" in badge
    assert SYMBOLS["phase-late"] in badge


def test_an_unknown_phase_is_made_readable():
    assert (
        draw("{% phase word %}", word="<NEW_ONE>") == '<span class="badge">&lt;new one&gt;</span>'
    )


def test_a_mark_tells_readers_what_it_means():
    assert "Allergy: nuts" in draw('{% mark "allergy" "nuts" %}')


def test_an_element_is_named_for_its_object():
    thing = SimpleNamespace(uuid="42", pk=1, _meta=SimpleNamespace(model_name="review"))

    assert element_id(thing) == "review-42"
    assert element_id(thing, "row") == "row-42"


@pytest.mark.parametrize(
    ("name", "letters"), [("Léa Moreau", "LM"), ("bob@example.org", "be"), ("", "")]
)
def test_a_person_has_initials(name: str, letters: str):
    assert initials(name) == letters


@pytest.mark.parametrize(
    ("language", "words"), [("en", "12,263"), ("fr", "12 263"), ("es", "12 263")]
)
def test_a_number_has_its_thousands_apart(language: str, words: str):
    with override(language):
        assert draw("{{ number|grouped }}", number=12263).replace("\xa0", " ") == words


@pytest.mark.parametrize("value", ["2026", "a word", None, True])
def test_what_is_no_number_stays_as_it_is(value: object):
    assert grouped(value) is value


def test_a_long_zone_is_broken_at_its_slashes_and_escaped():
    drawn = draw("{{ zone|broken_at_slashes }}", zone="America/Argentina/<b>")

    assert drawn == "America/<wbr>Argentina/<wbr>&lt;b&gt;"


def test_many_pages_become_few_links():
    page = Paginator(range(1000), 10).page(50)

    assert list(page_numbers(page)) == [1, "…", 49, 50, 51, "…", 100]


def test_a_payload_is_escaped_like_any_text():
    assert draw("{{ payload|as_json }}", payload={"a": "<b>"}).count("&lt;b&gt;") == 1
    assert as_json({"é": 1}) == '{\n  "é": 1\n}'


def test_a_first_visit_is_a_word_in_the_language_of_the_reader():
    words = {}
    for language in ("en", "fr", "es"):
        with override(language):
            words[language] = re.findall(
                r'title="([^"]+)".*>(\S+ \w+)</span><span', draw('{% mark "first" %}')
            )

    assert words == {
        "en": [("First visit", "1st visit")],
        "fr": [("Première visite", "1re visite")],
        "es": [("Primera visita", "1.ª visita")],
    }
