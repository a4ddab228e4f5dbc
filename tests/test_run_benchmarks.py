"""The frame of `make bench`: in turn, medians, ratios."""

from tests.bench.__main__ import measure_all
from tests.bench.frame import Bench, Outcome, measure, other_rows


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
    assert outcome.rows()[1] == "| answering | ours | 4.0 ms | 2.50 |  |"


def test_nothing_is_compared_with_nothing():
    outcome = Outcome(Bench("losing", unit="events", measures={}), {"peer": [0], "ours": [0]})

    assert outcome.rows()[1] == "| losing | ours | 0.0 events | – |  |"


def test_a_run_of_some_replaces_only_their_rows():
    anew = Outcome(Bench("answering", unit="ms", measures={}), {"ours": [3]})
    page = "| what | how |\n|---|---|\n| answering | ours | 9 ms |\n| asking | ours | 2 ms |\n"

    assert other_rows(page, [anew]) == ["| asking | ours | 2 ms |"]


def test_what_takes_an_hour_and_much_disk_runs_only_when_it_is_named():
    assert list(measure_all(["sizes"], wanted=[])) == []
