"""Retention: which guests are erased as their time comes, and the approval of many at once."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from math import inf
from typing import NamedTuple
from uuid import UUID

from django.conf import settings

from accounts import audit
from accounts.models import User
from customers import personal_data
from customers.models import Customer, PurgeQuestion, RetentionPlace
from customers.privacy.erasure import erase
from mirror.models import Mirrored

# Erasure follows a deletion upstream after this time, long enough to notice a mistake.
GONE_FOR = timedelta(days=30)
AT_TABLE = timedelta(days=1)  # after the time of a booking its notes are still read
AT_ONCE = 200  # guests of one run of retention
LOOKED_AT = 1000  # guests of one query
MOST_LOOKED_AT = 100_000  # guests of one run; the next one goes on behind them
MOST_COUNTED = 10_000
# Counting looks at all guests, as often while a question waits for its answer.
COUNT_EVERY = timedelta(days=1)
FIRST = UUID(int=0)  # before all keys
GONE, ERASED = Mirrored.Presence.GONE, Mirrored.Presence.ERASED


class Due(NamedTuple):
    """Guests to erase, and behind whom the next run goes on, or None: at the first guest again."""

    guests: list[Customer]
    after: UUID | None = None


def keep_until(guest: Customer, *, now: datetime) -> datetime | None:
    """When retention erases the guest, or None. One query an app."""
    dates = []
    last = personal_data.last_seen([guest.pk]).get(guest.pk)
    if guest.presence == GONE:
        gone_until = guest.changed_at + GONE_FOR
        dates.append(max(gone_until, last + AT_TABLE) if last else gone_until)
    if months := settings.GUEST_RETENTION_MONTHS:
        since = max(last or _known_since(guest), guest.first_seen_at)
        dates.append(max(since + _span(months), now))
    return min(dates, default=None)


def purge(*, now: datetime, look_at: int = MOST_LOOKED_AT) -> int:
    """Erase guests deleted upstream long ago, and guests without a visit for the retention time.

    Many at once are most likely due to a wrong clock, and erasure is final: a person has to approve
    first, and the approval covers what was due when the question was raised. A run looks at some of
    the guests and remembers where it stopped, so that it takes seconds however many they are.
    """
    question = PurgeQuestion.objects.first()
    is_approved = question is not None and question.approved_at is not None
    as_of = min(now, question.raised_at) if question and is_approved else now
    due = _due(now=as_of, look_at=look_at)
    if not is_approved and len(due.guests) > _usual_number(now=now):
        _raise_question(question, now=now)
        return 0
    if not is_approved or not (due.guests or due.after):
        # The clock was put right, or the walk that began with the approval has ended.
        PurgeQuestion.objects.all().delete()
    for guest in due.guests:
        erase(guest, actor=None, now=now)
    _go_on(after=due.after)
    return len(due.guests)


def _usual_number(*, now: datetime) -> int:
    """How many may be erased now without a person: a day's number, less those of today."""
    guests = Customer.objects.present().count()
    most: int = max(settings.GUEST_PURGE_LIMIT, guests * settings.GUEST_PURGE_PERCENT // 100)
    erased = Customer.objects.filter(presence=ERASED)
    return most - erased.filter(changed_at__gt=now - timedelta(days=1)).count()


def _raise_question(open_: PurgeQuestion | None, *, now: datetime) -> None:
    if open_ and abs(now - open_.raised_at) < COUNT_EVERY:
        return
    count = len(_due(now=now, most=MOST_COUNTED, look_at=inf).guests)
    PurgeQuestion.objects.all().delete()
    PurgeQuestion.objects.create(raised_at=now, count=count)


def approve_purge(question: PurgeQuestion, user: User, *, now: datetime) -> None:
    open_ = PurgeQuestion.objects.filter(pk=question.pk, approved_at=None)
    if open_.update(approved_at=now, approved_by=user):
        _go_on(after=None)
        audit.record(user, "approved a purge", details={"count": question.count})


def _go_on(*, after: UUID | None) -> None:
    RetentionPlace.objects.all().delete()
    if after:
        RetentionPlace.objects.create(after=after)


def _due(*, now: datetime, look_at: float, most: int = AT_ONCE) -> Due:
    guests = _gone(before=now - GONE_FOR, most=most, now=now)
    if not settings.GUEST_RETENTION_MONTHS:
        return Due(guests)
    before = now - _span(settings.GUEST_RETENTION_MONTHS)
    unseen = _unseen(before=before, most=most, look_at=look_at)
    return Due(guests + unseen.guests, unseen.after)


def _gone(*, before: datetime, most: int, now: datetime) -> list[Customer]:
    """Those deleted at the service before that, but for those who still come: the notes of a
    booking ahead go with its guest, and the kitchen would read of no allergy."""
    rows = Customer.objects.filter(presence=GONE, changed_at__lt=before)
    gone = list(rows.only("uuid").order_by("changed_at", "uuid")[:MOST_COUNTED])
    over = set(personal_data.maybe_unseen([one.pk for one in gone], since=now - AT_TABLE))
    return [one for one in gone if one.pk in over][:most]


def _unseen(*, before: datetime, most: int, look_at: float) -> Due:
    """Look at so many of the guests that are known for long, until so many are found.

    Of one who is known for a shorter time bookings from before may not have been read yet.
    In the order of their keys, a chunk at a time, and from where the last run stopped.
    """
    old = Customer.objects.exclude(presence=GONE).filter(first_seen_at__lt=before)
    keys = old.order_by("uuid").values_list("uuid", flat=True)
    place = None if look_at == inf else RetentionPlace.objects.first()
    after = place.after if place else FIRST
    found = list[Customer]()
    while look_at > 0 and len(found) < most:
        chunk = list(keys.filter(uuid__gt=after)[: min(LOOKED_AT, look_at)])
        if not chunk:
            return Due(found)
        found += _last_seen_before(before, chunk)
        look_at -= len(chunk)
        after = chunk[-1]
    return Due(found[:most], found[most - 1].pk if len(found) > most else after)


def _last_seen_before(moment: datetime, chunk: Sequence[UUID]) -> Iterator[Customer]:
    """Look up the exact time of the few only who were not certainly seen since."""
    others = personal_data.maybe_unseen(chunk, since=moment)
    seen = personal_data.last_seen(others)
    rows = Customer.objects.filter(pk__in=others).order_by("uuid")
    for guest in rows.only("uuid", "presence", "changed_at", "creation_date", "first_seen_at"):
        last = seen.get(guest.pk, _known_since(guest))
        if last >= moment:
            continue
        # An erased guest who has booked since left notes again.
        is_back = last > guest.changed_at and personal_data.is_held_again(guest)
        if guest.presence != ERASED or is_back:
            yield guest


def _known_since(guest: Customer) -> datetime:
    """Start of retention for a guest without visits: the profile's creation, or our first read."""
    return guest.creation_date or guest.first_seen_at


def _span(months: int) -> timedelta:
    return timedelta(days=months * 30.44)
