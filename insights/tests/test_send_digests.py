"""The mail about the week."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core import mail

from accounts.rights import Role
from insights import digest
from insights.models import Digest
from insights.sums import recount
from reservations.testing import make_reservation
from restaurants.models import Membership, Restaurant
from restaurants.testing import make_member, sign_in

MONDAY = datetime(2026, 1, 19, 9, tzinfo=UTC)  # the week before holds the dinner of the tests
WEEK = date(2026, 1, 12)


@pytest.fixture
def reader(alice, quay):
    alice.weekly_digest = True
    alice.save()
    make_reservation(quay, party_size=4)
    for restaurant in Restaurant.objects.all():
        recount.rebuild(restaurant, now=MONDAY)
    return alice


def test_it_works(reader):
    digest.send_due(now=MONDAY)

    [letter] = mail.outbox
    assert letter.to == [reader.email]
    assert "How full were we?\n  4 covers" in letter.body
    assert "/insights/?range=own&since=2026-01-12&until=2026-01-18" in letter.body


def test_nobody_gets_a_week_twice(reader):
    for hours in range(5):
        digest.send_due(now=MONDAY + timedelta(hours=hours))

    assert len(mail.outbox) == 1


def test_the_next_week_is_another_mail(reader):
    digest.send_due(now=MONDAY)
    digest.send_due(now=MONDAY + timedelta(days=7))

    assert len(mail.outbox) == 2
    assert "Nothing is known of this week." in mail.outbox[1].body


def test_a_week_ends_when_its_last_dinner_is_over():
    assert digest.last_week(datetime(2026, 1, 19, 5, tzinfo=UTC)) == WEEK - timedelta(days=7)
    assert digest.last_week(MONDAY) == WEEK
    assert digest.last_week(MONDAY + timedelta(days=3)) == WEEK


@pytest.mark.parametrize(
    ("zone", "hours"),
    [("America/Los_Angeles", 12), ("America/New_York", 9), ("Pacific/Honolulu", 14)],
)
def test_it_waits_until_the_last_sunday_is_over(reader, loft, zone, hours):
    """Before 04:00 of Monday, local time, guests of Sunday sit there and no-shows are not known."""
    Restaurant.objects.filter(pk=loft.pk).update(timezone=zone)
    midnight = MONDAY.replace(hour=0)
    digest.send_due(now=midnight + timedelta(hours=hours, minutes=-1))
    assert not mail.outbox
    assert not Digest.objects.exists()

    digest.send_due(now=midnight + timedelta(hours=hours, minutes=1))
    assert len(mail.outbox) == 1


def test_who_sees_no_restaurant_there_waits_for_none(reader, loft):
    Restaurant.objects.filter(pk=loft.pk).update(timezone="Pacific/Honolulu")
    Membership.objects.filter(user=reader).delete()
    make_member(reader, Restaurant.objects.get(name="Quay"), Role.MANAGER)
    digest.send_due(now=MONDAY.replace(hour=6))

    assert len(mail.outbox) == 1


def test_it_is_for_those_who_subscribed(reader, charlie):
    digest.send_due(now=MONDAY)

    assert charlie.email not in [letter.to[0] for letter in mail.outbox]


def test_it_takes_the_right(reader, bob):
    bob.weekly_digest = True
    bob.save()
    digest.send_due(now=MONDAY)

    assert bob.email not in [letter.to[0] for letter in mail.outbox]


def test_a_person_who_left_gets_none(reader):
    reader.deactivate()
    digest.send_due(now=MONDAY)

    assert mail.outbox == []


def test_it_speaks_the_readers_language(reader, settings):
    reader.language = "fr"
    reader.save()
    digest.send_due(now=MONDAY)

    assert "janvier" in mail.outbox[0].body


def test_a_mail_that_failed_is_tried_again(reader, settings):
    settings.EMAIL_BACKEND = "insights.tests.test_send_digests.Broken"
    digest.send_due(now=MONDAY)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    digest.send_due(now=MONDAY + timedelta(minutes=10))
    assert mail.outbox == []

    digest.send_due(now=MONDAY + timedelta(hours=1))
    assert len(mail.outbox) == 1
    assert Digest.objects.get().sent_at is not None


def test_one_that_cannot_be_written_holds_up_no_other(reader, dora, monkeypatch):
    dora.weekly_digest = True
    dora.save()
    write = digest.write
    fails = iter([True])

    def fail_once(*words, **facts):
        if next(fails, False):
            raise ValueError("a number that nobody thought of")
        return write(*words, **facts)

    monkeypatch.setattr(digest, "write", fail_once)

    assert digest.send_due(now=MONDAY) == 1


def test_it_is_switched_on_in_the_preferences(alice):
    sign_in(alice).post("/accounts/preferences/", {"weekly_digest": "true"})
    alice.refresh_from_db()

    assert alice.weekly_digest


class Broken:
    def __init__(self, **_options):
        pass

    def send_messages(self, _messages):
        raise ConnectionRefusedError
