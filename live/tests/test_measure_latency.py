from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from live import latency
from live.models import LatencySample
from live.testing import begin_way, make_line
from restaurants.testing import sign_in

URL = reverse("live:painted")


def beacon(sample, **fields):
    data = {"kind": sample.kind, "uuid": str(sample.uuid), "version": sample.version, "took": 20}
    return {**data, **fields}


@pytest.fixture
def sample(quay):
    stored = timezone.now() - timedelta(milliseconds=100)
    line = make_line(quay, at=stored)
    return begin_way(
        line,
        received_at=stored - timedelta(milliseconds=80),
        fetched_at=stored - timedelta(milliseconds=10),
    )


class TestPainted:
    def test_it_works(self, bob, sample):
        answer = sign_in(bob).post(URL, beacon(sample))
        sample.refresh_from_db()

        assert answer.status_code == 204
        assert sample.painted_at - sample.announced_at == timedelta(milliseconds=20)

    def test_it_keeps_the_first_screen(self, bob, alice, sample):
        sign_in(bob).post(URL, beacon(sample))
        sample.refresh_from_db()
        first = sample.painted_at
        sign_in(alice).post(URL, beacon(sample))
        sample.refresh_from_db()

        assert sample.painted_at == first

    def test_it_hides_other_groups(self, charlie, sample):
        answer = sign_in(charlie).post(URL, beacon(sample))
        sample.refresh_from_db()

        assert (answer.status_code, sample.painted_at) == (204, None)

    def test_it_gives_nothing_away_about_what_exists(self, bob, charlie, sample):
        answers = {
            sign_in(charlie).post(URL, beacon(sample)).status_code,
            sign_in(bob).post(URL, beacon(sample, version=99)).status_code,
        }

        assert answers == {204}

    def test_it_doubts_a_paint_before_the_change(self, bob, sample):
        sign_in(bob).post(URL, beacon(sample, took=50_000))
        sample.refresh_from_db()

        assert sample.painted_at is None

    def test_it_doubts_a_paint_of_long_ago(self, bob, quay):
        old = begin_way(make_line(quay, at=timezone.now() - timedelta(hours=1)))
        sign_in(bob).post(URL, beacon(old))
        old.refresh_from_db()

        assert old.painted_at is None

    @pytest.mark.parametrize(
        "odd", [{"uuid": "nobody"}, {"version": "-1"}, {"took": "1e9"}, {"kind": "k" * 17}]
    )
    def test_it_refuses_what_makes_no_sense(self, bob, sample, odd):
        assert sign_in(bob).post(URL, beacon(sample, **odd)).status_code == 422

    def test_it_answers_post_only(self, bob):
        assert sign_in(bob).get(URL).status_code == 405


class TestPercentiles:
    def test_it_works(self, quay):
        now = timezone.now()
        LatencySample.objects.bulk_create(
            make_hop(quay, now, milliseconds=number) for number in range(1, 101)
        )

        spreads = latency.percentiles()

        assert list(spreads) == ["fetched", "stored", "announced", "painted", "total"]
        assert spreads["painted"].samples == 100
        assert spreads["painted"].p50 == pytest.approx(0.05)
        assert spreads["painted"].p95 == pytest.approx(0.095)
        assert spreads["total"].p95 == pytest.approx(0.38)

    def test_it_leaves_out_what_nobody_painted(self, sample):
        assert set(latency.percentiles()) == {"fetched", "stored"}

    def test_it_leaves_out_what_was_never_received(self, quay):
        begin_way(make_line(quay))

        assert latency.percentiles() == {}

    def test_it_looks_at_the_last_hour(self, quay):
        LatencySample.objects.bulk_create([make_hop(quay, timezone.now() - timedelta(hours=2))])

        assert latency.percentiles() == {}

    def test_it_notes_a_way_once(self, quay):
        line = make_line(quay)
        begin_way(line)
        begin_way(line)

        assert LatencySample.objects.count() == 1


def make_hop(restaurant, stored_at, *, milliseconds=1):
    """A way on which each hop took that long."""
    line = make_line(restaurant)
    step = timedelta(milliseconds=milliseconds)
    return LatencySample(
        kind=line.kind,
        uuid=line.uuid,
        version=line.version,
        group_id=line.group_id,
        restaurant_id=line.restaurant_id,
        received_at=stored_at - 2 * step,
        fetched_at=stored_at - step,
        stored_at=stored_at,
        announced_at=stored_at + step,
        painted_at=stored_at + 2 * step,
    )
