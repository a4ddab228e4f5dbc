"""The mailboxes of the open screens. No thread here: the poller's part is played by the test."""

import pytest

from live.announcements import Reading
from live.hub import MAILBOX, Hub
from live.testing import make_line, make_screen


@pytest.fixture
def hub():
    return Hub(poll=Hub.mark_ready, capacity=2)


@pytest.fixture
def screen(hub, bob):
    screen = make_screen(bob)
    hub.join(screen)
    return screen


def news(screen):
    return screen.take(seconds=0)


class TestPublish:
    def test_it_works(self, hub, screen, quay):
        line = make_line(quay)
        hub.publish(Reading([line], 8))

        assert news(screen) == Reading([line], 8)

    def test_it_hides_other_restaurants(self, hub, screen, quay, loft, cellar):
        mine = make_line(quay)
        hub.publish(Reading([make_line(loft), mine, make_line(cellar)], 8))

        assert news(screen).lines == [mine]

    def test_it_does_not_wake_screens_that_hear_nothing_of_it(self, hub, screen, loft):
        hub.publish(Reading([make_line(loft)], 8))

        assert news(screen) is None

    def test_it_tells_a_screen_that_is_far_behind_to_start_over(self, hub, screen, quay):
        for number in range(MAILBOX + 5):
            hub.publish(Reading([make_line(quay)], number))

        assert news(screen) == Reading([], MAILBOX - 1, complete=False)
        assert news(screen) is None

    def test_it_goes_on_after_starting_over(self, hub, screen, quay):
        for number in range(MAILBOX + 1):
            hub.publish(Reading([make_line(quay)], number))
        news(screen)
        line = make_line(quay)
        hub.publish(Reading([line], 200))

        assert news(screen) == Reading([line], 200)

    def test_it_tells_everyone_when_lines_were_lost(self, hub, screen):
        hub.publish(Reading([], 8, complete=False))

        assert news(screen) == Reading([], 8, complete=False)


class TestJoin:
    def test_it_works(self, hub, bob):
        assert hub.join(make_screen(bob))
        assert len(hub) == 1

    def test_it_refuses_screens_beyond_its_capacity(self, hub, bob):
        joined = [hub.join(make_screen(bob, session_key=key)) for key in ("one", "two", "three")]

        assert joined == [True, True, False]

    def test_it_ends_the_stream_that_the_browser_had_before(self, hub, screen, bob):
        hub.join(make_screen(bob))

        assert screen.is_over
        assert len(hub) == 1

    def test_it_leaves_other_browsers_alone(self, hub, screen, bob):
        hub.join(make_screen(bob, session_key="another"))

        assert not screen.is_over

    def test_it_takes_another_when_one_leaves(self, hub, screen, bob):
        hub.join(make_screen(bob, session_key="two"))
        hub.leave(screen)

        assert hub.join(make_screen(bob, session_key="three"))

    def test_it_tells_the_poller_when_nobody_is_left(self, hub, screen):
        assert hub.is_wanted()
        hub.leave(screen)

        assert not hub.is_wanted()
