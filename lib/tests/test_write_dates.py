"""Days and months in the letters of each language, from Python and from templates alike."""

from datetime import datetime

import pytest
from django.conf import settings
from django.template import engines
from django.utils.translation import override

from lib.dates import date_format

DAY = datetime(2026, 11, 24, 19, 30)  # noqa: DTZ001 - no zone: nothing is converted
DJANGOS = "from django.utils.formats import date_format"
pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("language", "form", "words"),
    [
        ("en", "D j M", "Tue 24 Nov"),
        ("fr", "D j M, H:i", "mar 24 nov, 19:30"),
        ("es", "D j M", "mar 24 nov"),
        ("fr", "l j F Y", "mardi 24 novembre 2026"),
        ("es", "l j F", "martes 24 de noviembre"),
        ("es", "l j F Y", "martes 24 de noviembre de 2026"),
        ("es", "F Y", "noviembre de 2026"),
        ("fr", "Y-m-d\\TH:i", "2026-11-24T19:30"),
    ],
)
def test_it_works(language, form, words):
    template = engines["django"].from_string("{{ day|date:form }}")
    with override(language):
        assert date_format(DAY, form) == words
        assert template.render({"day": DAY, "form": form}) == words


def test_nothing_is_no_date():
    template = engines["django"].from_string('{{ day|date:"D j M" }}')

    assert template.render({"day": None}) == ""


def test_no_module_writes_dates_past_it():
    """One that takes Django's own function writes “24 Nov” in French."""
    modules = settings.BASE_DIR.glob("[a-z]*/**/*.py")

    assert [one for one in modules if DJANGOS in one.read_text().splitlines()] == []
