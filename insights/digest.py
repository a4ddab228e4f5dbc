"""The weekly mail to its subscribers. Each person gets one mail per week."""

import logging
from datetime import date, datetime, timedelta

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.mail.mail_batch import MailBatch
from accounts.models import User
from insights.expected.pace import far_off, week_ahead
from insights.forms import InsightParams
from insights.models import Digest
from insights.questions import QUESTIONS
from insights.sums.known import missing_words
from lib.processes.isolation import isolated
from restaurants.models import Restaurant

logger = logging.getLogger(__name__)

VIEW = "insights.view_insights"
DAYS = 7
# Monday at six, by UTC. West of the Atlantic the last dinner is not over by then: `_is_over`.
READY = timedelta(hours=6)
# A mail that was claimed and never sent is tried again after this: the sender died over it.
LEASE = timedelta(hours=1)


def send_due(*, now: datetime) -> int:
    """Send last week's mail to subscribers who have not got it. Return how many were sent."""
    week = last_week(now)
    readers = User.objects.filter(is_active=True, weekly_digest=True)
    done = Digest.objects.filter(week=week, sent_at__isnull=False).values("user")
    batch, sent = MailBatch(), 0
    for user in readers.exclude(pk__in=done):
        with isolated(logger, "digest.failed", user_id=user.pk):
            sent += _send(user, week, batch, now=now)
    return sent


def last_week(now: datetime) -> date:
    """The Monday of the last week that is over."""
    today = (now - READY).date()
    return today - timedelta(days=today.weekday() + DAYS)


def _send(user: User, week: date, batch: MailBatch, *, now: datetime) -> bool:
    restaurants = list(Restaurant.objects.visible_to(user, VIEW))
    is_over = all(_is_over(week, one, now=now) for one in restaurants)
    if not restaurants or not is_over or not _claim(user, week, now=now):
        return False
    with translation.override(user.language or settings.LANGUAGE_CODE):
        subject = _("Your week at a glance")
        body = write(restaurants, week, now=now)
    if not batch.send(user, subject, body):
        return False
    Digest.objects.filter(user=user, week=week).update(sent_at=now)
    return True


def _is_over(week: date, restaurant: Restaurant, *, now: datetime) -> bool:
    """Whether the service day of its Sunday has ended: a week is mailed once, as known then."""
    return restaurant.service_day(now) >= week + timedelta(days=DAYS)


def _claim(user: User, week: date, *, now: datetime) -> bool:
    """Return True to exactly one of several workers that try at the same time."""
    _row, is_new = Digest.objects.get_or_create(user=user, week=week, defaults={"claimed_at": now})
    if is_new:
        return True
    left = Digest.objects.filter(user=user, week=week, sent_at=None, claimed_at__lte=now - LEASE)
    return left.update(claimed_at=now) == 1


def write(restaurants: list[Restaurant], week: date, *, now: datetime) -> str:
    params = InsightParams(
        restaurants=restaurants,
        first=week,
        last=week + timedelta(days=DAYS - 1),
        shift=DAYS,
    )
    answers = [(one, one.answer(params)) for one in QUESTIONS.values() if not one.right]
    known = [(question, answer) for question, answer in answers if answer.is_known]
    ahead = week_ahead(restaurants, now=now)
    far = far_off(restaurants, now=now)
    context = {
        "params": params,
        "known": known,
        "missing": missing_words(params),
        "ahead": ahead,
        "far": far,
        "address": f"{settings.PUBLIC_URL}/insights/",
    }
    return render_to_string("insights/digest.txt", context)
