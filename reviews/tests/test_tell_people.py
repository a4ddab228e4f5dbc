"""Low ratings and summaries: told once, to those who want to hear, in their hours."""

from datetime import UTC, datetime, time, timedelta
from decimal import Decimal

import pytest
from django.core.mail.backends.base import BaseEmailBackend

from restaurants.testing import sign_in
from reviews import alarms
from reviews.models import Alarm, AlarmChoice
from reviews.testing import make_comment, read_again

NOON = datetime(2026, 1, 20, 12, tzinfo=UTC)  # a Tuesday, 13:00 in Paris
MONDAY = datetime(2026, 1, 19, 9, tzinfo=UTC)


class Broken(BaseEmailBackend):
    def send_messages(self, messages):
        raise ConnectionRefusedError


@pytest.fixture
def broken(settings):
    settings.EMAIL_BACKEND = f"{__name__}.Broken"
    return settings


@pytest.fixture
def wants(alice):
    def wants(user=alice, **fields):
        return AlarmChoice.objects.create(user=user, **fields)

    return wants


def rated(restaurant, score=3, *, at=NOON, **fields):
    known = {"global_rating": Decimal(score), "created_ts": at, "comment": "Cold soup.", "now": at}
    return make_comment(restaurant, **known | fields)


def tell(now=NOON):
    alarms.ring(now=now)
    return alarms.mail(now=now)


def test_it_works(quay, wants, mailoutbox):
    wants(low_by_mail=True)
    review = rated(quay)

    assert tell() == 1
    [mail] = mailoutbox
    assert mail.to == ["alice@example.org"]
    assert mail.subject == "Couvert: 3 of 10 at Quay"
    assert "Cold soup." in mail.body
    assert str(review.pk) in mail.body


def test_nobody_is_told_twice(quay, wants, mailoutbox):
    wants(low_by_mail=True)
    rated(quay)
    tell()

    assert tell() == 0
    assert len(mailoutbox) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"global_rating": Decimal(8)},
        {"global_rating": None},
        {"is_valid": False},
        {"created_ts": NOON - timedelta(days=30)},
    ],
)
def test_what_is_no_news_is_not_told(quay, wants, fields):
    wants(low_by_mail=True)
    rated(quay, **fields)

    assert tell() == 0


def test_other_groups_hear_nothing(quay, charlie, wants):
    wants(charlie, low_by_mail=True)
    rated(quay)

    assert tell() == 0


def test_who_asked_for_nothing_hears_nothing(quay, wants):
    wants()
    rated(quay)

    assert tell() == 0
    assert not Alarm.objects.exists()


@pytest.mark.parametrize(
    ("start", "end", "sent"),
    [(time(12), time(14), 0), (time(22), time(8), 1), (time(22), time(14), 0), (None, None, 1)],
)
def test_quiet_hours_are_the_restaurant_s(quay, wants, start, end, sent):
    wants(low_by_mail=True, quiet_from=start, quiet_until=end)
    rated(quay)

    assert tell() == sent
    assert alarms.mail(now=NOON + timedelta(hours=10)) == (1 - sent if start != time(22) else 0)


def test_who_has_quiet_hours_keeps_nobody_waiting(quay, alice, dora, wants, monkeypatch):
    monkeypatch.setattr(alarms, "AT_ONCE", 1)
    wants(alice, low_by_mail=True, quiet_from=time(12), quiet_until=time(14))
    wants(dora, low_by_mail=True)
    rated(quay)

    assert tell() == 1
    assert Alarm.objects.unmailed().get().user == alice


def test_a_mail_that_failed_is_tried_again(quay, wants, broken, mailoutbox, caplog):
    wants(low_by_mail=True)
    rated(quay)
    assert tell() == 0
    assert "mail.not_sent" in caplog.text
    assert "alice@example.org" not in caplog.text

    broken.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert tell() == 1
    assert len(mailoutbox) == 1


def test_a_mail_is_tried_as_long_as_it_is_news(quay, wants, broken, mailoutbox):
    wants(low_by_mail=True)
    rated(quay)
    tell()

    broken.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert tell(NOON + timedelta(days=3)) == 0


def test_a_rating_that_was_taken_back_is_not_mailed(quay, wants, mailoutbox):
    wants(low_by_mail=True)
    review = rated(quay)
    alarms.ring(now=NOON)
    read_again(review, global_rating=None)

    assert alarms.mail(now=NOON) == 0
    assert mailoutbox == []


def test_the_bell_counts_what_was_not_seen(quay, alice, wants):
    wants(low_on_bell=True)
    review = rated(quay)
    tell()
    client = sign_in(alice)
    page = client.get("/reviews/alerts/").content.decode()
    assert str(review.pk) in page
    assert "Low ratings" in page

    client.post("/reviews/alerts/seen/")
    assert Alarm.objects.get().seen_at is not None


def test_choices_are_kept(alice):
    data = {"low_by_mail": "on", "digest": "daily", "quiet_from": "22:00", "quiet_until": "08:00"}
    sign_in(alice).post("/reviews/alerts/", data)
    choice = AlarmChoice.objects.get()

    assert (choice.low_by_mail, choice.low_on_bell, choice.digest) == (True, False, "daily")
    assert (choice.quiet_from, choice.quiet_until) == (time(22), time(8))


class TestDigest:
    def test_it_works(self, quay, wants, mailoutbox):
        wants(digest="daily")
        rated(quay, at=NOON - timedelta(hours=2))

        assert alarms.digest(now=NOON) == 1
        assert alarms.digest(now=NOON) == 0
        assert "Quay: 1 new review, 1 to answer, 0 of them late" in mailoutbox[0].body

    def test_one_that_failed_is_tried_again(self, quay, wants, broken, mailoutbox):
        wants(digest="daily")
        rated(quay, at=NOON - timedelta(hours=2))
        assert alarms.digest(now=NOON) == 0

        broken.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        assert alarms.digest(now=NOON) == 1
        assert len(mailoutbox) == 1

    def test_it_waits_for_the_morning(self, quay, wants):
        wants(digest="daily")
        rated(quay)

        assert alarms.digest(now=NOON.replace(hour=5)) == 0

    def test_the_weekly_one_comes_on_monday(self, quay, wants):
        wants(digest="weekly")
        rated(quay, at=MONDAY)

        assert alarms.digest(now=NOON) == 0
        assert alarms.digest(now=MONDAY) == 1

    def test_nothing_to_say_is_not_said(self, quay, wants, mailoutbox):
        wants(digest="daily")

        assert alarms.digest(now=NOON) == 0
        assert mailoutbox == []
