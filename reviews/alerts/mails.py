"""Notify people of low ratings, of assigned reviews and, in a digest, of the inbox.

Each person chooses: in the app or by mail, and no mail in quiet hours. An alert is stored as a row
before it is mailed, so that a worker that dies notifies nobody twice.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice

from django.conf import settings
from django.db.models import Count, Q
from django.template.defaultfilters import floatformat
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.mail.mail_batch import MailBatch
from accounts.models import User
from restaurants.models import Restaurant
from reviews.models import Review, Work
from reviews.models.alerts import VIEW, AlertPreferences, ReviewAlert
from reviews.models.work import OPEN
from reviews.push_messages import notices

# Reviews older than this, such as those of a backfill, create no alert.
FRESH = timedelta(days=3)
AT_ONCE = 200
DIGEST_HOUR = 8
MONDAY = 0
DAYS = {AlertPreferences.Digest.DAILY: 1, AlertPreferences.Digest.WEEKLY: 7}

# One line of a digest: the restaurant, and how many of its reviews are new, open and late.
Line = tuple[str, int, int, int]


def create_alerts(*, now: datetime) -> int:
    """Create the alerts of low ratings that nobody was notified of. Returns how many."""
    rows = Work.objects.filter(is_low=True, is_notified=False).select_related("review")
    works = list(rows.order_by("pk")[:AT_ONCE])
    if not works:
        return 0
    new = [work for work in works if _is_news(work.review, now=now)]
    notices.note_low(new, now=now)
    made = ReviewAlert.objects.bulk_create(_build_alerts(new, now=now), ignore_conflicts=True)
    Work.objects.filter(pk__in=[work.pk for work in works]).update(is_notified=True)
    return len(made)


def _is_news(review: Review, *, now: datetime) -> bool:
    written = review.created_ts or review.first_seen_at
    return review.is_valid is not False and written > now - FRESH


def _build_alerts(works: list[Work], *, now: datetime) -> Iterable[ReviewAlert]:
    if not works:
        return
    for preferences in AlertPreferences.objects.select_related("user").filter(user__is_active=True):
        if not (preferences.low_in_app or preferences.low_by_mail):
            continue
        reach = _reach(preferences.user)
        for work in works:
            if work.restaurant_id in reach:
                yield ReviewAlert(
                    user=preferences.user,
                    review=work.review,
                    at=now,
                    in_app=preferences.low_in_app,
                    by_mail=preferences.low_by_mail,
                )


def _reach(user: User) -> set[int]:
    return set(Restaurant.objects.visible_to(user, VIEW).values_list("pk", flat=True))


def mail(*, now: datetime) -> int:
    """Send the mails that are due: not in anybody's quiet hours. Returns how many.

    A mail that the server refuses is retried for as long as the review is fresh.
    """
    sent, batch = 0, MailBatch()
    for alert in list(islice(_to_mail(now=now), AT_ONCE)):
        if not alert.claim(now=now) or not _is_worth_a_mail(alert):
            continue
        if _mail(alert, batch):
            sent += 1
        else:
            alert.release()
    return sent


def _to_mail(*, now: datetime) -> Iterator[ReviewAlert]:
    """The unmailed alerts of people who are not in quiet hours, the oldest first."""
    rows = ReviewAlert.objects.unmailed().filter(user__is_active=True, at__gt=now - FRESH)
    rows = rows.select_related("user", "by", "review__restaurant").defer("review__raw")
    choices = AlertPreferences.objects.in_bulk()
    for alert in rows.order_by("at", "pk").iterator(chunk_size=AT_ONCE):
        preferences = choices.get(alert.user_id)
        if preferences is None or not preferences.is_quiet(
            alert.review.restaurant.local(now).time()
        ):
            yield alert


def _is_worth_a_mail(alert: ReviewAlert) -> bool:
    """Between alert and mail a rating may be withdrawn, and a person may lose the restaurant."""
    is_so = alert.kind != ReviewAlert.Kind.LOW or alert.review.global_rating is not None
    return is_so and alert.review.restaurant_id in _reach(alert.user)


def _mail(alert: ReviewAlert, batch: MailBatch) -> bool:
    review = alert.review
    with translation.override(alert.user.language or settings.LANGUAGE_CODE):
        words = review.comment or _("No words, only a rating.")
        link = f"{settings.PUBLIC_URL}{review.get_absolute_url()}"
        body = "\n\n".join(part for part in (alert.remark, words, link) if part)
        return batch.send(alert.user, _subject(alert), f"{body}\n")


def _subject(alert: ReviewAlert) -> str:
    place = alert.review.restaurant
    if alert.kind == ReviewAlert.Kind.ASSIGNED:
        giver = alert.by or _("Somebody")
        return _("Couvert: %(person)s assigned you a review of %(place)s") % {
            "person": giver,
            "place": place,
        }
    rating = floatformat(alert.review.global_rating, -1)
    return _("Couvert: %(rating)s of 10 at %(place)s") % {"rating": rating, "place": place}


def digest(*, now: datetime) -> int:
    """Send the summaries of this morning. Returns how many."""
    sent, batch = 0, MailBatch()
    due = AlertPreferences.objects.exclude(digest=AlertPreferences.Digest.NEVER)
    for preferences in due.filter(user__is_active=True).select_related("user"):
        local_time = timezone.localtime(now)
        if not _is_due(preferences, local_time):
            continue
        mine = AlertPreferences.objects.filter(pk=preferences.pk, digest_day=preferences.digest_day)
        if not mine.update(digest_day=local_time.date()) or not (
            lines := _lines(preferences, now=now)
        ):
            continue
        if _mail_digest(preferences, lines, batch):
            sent += 1
        else:  # reset, so that the next run retries
            AlertPreferences.objects.filter(pk=preferences.pk).update(
                digest_day=preferences.digest_day
            )
    return sent


def _is_due(preferences: AlertPreferences, local_time: datetime) -> bool:
    if (
        preferences.digest_day == local_time.date()
        or local_time.hour < DIGEST_HOUR
        or preferences.is_quiet(local_time.time())
    ):
        return False
    return preferences.digest == AlertPreferences.Digest.DAILY or local_time.weekday() == MONDAY


def _mail_digest(preferences: AlertPreferences, lines: list[Line], batch: MailBatch) -> bool:
    with translation.override(preferences.user.language or settings.LANGUAGE_CODE):
        body = "\n".join(
            [*map(_line, lines), "", f"{settings.PUBLIC_URL}{reverse('reviews:index')}"]
        )
        return batch.send(preferences.user, _("Couvert: reviews"), f"{body}\n")


def _lines(preferences: AlertPreferences, *, now: datetime) -> list[Line]:
    """By restaurant: how many are new, open and late. Three queries."""
    since = now - timedelta(days=DAYS[AlertPreferences.Digest(preferences.digest)])
    places = dict(Restaurant.objects.visible_to(preferences.user, VIEW).values_list("pk", "name"))
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    new = Review.objects.counted().filter(restaurant__in=places, created_ts__gte=since)
    for pk, number in new.values_list("restaurant_id").annotate(n=Count("pk")):
        counts[pk][0] = number
    waiting = Work.objects.filter(restaurant__in=places, queue__in=OPEN).values_list(
        "restaurant_id"
    )
    for pk, number, late in waiting.annotate(
        n=Count("pk"), late=Count("pk", filter=Q(is_late=True))
    ):
        counts[pk][1:] = [number, late]
    return sorted((places[pk], new, open_, late) for pk, (new, open_, late) in counts.items())


def _line(line: Line) -> str:
    place, new, waiting, late = line
    words = ngettext("%(n)s new review", "%(n)s new reviews", new) % {"n": new}
    return _("%(place)s: %(new)s, %(waiting)s to answer, %(late)s of them late") % {
        "place": place,
        "new": words,
        "waiting": waiting,
        "late": late,
    }
