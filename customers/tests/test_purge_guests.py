"""Many guests at once are erased only after a person has looked at the date."""

from datetime import UTC, datetime, timedelta

import pytest
from auditlog.models import LogEntry

from customers.models import Customer, PurgeQuestion
from customers.privacy import health, retention
from customers.testing import make_customer
from mirror.health.sections import GOOD, LATE
from mirror.models import Mirrored
from restaurants.testing import make_member, make_user, sign_in

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 1, 17, 12, tzinfo=UTC)
AHEAD = NOW + timedelta(days=500)
PAGE = "/customers/purge/"


@pytest.fixture(autouse=True)
def guests(harbour, settings):
    """Ten who were seen half a year ago, of whom five a day may go."""
    settings.GUEST_RETENTION_MONTHS = 12
    settings.GUEST_PURGE_LIMIT = 5
    settings.GUEST_PURGE_PERCENT = 0
    return [make_customer(harbour, first_seen_at=NOW - timedelta(days=180)) for _ in range(10)]


def erased():
    return Customer.objects.filter(presence=Mirrored.Presence.ERASED).count()


def approve(user, *, at, time_machine):
    time_machine.move_to(at, tick=False)
    question = PurgeQuestion.objects.get()
    return sign_in(user).post(PAGE, {"question": question.pk}, follow=True)


def test_a_clock_that_runs_ahead_erases_nobody():
    assert retention.purge(now=AHEAD) == 0

    assert erased() == 0
    assert PurgeQuestion.objects.get().count == 10
    assert health.section(AHEAD).state == LATE
    assert "10 guests are due to be erased at once" in health.section(AHEAD).sentence


def test_the_question_is_gone_when_the_clock_is_right_again():
    retention.purge(now=AHEAD)

    retention.purge(now=NOW)

    assert not PurgeQuestion.objects.exists()
    assert health.section(NOW).state == GOOD


def test_a_usual_day_asks_nobody(harbour, guests):
    Customer.objects.filter(pk__in=[one.pk for one in guests[:4]]).update(
        first_seen_at=NOW - timedelta(days=400)
    )

    assert retention.purge(now=NOW) == 4
    assert not PurgeQuestion.objects.exists()


def test_many_small_rounds_are_one_day(guests):
    """An hourly round must not erase a little each time."""
    for number, guest in enumerate(guests[:6]):
        Customer.objects.filter(pk=guest.pk).update(first_seen_at=NOW - timedelta(days=400))
        retention.purge(now=NOW + timedelta(hours=number))

    assert erased() == 5
    assert PurgeQuestion.objects.get().count == 1


def test_who_is_gone_upstream_counts_too(guests, settings):
    settings.GUEST_RETENTION_MONTHS = 0
    Customer.objects.update(presence=Mirrored.Presence.GONE, changed_at=NOW)

    assert retention.purge(now=AHEAD) == 0
    assert erased() == 0


class TestOfMillions:
    """A run looks at some of the guests, and the next one goes on behind them."""

    @pytest.fixture
    def due(self, guests):
        """Three of the ten, of whom two runs of four guests find the last one."""
        due = sorted(one.pk for one in guests)[1:8:3]
        long_ago = NOW - timedelta(days=400)
        Customer.objects.filter(pk__in=due).update(first_seen_at=long_ago)
        Customer.objects.exclude(pk__in=due).update(first_seen_at=long_ago, creation_date=NOW)
        return due

    def test_runs_go_on_where_the_last_one_stopped(self, due):
        assert [retention.purge(now=NOW, look_at=4) for _hour in range(3)] == [1, 2, 0]

    def test_after_the_last_guest_comes_the_first(self, due, guests):
        for _hour in range(3):
            retention.purge(now=NOW, look_at=4)
        Customer.objects.filter(pk=min(one.pk for one in guests)).update(creation_date=None)

        assert retention.purge(now=NOW, look_at=4) == 1

    def test_a_question_counts_all_of_them(self, due, settings):
        settings.GUEST_PURGE_LIMIT = 0

        assert retention.purge(now=NOW, look_at=4) == 0
        assert PurgeQuestion.objects.get().count == 3

    def test_a_question_that_waits_is_counted_once_a_day(self, due, settings):
        settings.GUEST_PURGE_LIMIT = 0
        retention.purge(now=NOW, look_at=4)
        question = PurgeQuestion.objects.get()

        retention.purge(now=NOW + timedelta(hours=23), look_at=4)
        assert PurgeQuestion.objects.get() == question

        retention.purge(now=NOW + timedelta(hours=24), look_at=4)
        assert PurgeQuestion.objects.get().raised_at == NOW + timedelta(hours=24)

    def test_an_approval_holds_until_all_were_looked_at(self, due, dora, settings, time_machine):
        settings.GUEST_PURGE_LIMIT = 1
        retention.purge(now=NOW, look_at=4)
        retention.purge(now=NOW, look_at=4)
        assert PurgeQuestion.objects.get().count == 2
        approve(dora, at=NOW, time_machine=time_machine)

        erased = [retention.purge(now=NOW, look_at=4) for _hour in range(3)]
        assert (sum(erased), erased[-1]) == (2, 0)
        assert not PurgeQuestion.objects.exists()


class TestApproved:
    def test_they_are_erased(self, dora, time_machine):
        retention.purge(now=AHEAD)

        page = approve(dora, at=AHEAD, time_machine=time_machine).content.decode()

        assert "They are erased within the next hours" in page
        assert retention.purge(now=AHEAD) == 10
        assert LogEntry.objects.filter(additional_data__verb="approved a purge", actor=dora)

    def test_the_approval_covers_only_the_guests_due_then(self, dora, harbour, time_machine):
        retention.purge(now=AHEAD)
        approve(dora, at=AHEAD, time_machine=time_machine)
        later = AHEAD + timedelta(days=500)
        fresh = [make_customer(harbour, first_seen_at=AHEAD) for _ in range(8)]

        retention.purge(now=later)
        retention.purge(now=later)
        retention.purge(now=later)

        left = Customer.objects.present().filter(pk__in=[one.pk for one in fresh])
        assert left.count() == 8
        assert PurgeQuestion.objects.get().approved_at is None

    def test_only_owners_decide(self, harbour, alice):
        retention.purge(now=AHEAD)
        admin = make_user("erin@example.org")
        make_member(admin, harbour, "admin")

        for person in (alice, admin):
            answer = sign_in(person).post(PAGE, {"question": PurgeQuestion.objects.get().pk})
            assert answer.status_code == 403
        assert PurgeQuestion.objects.get().approved_at is None
