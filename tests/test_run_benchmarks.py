"""The frame of `make bench`: in turn, medians, ratios."""

import pytest

from tests.bench.__main__ import measure_all
from tests.bench.frame import POSTGRES, SQLITE, Bench, Outcome, measure
from tests.bench.page import Row, parse, render, replace, rows_of


def test_it_works():
    taken = []

    def take(name, figures):
        def measured():
            taken.append(name)
            return next(figures)

        return measured

    bench = Bench(
        name="answering",
        unit="ms",
        measures={"peer": take("peer", iter([1, 9, 2])), "ours": take("ours", iter([4, 4, 5]))},
    )
    outcome = measure(bench, repetitions=3)

    assert taken == ["peer", "ours"] * 3
    assert (outcome.median("peer"), outcome.median("ours")) == (2, 4)
    assert outcome.ratio("ours") == 2.5  # of 4, 0.44 and 2.5: each round is compared by itself
    assert rows_of(outcome)[1] == Row("answering", "ours", "median", "4.0 ms", "2.50", "")


class TestAim:
    def outcome(self, aim):
        return Outcome(
            Bench("searching", unit="ms", measures={}, aim=aim), {"plain": [2], "ours": [3]}
        )

    @pytest.mark.parametrize(
        ("aim", "figures", "ratios"),
        [
            ("", ["2.0 ms", "3.0 ms"], ["1.00", "1.50"]),
            ("≤ 1.5", ["2.0 ms", "3.0 ms"], ["1.00", "1.50"]),
            ("< 1.5", ["2.0 ms", "3.0 ms"], ["1.00", "**1.50, missed**"]),
            ("≥ 1.6", ["2.0 ms", "3.0 ms"], ["1.00", "**1.50, missed**"]),
            ("≤ 2.5 ms", ["2.0 ms", "**3.0 ms, missed**"], ["1.00", "1.50"]),
            ("plain ≤ 1 ms", ["**2.0 ms, missed**", "3.0 ms"], ["1.00", "1.50"]),
            ("≤ 2 ms; ≤ 1", ["2.0 ms", "**3.0 ms, missed**"], ["1.00", "**1.50, missed**"]),
        ],
    )
    def test_what_misses_it_is_marked(self, aim, figures, ratios):
        rows = rows_of(self.outcome(aim))

        assert [row.figure for row in rows] == figures
        assert [row.ratio for row in rows] == ratios

    @pytest.mark.parametrize("aim", ["fast", "≤ 60 s", "≤ 1.3, or so"])
    def test_one_that_nothing_could_miss_is_refused(self, aim):
        with pytest.raises(ValueError, match="no aim that searching could miss"):
            self.outcome(aim)


def test_nothing_is_compared_with_nothing():
    outcome = Outcome(Bench("losing", unit="events", measures={}), {"peer": [0], "ours": [0]})

    assert outcome.ratio_text("ours") == "–"


def row(subject, how, flavour=SQLITE, figure="1.0 ms"):
    return Row(subject, how, flavour, figure, "1.00", "≤ 2")


@pytest.mark.django_db
class TestPage:
    def test_both_databases_stand_beside_each_other(self):
        page = render([row("a board", "peer"), row("a board", "peer", POSTGRES, "2.0 ms")])

        assert "## a board\n" in page
        assert "\nAim: ≤ 2\n" in page
        assert "| how | SQLite + files | × | PostgreSQL + Redis | × |" in page
        assert "| peer | 1.0 ms | 1.00 | 2.0 ms | 1.00 |" in page

    def test_it_is_read_as_it_was_written(self):
        rows = [
            row("a board", "peer"),
            row("a board", "ours"),
            row("a board", "peer", POSTGRES)._replace(aim="≤ 3"),
            row("calls", "peer", "median"),
            # The same thing beside two peers, and with another aim on the other database.
            row("receiving", "empty view")._replace(aim="≥ 0.35"),
            row("receiving", "ours", figure="2.0 ms")._replace(aim="≥ 0.35"),
            row("receiving", "another"),
            row("receiving", "ours", figure="3.0 ms"),
            row("receiving", "another", POSTGRES)._replace(aim="≤ 1"),
        ]

        assert list(parse(render(rows))) == rows

    def test_a_run_of_some_replaces_only_their_rows_where_they_stood(self):
        before = [row("a board", "ours"), row("a board", "ours", POSTGRES), row("calls", "ours")]
        measured = [row("a board", "ours", figure="9.0 ms"), row("new", "ours")]

        assert replace(before, measured) == [before[1], measured[0], before[2], measured[1]]


def test_what_takes_an_hour_and_much_disk_runs_only_when_it_is_named():
    assert list(measure_all(["sizes"], wanted=[])) == []
