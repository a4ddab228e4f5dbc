"""`manage.py backtest`: how wrong forecasts would have been on a history from a file."""

import csv
import json
from datetime import date
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from insights.forecast.backtest import DAYS, backtest, scored_days
from insights.forecast.engine import train
from insights.forecast.from_csv.history import clock_offset, read_history
from insights.forecast.from_csv.rows import COLUMNS, CsvRow, read_rows
from insights.forecast.testing import (
    SEASONS,
    MadeUp,
    make_bookings,
    make_history,
    write_csv,
)

FIRST = date(2025, 9, 1)
BISTRO = MadeUp("Bistro", {"dinner": 12})
FIGURES = ["services", "wape", "bias", "inside_80", "wape_last4", "wape_ratio_rule", "seconds"]


@pytest.fixture
def bistro(tmp_path: Path) -> Path:
    return write_csv(tmp_path / "b.csv", make_history(BISTRO, first=FIRST, days=160, seed=1))


def run(path: Path, *more: str) -> str:
    out = StringIO()
    call_command("backtest", f"--csv={path}", *more, stdout=out, stderr=out)
    return out.getvalue()


def refusal(path: Path, *more: str) -> str:
    with pytest.raises(CommandError) as caught:
        run(path, *more)
    return str(caught.value)


def lines_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(path: Path, lines: list[dict[str, str]], columns: list[str] | None = None) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns or list(lines[0]), extrasaction="ignore")
        writer.writeheader()
        writer.writerows(lines)
    return path


def changed(path: Path, place: int, **values: str) -> Path:
    lines = lines_of(path)
    lines[place] |= values
    return write(path, lines)


class TestCommand:
    def test_it_works(self, bistro):
        found = json.loads(run(bistro, "--json"))

        assert list(found) == ["1", "3", "7", "14"]
        assert all(list(figures) == FIGURES for figures in found.values())
        assert found["7"]["services"] == 53  # shut on three holidays
        assert 0 < found["1"]["wape"] < found["14"]["wape"] < 0.6
        assert 0 < found["7"]["inside_80"] <= 1

    def test_horizons_can_be_chosen(self, bistro):
        assert list(json.loads(run(bistro, "--json", "--horizons", "2,28"))) == ["2", "28"]

    def test_without_json_it_prints_a_table(self, bistro):
        first, *rows, last = run(bistro).splitlines()

        assert "wrong by" in first
        assert [row.split()[:2] for row in rows] == [[h, "53"] for h in ("1", "3", "7", "14")]
        assert last.startswith("Trained and walked in")

    @pytest.mark.parametrize("horizons", ["0", "29", "a", ""])
    def test_horizons_beyond_four_weeks_are_refused(self, bistro, horizons):
        assert "days from 1 to 28" in refusal(bistro, "--horizons", horizons)


class TestRefusals:
    def test_a_file_that_is_not_there(self, tmp_path):
        assert refusal(tmp_path / "no.csv") == "The file cannot be read: No such file or directory."

    def test_an_empty_file(self, tmp_path):
        (tmp_path / "e.csv").write_text("")

        assert refusal(tmp_path / "e.csv") == "The file is empty."

    def test_a_file_of_headings_only(self, tmp_path):
        (tmp_path / "e.csv").write_text(",".join(COLUMNS) + "\n")

        assert refusal(tmp_path / "e.csv") == "The file has no bookings."

    def test_a_file_that_is_no_text(self, tmp_path):
        (tmp_path / "e.csv").write_bytes(b"\x89PNG\r\n\x00\xff\xfe")

        assert refusal(tmp_path / "e.csv") == "The file is not a CSV file in UTF-8."

    def test_a_missing_column_is_named(self, bistro):
        lines = lines_of(bistro)
        write(bistro, lines, [name for name in lines[0] if name != "created_at"])

        assert refusal(bistro).startswith("The file has no column created_at: its first line")

    @pytest.mark.parametrize(
        ("column", "value", "sentence"),
        [
            ("service_day", "31/12/2025", "service_day must be a date like 2026-05-31"),
            ("meal_time", "25:00", "meal_time must be a time like 19:30"),
            ("created_at", "yesterday", "created_at must be a moment like 2026-05-31T17:05:00Z"),
            ("party_size", "0", "party_size must be a whole number above 0"),
            ("party_size", "four", "party_size must be a whole number above 0"),
            ("status", "DONE", "status must be one of RECORDED, CANCELED, NO_SHOW"),
            ("restaurant", "", "restaurant must be a name"),
        ],
    )
    def test_a_wrong_value_is_named_with_its_line(self, bistro, column, value, sentence):
        message = refusal(changed(bistro, 3, **{column: value}))

        assert message.startswith(f"Line 5: {sentence}")
        assert message.endswith(f"not “{value}”.")

    def test_a_line_cut_short(self, bistro):
        bistro.write_text(bistro.read_text() + "Bistro,2026-02-07\n")

        assert "meal_time must be a time like 19:30" in refusal(bistro)

    def test_too_little_history(self, tmp_path):
        rows = make_history(BISTRO, first=FIRST, days=24, seed=1)

        message = refusal(write_csv(tmp_path / "b.csv", rows))

        assert message == "Bistro: too early to say: 3 of 6 weeks."

    def test_one_restaurant_of_several_with_too_little_history_is_left_out(self, bistro):
        young = make_history(
            MadeUp("Young", {"dinner": 12}), first=date(2026, 1, 15), days=24, seed=1
        )
        bistro.write_text(bistro.read_text() + "\n".join(",".join(row) for row in young))

        printed = run(bistro)

        assert "Young: too early to say: 3 of 6 weeks." in printed
        assert "53" in printed


class TestFile:
    def test_requests_that_were_never_confirmed_are_left_out(self, bistro):
        before = len(list(read_rows(bistro)))

        assert len(list(read_rows(changed(bistro, 3, status="REQUESTED")))) == before - 1

    def test_the_case_of_words_does_not_matter(self, bistro):
        before = list(read_rows(bistro))
        names = {name: f" {name.upper()} " for name in lines_of(bistro)[0]}
        lines = [
            {names[name]: value for name, value in line.items()}
            | {names["status"]: line["status"].lower(), names["service"]: line["service"].title()}
            for line in lines_of(bistro)
        ]

        assert list(read_rows(write(bistro, lines))) == before

    def test_empty_lines_and_lines_of_commas_are_passed_over(self, bistro):
        before = list(read_rows(bistro))
        with bistro.open("a") as file:
            file.write("\n,,,,,,,,,,\n\n")

        assert list(read_rows(bistro)) == before

    def test_moments_may_carry_another_zone_or_none(self, bistro):
        lines = lines_of(bistro)
        moment = lines[3]["created_at"].removesuffix("Z")
        (was,) = [row.created for row in list(read_rows(bistro))[3:4]]

        plain = list(read_rows(changed(bistro, 3, created_at=moment)))[3]
        shifted = list(read_rows(changed(bistro, 3, created_at=f"{moment}+02:00")))[3]

        assert plain.created == was
        assert was is not None
        assert shifted.created == was - 120

    def test_a_meal_after_midnight_belongs_to_its_service_day(self, bistro):
        row = list(read_rows(changed(bistro, 0, meal_time="00:30")))[0]

        assert row.meal - row.day * 24 * 60 == 24 * 60 + 30

    def test_the_clocks_of_the_place_are_read_off_its_walk_ins(self):
        def row(channel: str, created: int) -> CsvRow:
            return CsvRow("A", "dinner", 0, 20 * 60, created, None, 2, "RECORDED", channel)

        tokyo = [row("Walk-in", 11 * 60)] * 20
        assert clock_offset([*tokyo, row("Guide", 0)]) == 9 * 60
        assert clock_offset([row("Guide", 0)] * 20) == 0

    def test_a_file_with_bookings_ahead_ends_on_the_day_before_its_last_change(self, bistro):
        lines = lines_of(bistro)
        assert read_history(bistro).last == date(2026, 2, 7)

        ahead = lines[-1] | {"service_day": "2026-03-05", "created_at": "2026-02-07T12:00:00Z"}

        assert read_history(write(bistro, [*lines, ahead])).last == date(2026, 2, 6)


class TestScore:
    def test_only_services_that_were_held_are_scored(self):
        closed = MadeUp("Bistro", {"dinner": 12}, weekdays=(0, 1, 1, 1, 1, 1, 1))
        services = make_bookings(closed, first=date(2026, 1, 12), days=160, seed=1)
        found = train(services, today=date(2026, 6, 21))["dinner"]

        days = scored_days(found, horizon=7)

        assert len(days) == DAYS - 8
        assert not (found.history.weekdays[days] == 0).any()

    def test_a_history_without_any_covers_has_no_share(self):
        services = make_bookings(BISTRO, first=FIRST, days=160, seed=1)
        nobody = {"dinner": services["dinner"].known_on(0)}

        report = backtest({"Bistro": nobody}, today=date(2026, 2, 8))

        assert report.horizons[7]["wape"] is None
        assert report.too_early["Bistro"].weeks == 0


@pytest.fixture(scope="module")
def seasons():
    """The second world: seasons, holidays, a closed weekday, growth, a promotion."""
    from_rows = {}
    for place in SEASONS:
        from_rows[place.name] = make_bookings(place, first=date(2025, 7, 7), days=549, seed=1)
    return backtest(from_rows, today=date(2027, 1, 7)).horizons


class TestAgainstTheSimpleRules:
    @pytest.mark.parametrize(("horizon", "gain"), [(1, 0.1), (3, 0.2), (7, 0.2), (14, 0.1)])
    def test_it_beats_the_better_of_them(self, seasons, horizon, gain):
        figures = seasons[horizon]
        best = min(figures["wape_last4"], figures["wape_ratio_rule"])

        assert figures["wape"] <= (1 - gain) * best

    @pytest.mark.parametrize("horizon", [1, 3, 7, 14])
    def test_four_of_five_services_fall_inside(self, seasons, horizon):
        assert 0.75 <= seasons[horizon]["inside_80"] <= 0.85

    def test_it_is_quick(self, seasons):
        assert seasons[1]["seconds"] < 20
