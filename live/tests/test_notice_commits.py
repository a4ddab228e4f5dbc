"""The poller's thread against the real database: commits of this thread's connection."""

import threading

import pytest

from live import poller
from live.announcements import announce
from live.models import Announcement
from live.poller import open_tracker
from live.testing import make_line, make_screen

PATIENT = 10


@pytest.fixture
def screen(web, cast):
    wait_for_the_poller_to_stop()  # that of the test before, to which this would be new
    announce([make_line(cast.quay)])  # something happened before
    screen = make_screen(cast.bob)
    assert web.join(screen)
    return screen


def wait_for_the_poller_to_stop():
    for thread in threading.enumerate():
        if thread.name == "live-poller":
            thread.join()


def versions(screen):
    batch = screen.take(seconds=PATIENT)
    return [line.version for line in batch.lines] if batch else []


class TestPoller:
    def test_it_works(self, screen, cast):
        announce([make_line(cast.quay, version=5)])

        assert versions(screen) == [5]

    def test_it_notices_one_commit_after_the_other(self, screen, cast):
        heard = []
        for version in (1, 2, 3):
            announce([make_line(cast.quay, version=version)])
            heard += versions(screen)

        assert heard == [1, 2, 3]

    def test_it_skips_nothing_that_becomes_visible_late(self, screen, cast):
        end = Announcement.objects.newest_id()
        make_line(cast.quay, pk=end + 2, version=2).save(force_insert=True)
        assert versions(screen) == [2]
        make_line(cast.quay, pk=end + 1, version=1).save(force_insert=True)

        late = screen.take(seconds=PATIENT)
        assert ([line.version for line in late.lines], late.cursor) == ([1], end + 2)

    def test_a_fault_of_any_kind_delays_what_it_befalls(self, screen, cast, monkeypatch):
        faults = iter([ValueError("nobody foresaw it")])
        read_new = poller.read_new

        def fail_once(hub, **tracker):
            for fault in faults:
                raise fault
            read_new(hub, **tracker)

        monkeypatch.setattr(poller, "read_new", fail_once)
        announce([make_line(cast.quay, version=5)])

        assert versions(screen) == [5]

    def test_it_starts_again_for_the_next_screen(self, web, screen, cast):
        web.end_all()
        wait_for_the_poller_to_stop()
        other = make_screen(cast.alice, session_key="another")
        web.join(other)
        announce([make_line(cast.quay, version=9)])

        assert versions(other) == [9]


@pytest.mark.django_db
class TestOpenLedger:
    def test_it_works(self, quay):
        last = announce([make_line(quay), make_line(quay)])[-1]

        assert open_tracker().cursor == last.pk

    def test_it_still_waits_for_what_was_missing_before_it_began(self, quay):
        first = announce([make_line(quay)])[0]
        make_line(quay, pk=first.pk + 3).save(force_insert=True)
        tracker = open_tracker()

        assert (tracker.cursor, set(tracker.missing)) == (first.pk, {first.pk + 1, first.pk + 2})

    def test_it_begins_before_anything_ever_happened(self):
        assert open_tracker().cursor == 0
