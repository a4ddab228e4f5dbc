"""Alerts and digests: sent once, to people who chose them, outside their quiet hours."""

from datetime import UTC, datetime, time, timedelta
from decimal import Decimal

import pytest
from django.core.mail.backends.base import BaseEmailBackend

from restaurants.testing import sign_in
from reviews.alerts import mails
from reviews.models import AlertPreferences, ReviewAlert
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
        return AlertPreferences.objects.create(user=user, **fields)

    return wants


def rated(restaurant, score=3, *, at=NOON, **fields):
    known = {"global_rating": Decimal(score), "created_ts": at, "comment": "Cold soup.", "now": at}
    return make_comment(restaurant, **known | fields)


def notify(now=NOON):
    mails.create_alerts(now=now)
    return mails.mail(now=now)


def test_it_works(quay, wants, mailoutbox):
    wants(low_by_mail=True)
    review = rated(quay)

    assert notify() == 1
    [mail] = mailoutbox
    assert mail.to == ["alice@example.org"]
    assert mail.subject == "Couvert: 3 of 10 at Quay"
    assert "Cold soup." in mail.body
    assert str(review.pk) in mail.body


def test_nobody_is_notified_twice(quay, wants, mailoutbox):
    wants(low_by_mail=True)
    rated(quay)
    notify()

    assert notify() == 0
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
def test_no_alert_without_a_fresh_low_rating(quay, wants, fields):
    wants(low_by_mail=True)
    rated(quay, **fields)

    assert notify() == 0


def test_other_groups_get_no_alert(quay, charlie, wants):
    wants(charlie, low_by_mail=True)
    rated(quay)

    assert notify() == 0


def test_without_preferences_there_is_no_alert(quay, wants):
    wants()
    rated(quay)

    assert notify() == 0
    assert not ReviewAlert.objects.exists()


@pytest.mark.parametrize(
    ("start", "end", "sent"),
    [(time(12), time(14), 0), (time(22), time(8), 1), (time(22), time(14), 0), (None, None, 1)],
)
def test_quiet_hours_are_the_restaurant_s(quay, wants, start, end, sent):
    wants(low_by_mail=True, quiet_from=start, quiet_until=end)
    rated(quay)

    assert notify() == sent
    assert mails.mail(now=NOON + timedelta(hours=10)) == (1 - sent if start != time(22) else 0)


def test_quiet_hours_of_one_do_not_delay_others(quay, alice, dora, wants, monkeypatch):
    monkeypatch.setattr(mails, "AT_ONCE", 1)
    wants(alice, low_by_mail=True, quiet_from=time(12), quiet_until=time(14))
    wants(dora, low_by_mail=True)
    rated(quay)

    assert notify() == 1
    assert ReviewAlert.objects.unmailed().get().user == alice


def test_a_mail_that_failed_is_tried_again(quay, wants, broken, mailoutbox, caplog):
    wants(low_by_mail=True)
    rated(quay)
    assert notify() == 0
    assert "mail.not_sent" in caplog.text
    assert "alice@example.org" not in caplog.text

    broken.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert notify() == 1
    assert len(mailoutbox) == 1


def test_a_mail_is_retried_while_the_review_is_fresh(quay, wants, broken, mailoutbox):
    wants(low_by_mail=True)
    rated(quay)
    notify()

    broken.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert notify(NOON + timedelta(days=3)) == 0


def test_a_rating_that_was_taken_back_is_not_mailed(quay, wants, mailoutbox):
    wants(low_by_mail=True)
    review = rated(quay)
    mails.create_alerts(now=NOON)
    read_again(review, global_rating=None)

    assert mails.mail(now=NOON) == 0
    assert mailoutbox == []


def test_the_top_bar_counts_unseen_alerts(quay, alice, wants):
    wants(low_in_app=True)
    review = rated(quay)
    notify()
    client = sign_in(alice)
    page = client.get("/reviews/alerts/").content.decode()
    assert str(review.pk) in page
    assert "Low ratings" in page

    client.post("/reviews/alerts/seen/")
    assert ReviewAlert.objects.get().seen_at is not None


def test_an_alert_bears_the_time_of_its_restaurant(quay, alice, wants):
    wants(low_in_app=True)
    rated(quay)
    notify()
    page = sign_in(alice).get("/reviews/alerts/").text
    at = quay.local(ReviewAlert.objects.get().at)

    assert f">{at.day} {at:%b, %H:%M}</time>" in page


def test_preferences_are_saved(alice):
    data = {"low_by_mail": "on", "digest": "daily", "quiet_from": "22:00", "quiet_until": "08:00"}
    sign_in(alice).post("/reviews/alerts/", data)
    preferences = AlertPreferences.objects.get()

    assert (preferences.low_by_mail, preferences.low_in_app, preferences.digest) == (
        True,
        False,
        "daily",
    )
    assert (preferences.quiet_from, preferences.quiet_until) == (time(22), time(8))


@pytest.mark.parametrize("path", ["/reviews/alerts/", "/accounts/push/"])
@pytest.mark.parametrize(("start", "end"), [("22:00", ""), ("", "08:00"), ("08:00", "08:00")])
def test_half_of_the_quiet_hours_is_refused(alice, path, start, end):
    """Whoever saved it would be woken at night."""
    data = {"digest": "daily", "quiet_from": start, "quiet_until": end}
    answer = sign_in(alice).post(path, data)

    assert answer.status_code == 422
    assert "Quiet hours need a start and a different end." in answer.text


class TestDigest:
    def test_it_works(self, quay, wants, mailoutbox):
        wants(digest="daily")
        rated(quay, at=NOON - timedelta(hours=2))

        assert mails.digest(now=NOON) == 1
        assert mails.digest(now=NOON) == 0
        assert "Quay: 1 new review, 1 to answer, 0 of them late" in mailoutbox[0].body

    def test_one_that_failed_is_tried_again(self, quay, wants, broken, mailoutbox):
        wants(digest="daily")
        rated(quay, at=NOON - timedelta(hours=2))
        assert mails.digest(now=NOON) == 0

        broken.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        assert mails.digest(now=NOON) == 1
        assert len(mailoutbox) == 1

    def test_it_waits_for_the_morning(self, quay, wants):
        wants(digest="daily")
        rated(quay)

        assert mails.digest(now=NOON.replace(hour=5)) == 0

    def test_the_weekly_one_comes_on_monday(self, quay, wants):
        wants(digest="weekly")
        rated(quay, at=MONDAY)

        assert mails.digest(now=NOON) == 0
        assert mails.digest(now=MONDAY) == 1

    def test_an_empty_digest_is_not_sent(self, quay, wants, mailoutbox):
        wants(digest="daily")

        assert mails.digest(now=NOON) == 0
        assert mailoutbox == []
