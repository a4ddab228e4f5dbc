"""Tell people of low ratings, of what they were given and of how the inbox stands.

On the bell or by mail, as they choose, and by mail in their hours.

An alarm is a row before it is a mail, so that a worker that dies tells nobody twice.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.post import Post
from lib.compiled_queries import COUNT, CountQuery, prepared
from restaurants.models import Restaurant
from restaurants.shell import Shell
from reviews.models import Review, Work
from reviews.models.alarms import VIEW, Alarm, AlarmChoice, AlarmQuerySet
from reviews.models.work import OPEN

# An old review that a backfill brings is no news.
FRESH = timedelta(days=3)
AT_ONCE = 200
DIGEST_HOUR = 8
MONDAY = 0
DAYS = {AlarmChoice.Digest.DAILY: 1, AlarmChoice.Digest.WEEKLY: 7}

# A restaurant of a summary, and how many reviews are new, wait and are late.
Line = tuple[str, int, int, int]


def ring(*, now: datetime) -> int:
    """Make the alarms of low ratings that nobody was told of. Returns how many."""
    rows = Work.objects.filter(is_low=True, is_told=False).select_related("review")
    works = list(rows.order_by("pk")[:AT_ONCE])
    if not works:
        return 0
    new = [work for work in works if _is_news(work.review, now=now)]
    made = Alarm.objects.bulk_create(_alarms(new, now=now), ignore_conflicts=True)
    Work.objects.filter(pk__in=[work.pk for work in works]).update(is_told=True)
    return len(made)


def _is_news(review: Review, *, now: datetime) -> bool:
    written = review.created_ts or review.first_seen_at
    return review.is_valid is not False and written > now - FRESH


def _alarms(works: list[Work], *, now: datetime) -> Iterable[Alarm]:
    if not works:
        return
    for choice in AlarmChoice.objects.select_related("user").filter(user__is_active=True):
        if not (choice.low_on_bell or choice.low_by_mail):
            continue
        reach = _reach(choice.user)
        for work in works:
            if work.restaurant_id in reach:
                yield Alarm(
                    user=choice.user,
                    review=work.review,
                    at=now,
                    on_bell=choice.low_on_bell,
                    by_mail=choice.low_by_mail,
                )


def _reach(user: User) -> set[int]:
    return set(Restaurant.objects.visible_to(user, VIEW).values_list("pk", flat=True))


def mail(*, now: datetime) -> int:
    """Send the mails that are due: not in anybody's quiet hours. Returns how many.

    What the mail server does not take is tried again, for as long as it is news.
    """
    sent, post = 0, Post()
    for alarm in list(islice(_to_mail(now=now), AT_ONCE)):
        if not alarm.claim(now=now) or not _is_worth_a_mail(alarm):
            continue
        if _mail(alarm, post):
            sent += 1
        else:
            alarm.give_back()
    return sent


def _to_mail(*, now: datetime) -> Iterator[Alarm]:
    """The oldest first, but for those that have to wait for the end of quiet hours."""
    rows = Alarm.objects.unmailed().filter(user__is_active=True, at__gt=now - FRESH)
    rows = rows.select_related("user", "by", "review__restaurant").defer("review__raw")
    choices = AlarmChoice.objects.in_bulk()
    for alarm in rows.order_by("at", "pk").iterator(chunk_size=AT_ONCE):
        choice = choices.get(alarm.user_id)
        if choice is None or not choice.is_quiet(alarm.review.restaurant.local(now).time()):
            yield alarm


def _is_worth_a_mail(alarm: Alarm) -> bool:
    """Between the bell and the mail a rating may be taken back, and a person may leave."""
    is_so = alarm.kind != Alarm.Kind.LOW or alarm.review.global_rating is not None
    return is_so and alarm.review.restaurant_id in _reach(alarm.user)


def _mail(alarm: Alarm, post: Post) -> bool:
    review = alarm.review
    with translation.override(alarm.user.language or settings.LANGUAGE_CODE):
        words = review.comment or _("No words, only a rating.")
        link = f"{settings.PUBLIC_URL}{review.get_absolute_url()}"
        body = "\n\n".join(part for part in (alarm.remark, words, link) if part)
        return post.send(alarm.user, _subject(alarm).replace("\n", " "), f"{body}\n")


def _subject(alarm: Alarm) -> str:
    place = alarm.review.restaurant
    if alarm.kind == Alarm.Kind.GIVEN:
        giver = alarm.by or _("Somebody")
        return _("Couvert: %(person)s gave you a review of %(place)s") % {
            "person": giver,
            "place": place,
        }
    rating = f"{alarm.review.global_rating:.1f}".removesuffix(".0")
    return _("Couvert: %(rating)s of 10 at %(place)s") % {"rating": rating, "place": place}


def digest(*, now: datetime) -> int:
    """Send the summaries of this morning. Returns how many."""
    sent, post = 0, Post()
    due = AlarmChoice.objects.exclude(digest=AlarmChoice.Digest.NEVER)
    for choice in due.filter(user__is_active=True).select_related("user"):
        local_time = timezone.localtime(now)
        if not _is_due(choice, local_time):
            continue
        mine = AlarmChoice.objects.filter(pk=choice.pk, digest_day=choice.digest_day)
        if not mine.update(digest_day=local_time.date()) or not (lines := _lines(choice, now=now)):
            continue
        if _mail_digest(choice, lines, post):
            sent += 1
        else:  # the day is given back, so that it is tried again
            AlarmChoice.objects.filter(pk=choice.pk).update(digest_day=choice.digest_day)
    return sent


def _is_due(choice: AlarmChoice, local_time: datetime) -> bool:
    if (
        choice.digest_day == local_time.date()
        or local_time.hour < DIGEST_HOUR
        or choice.is_quiet(local_time.time())
    ):
        return False
    return choice.digest == AlarmChoice.Digest.DAILY or local_time.weekday() == MONDAY


def _mail_digest(choice: AlarmChoice, lines: list[Line], post: Post) -> bool:
    with translation.override(choice.user.language or settings.LANGUAGE_CODE):
        body = "\n".join(
            [*map(_line, lines), "", f"{settings.PUBLIC_URL}{reverse('reviews:index')}"]
        )
        return post.send(choice.user, _("Couvert: reviews"), f"{body}\n")


def _lines(choice: AlarmChoice, *, now: datetime) -> list[Line]:
    """By restaurant: what is new, what waits for an answer, what is late. Three queries."""
    since = now - timedelta(days=DAYS[AlarmChoice.Digest(choice.digest)])
    places = dict(Restaurant.objects.visible_to(choice.user, VIEW).values_list("pk", "name"))
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    new = Review.objects.counted().filter(restaurant__in=places, created_ts__gte=since)
    for pk, number in new.values_list("restaurant_id").annotate(n=Count("pk")):
        counts[pk][0] = number
    waiting = Work.objects.filter(restaurant__in=places, lane__in=OPEN).values_list("restaurant_id")
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


def low(shell: Shell) -> CountQuery | None:
    return _on_bell_of(shell.user, Alarm.Kind.LOW)


def given(shell: Shell) -> CountQuery | None:
    return _on_bell_of(shell.user, Alarm.Kind.GIVEN)


def _on_bell_of(user: User | AnonymousUser, kind: Alarm.Kind) -> CountQuery | None:
    if not isinstance(user, User) or user.is_barred_from(VIEW):
        return None
    count = _unseen_anywhere if user.is_superuser else _unseen
    return count.about(user.pk, str(kind))


@prepared
def _unseen(user_id: int, kind: str) -> Any:
    return _rung(Alarm.objects.visible_to(User(pk=user_id)), kind)


@prepared
def _unseen_anywhere(user_id: int, kind: str) -> Any:
    return _rung(Alarm.objects.filter(user=user_id), kind)


def _rung(alarms: AlarmQuerySet, kind: str) -> Any:
    return alarms.unseen().filter(kind=kind).order_by().values_list(COUNT)
