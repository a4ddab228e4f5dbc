import json
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from types import SimpleNamespace

import pytest

from lib import coerce
from lib.text import DEEPER, as_data, as_json_line, fold, recorded, storable


def test_text_loses_what_no_database_holds():
    assert storable("a\0b\ud800c") == "a\ufffdb\ufffdc"
    assert coerce.text("Zoë 🦀") == "Zoë 🦀"
    assert coerce.text(None) == ""


def test_an_answer_is_data_or_stays_text():
    assert as_data('{"partySize": 4}') == {"partySize": 4}
    assert as_data("<html>") == "<html>"
    assert as_data("") == ""


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('["\\ud83c", "\\u0000"]', ["\ufffd", "\ufffd"]),
        ('{"\\ud83c": "\\ud83c\\udf77"}', {"\ufffd": "\N{WINE GLASS}"}),
        ("[NaN, -Infinity, 1e400, -1e400]", [None, None, None, None]),
        (f"[{'9' * 5000}, 1.5]", [None, 1.5]),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ("\ufeff[1]", [1]),
    ],
)
def test_an_answer_is_read_as_what_every_page_and_file_can_hold(written, read):
    assert as_data(written) == read


@pytest.mark.parametrize("levels", [51, 400])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_what_is_nested_too_deep_for_people_is_cut(levels, opening, closing):
    shown = as_data(f'{{"deep": {opening * levels}1{closing * levels}, "partySize": 4}}')

    assert shown["partySize"] == 4
    assert json.dumps(shown).count("[") + json.dumps(shown).count("{") == 50
    assert DEEPER in json.dumps(shown, ensure_ascii=False)


def test_what_no_parser_can_follow_stays_text():
    assert as_data("[" * 100_000) == "[" * 100_000


@pytest.mark.parametrize(
    "raw", ['{"a":\t1.50}', '["\\ud83c"]', f"[{'9' * 5000}]", "[" * 300 + "]" * 300]
)
def test_json_is_dumped_as_it_was_sent(raw):
    assert as_json_line(raw) == raw


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        ("", "null"),
        ("[1,\r\n2]", "[1,  2]"),
        ('["a\u2028b\u2029"]', '["a\\u2028b\\u2029"]'),
        ('[NaN, "\\ud83c"]', '[null, "\\ud83c"]'),
        ("\ufeff[1]", "[1]"),
        ("<html>", '"<html>"'),
    ],
)
def test_a_dumped_line_is_json_for_every_parser(raw, line):
    assert as_json_line(raw) == line


@pytest.mark.parametrize(
    ("written", "folded"),
    [("LEFÈVRE", "lefevre"), ("Straße", "strasse"), ("Łukasz", "lukasz"), ("ﬁne", "fine")],
)
def test_names_fold_to_plain_letters(written, folded):
    assert fold(written) == folded


def test_other_scripts_are_kept():
    assert fold("מסעדה 寿司") == "מסעדה 寿司"


def test_a_word_is_cut_before_it_becomes_an_essay():
    assert coerce.word("x" * 5_000_000) == "x" * 64


@pytest.mark.parametrize("number", [-1, 2**31, 10**5000], ids=["negative", "large", "absurd"])
def test_an_integer_out_of_range_is_none(number):
    assert coerce.whole(number) is None


@pytest.mark.parametrize("number", [Decimal("8.5"), Decimal("NaN"), Decimal("Infinity")])
def test_a_fraction_is_no_integer(number):
    assert coerce.small(number) is None
    assert coerce.small(Decimal("8")) == 8


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (19.9, Decimal("19.900")),
        (Decimal("0.1"), Decimal("0.100")),
        (float("nan"), None),
        (float("inf"), None),
        (1e30, None),
        (Decimal("1e999999999"), None),
        (Decimal("-1e999999999"), None),
        (None, None),
    ],
)
def test_an_amount_is_exact_or_none(value, kept):
    assert coerce.amount(value) == kept


def test_a_naive_time_is_utc():
    naive = datetime(2026, 1, 1, 12)  # noqa: DTZ001  # what the service sends

    assert coerce.instant(naive) == datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("year", [1, 1899, 2201, 9999])
def test_an_absurd_time_is_none(year):
    assert coerce.instant(datetime(year, 12, 31, tzinfo=timezone(timedelta(hours=-14)))) is None
    assert coerce.day(date(year, 12, 31)) is None


def test_tags_that_are_no_words_are_left_out():
    assert coerce.words(["nuts", 4, None, "g\0luten"]) == ["nuts", "g\ufffdluten"]


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("a\0", "a\ufffd"),
        (True, True),
        (4, 4),
        (4.0, 4),
        (4.5, 4.5),
        (float("nan"), None),
        (2**60, str(2**60)),
        ("", ""),
    ],
)
def test_a_custom_field_keeps_what_json_can_hold(value, kept):
    item = SimpleNamespace(label_uuid=None, label="Table", type="string", value=value)

    assert coerce.custom_fields([item]) == [
        {"uuid": "", "label": "Table", "type": "string", "value": kept}
    ]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (["nuts", "gluten"], "gluten, nuts"),  # in whichever order they are sent
        ([{"label": "Allergy", "value": "nuts"}], "Allergy: nuts"),
        ([{"label": "", "value": 3}, {"label": "Vegan", "value": True}], "3, Vegan: ✓"),
        ([{"label": "Seats", "value": [{"b": 1, "a": "nuts"}]}], 'Seats: {"a": "nuts", "b": 1}'),
        (None, ""),
        (2, "2"),
    ],
)
def test_a_history_keeps_words(value, words):
    assert recorded(value) == words
