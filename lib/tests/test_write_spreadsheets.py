import csv
import io
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.utils.translation import override
from openpyxl import load_workbook

from lib.spreadsheets import csv_response, plain, spreadsheet_response, xlsx_response


def read_csv(response):
    return list(csv.reader(io.StringIO(response.getvalue().decode())))


def open_xlsx(response):
    book = load_workbook(io.BytesIO(b"".join(response.streaming_content)))
    response.file_to_stream.close()
    return book.active


def read_xlsx(response):
    return [[cell.value for cell in row] for row in open_xlsx(response)]


def test_it_works():
    rows: list[list[Any]] = [["Guest", "Party"], ["Zoë, “Lefèvre”", 4]]

    assert read_csv(csv_response("guests", rows)) == [["Guest", "Party"], ["Zoë, “Lefèvre”", "4"]]
    assert read_xlsx(xlsx_response("guests", rows)) == rows


def test_it_is_named_for_what_it_holds():
    response = spreadsheet_response("csv", "guests", [])

    assert response.headers["Content-Disposition"] == 'attachment; filename="guests.csv"'


SIGNS = ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\ufe66", "\ufe62", "\u2212"]
BEFORE_A_SIGN = [
    "",
    " ",
    "\t",
    "\r",
    "\n",
    "\r\n",
    "\xa0",
    "\u3000",
    "\u200b",
    "\ufeff",
    "\u202e",
    "\x7f",
]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", BEFORE_A_SIGN, ids=ascii)
def test_no_text_becomes_a_formula(before, sign):
    assert plain(f"{before}{sign}1+1") == f"'{before}{sign}1+1"


@pytest.mark.parametrize("text", ["\tA", "\rA", "\nA"])
def test_no_text_begins_a_cell_or_a_row(text):
    assert plain(text) == f"'{text}"


def test_what_a_reader_of_csv_would_skip_is_left_out():
    assert plain("\0\x01=1+1") == "'=1+1"
    assert plain("a\0\ud83cb") == "ab"


@pytest.mark.parametrize("text", ["", " ", "Zoë", "4 + 4", "a=b", "'=1", "½", "…", "(+33)"])
def test_other_text_stays_as_it_is(text):
    assert plain(text) == text


def test_a_workbook_holds_text_and_not_formulas():
    sheet = open_xlsx(xlsx_response("guests", [["=1+1"]]))

    assert (sheet["A1"].value, sheet["A1"].data_type) == ("=1+1", "s")


@pytest.mark.parametrize("number", [-4, Decimal("-1.50"), 2.5])
def test_numbers_stay_numbers(number):
    assert plain(number) == str(number)


def test_nothing_is_empty_and_lists_are_words():
    assert plain(None) == ""
    assert plain(["nuts", "eggs"]) == "nuts, eggs"
    assert plain(datetime(2026, 1, 1, 12, tzinfo=UTC)) == "2026-01-01T12:00:00+00:00"


def test_booleans_are_words_in_the_readers_language():
    with override("fr"):
        assert read_csv(csv_response("guests", [[True, False]])) == [["Oui", "Non"]]
        assert read_xlsx(xlsx_response("guests", [[True, False]])) == [["Oui", "Non"]]


def test_the_mark_of_utf8_is_an_option():
    assert csv_response("guests", [["é"]], bom=True).getvalue().startswith(b"\xef\xbb\xbf")
    assert not csv_response("guests", [["é"]]).getvalue().startswith(b"\xef")


def test_what_a_workbook_cannot_hold_is_cut():
    rows = read_xlsx(xlsx_response("guests", [["a\x07b\ud83c", "x" * 40_000, "🎂" * 40_000]]))

    assert rows[0][0] == "ab"
    assert len(rows[0][1]) == 32_767
    assert rows[0][2] == "🎂" * 16_383  # counted as the format counts: twice


def test_rows_are_read_as_they_are_sent():
    rows = iter([["first"], ["second"]])
    response = csv_response("guests", rows)

    assert next(iter(response)) == b"first\r\n"
    assert next(rows) == ["second"]
