"""The finder of raw words finds them: the walk of all pages relies on it."""

import io

import pytest
from openpyxl import Workbook

from tests.raw_words import RawWords, texts_of

pytestmark = pytest.mark.once


def found(kind: str, body: str, language: str = "en") -> set[str]:
    return RawWords(language).in_texts(texts_of(kind, body.encode()))


@pytest.mark.parametrize(
    "word",
    ["presetMenu", "VERY_EXPENSIVE", "pt_BR", "utm_source", "BILL", "SearchEngine", "mr_and_mrs"],
)
def test_a_word_that_nobody_writes_is_found_anywhere(word):
    assert found("text/html", f"<p>An offer ({word}), seen.</p>") == {word}


@pytest.mark.parametrize("word", ["mr", "gold", "promotion", "True", "False", "None"])
def test_any_other_word_is_found_where_it_stands_alone(word):
    assert found("text/html", f"<td> {word} </td>") == {word}
    assert found("text/html", f"<td>None yet, {word} as we say.</td>") == set()


def test_a_word_that_is_its_own_label_is_none():
    assert found("text/html", "<td>Marketplace</td>") == set()
    assert found("text/html", "<td>Marketplace</td>", language="fr") == {"Marketplace"}


def test_a_number_in_english_notation_is_found_in_other_languages():
    page = "<b>8.5</b> of 10, Couvert 1.0.2, 10.0.0.1"

    assert found("text/html", page) == set()
    assert found("text/html", page, language="fr") == {"8.5"}
    assert found("text/csv", "8.5,-1.25", language="fr") == set()


def test_what_machines_read_is_left_out():
    page = '<option value="NO_SHOW" class="BILL" data-x="True">No-show</option><code>NO_SHOW</code>'

    assert found("text/html", page) == set()
    assert found("application/json", '"NO_SHOW"') == set()


def test_what_is_shown_or_read_out_is_not():
    assert found("text/html", '<b title="NO_SHOW" aria-label="BILL">x</b>') == {"NO_SHOW", "BILL"}


def test_it_reads_sheets_and_calendars():
    book, file = Workbook(), io.BytesIO()
    book.active.append(["Status", True, "NO_SHOW"])
    book.save(file)
    sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    assert RawWords("en").in_texts(texts_of(sheet, file.getvalue())) == {"True", "NO_SHOW"}
    assert found("text/csv; charset=utf-8", 'a,"NO_SHOW"\r\nb,False\r\n') == {"NO_SHOW", "False"}
    assert found("text/calendar", "STATUS:CONFIRMED\r\nSUMMARY:4 · NO_S\r\n HOW\r\n") == {"NO_SHOW"}
