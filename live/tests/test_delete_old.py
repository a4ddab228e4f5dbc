from datetime import timedelta

import pytest
from django.utils import timezone

from live import tasks
from live.announcements import read_after
from live.models import KEPT, Announcement, LatencySample
from live.testing import begin_way, make_line

LONG_AGO = KEPT + timedelta(minutes=1)


@pytest.fixture
def lines(quay):
    ages = [LONG_AGO, LONG_AGO, timedelta(), timedelta()]
    return Announcement.objects.bulk_create(
        make_line(quay, at=timezone.now() - age) for age in ages
    )


class TestForget:
    def test_it_works(self, lines):
        tasks.delete_old()

        assert set(Announcement.objects.all()) == set(lines[2:])

    def test_it_keeps_the_newest_line_for_ever(self, quay):
        last = make_line(quay, at=timezone.now() - LONG_AGO)
        last.save()
        tasks.delete_old()

        assert Announcement.objects.get() == last

    def test_it_leaves_no_hole(self, quay):
        """A line with an odd instant between old ones goes with them."""
        ages = [LONG_AGO, timedelta(), LONG_AGO, timedelta()]
        kept = Announcement.objects.bulk_create(
            make_line(quay, at=timezone.now() - age) for age in ages
        )[-1]
        tasks.delete_old()

        assert Announcement.objects.get() == kept

    def test_it_lets_a_screen_know_that_it_missed_something(self, lines):
        tasks.delete_old()

        assert read_after(lines[0].pk, now=timezone.now()).complete is False

    def test_it_lets_a_screen_that_missed_nothing_go_on(self, lines):
        tasks.delete_old()

        assert len(read_after(lines[1].pk, now=timezone.now()).lines) == 2

    def test_it_deletes_the_samples_of_yesterday(self, quay):
        old = begin_way(make_line(quay, at=timezone.now() - LONG_AGO))
        new = begin_way(make_line(quay))
        tasks.delete_old()

        assert set(LatencySample.objects.all()) == {new} != {old}
