"""The inbox: one page of a queue, and the count of every queue.

Four queries whatever the number of reviews. A count stops at `MOST_COUNTED`: beyond it nobody
needs the figure, and counting a quarter of a million rows would cost more than the whole page.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, cached_property
from typing import Any, NamedTuple, Self
from uuid import UUID

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Left
from django.http import QueryDict
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from accounts.models import User
from lib.database.compiled_queries import PreparedModels, prepared, prepared_models
from restaurants.models import Restaurant
from reviews.forms import INBOX_QUEUES, MINE, InboxParams
from reviews.inbox.placement import WHY, rules_by_restaurant
from reviews.models import InboxQueue, SavedInboxView, Stage, Work
from reviews.models.rules import DEFAULT_RULES
from reviews.models.work import OPEN

PER_PAGE = 50
MOST_COUNTED = 1000
START = 180  # characters of the comment that a row shows
ORDERS = {
    "urgent": ("-is_late", "score", "since"),
    "oldest": ("since",),
    "newest": ("-since",),
}
# A query as SQL and its parameters; None where nothing can be found.
Written = tuple[str, Sequence[Any]] | None
TONES: dict[str, str] = {
    InboxQueue.REWRITE: "bad",
    InboxQueue.REPLY: "urgent",
    InboxQueue.APPROVE: "urgent",
}
MOST_VIEWS = 20


@dataclass(frozen=True)
class QueueCount:
    """A queue or a saved view, with the number of its reviews."""

    key: str
    label: Any
    count: int
    tone: str = ""
    query: str = ""  # of a saved view

    @property
    def figure(self) -> str:
        if self.count <= MOST_COUNTED:
            return str(self.count)
        return f"{number_format(MOST_COUNTED, force_grouping=True)}+"


class InboxRow:
    """A review as the list shows it. No queries of its own."""

    def __init__(self, work: Work, *, restaurant: Restaurant, now: datetime) -> None:
        self.work = work
        self.review = work.review
        self.restaurant = restaurant
        self.now = now

    @property
    def start(self) -> str:
        return str(getattr(self.work, "start", ""))

    @property
    def why(self) -> Any:
        return WHY.get(self.work.why, "")

    @property
    def is_returned(self) -> bool:
        return self.work.stage == Stage.RETURNED

    @property
    def has_failed(self) -> bool:
        has_reason = bool(self.work.message or self.work.sentence)
        return has_reason and self.work.stage == Stage.DRAFT

    @property
    def is_in_doubt(self) -> bool:
        return self.has_failed and self.work.is_in_doubt

    @property
    def age(self) -> str:
        """In its largest unit: 8 d, 5 h, 12 min."""
        passed = max(self.now - self.work.since, timedelta(0))
        if passed.days:
            return _("%(n)s d") % {"n": passed.days}
        hours, rest = divmod(passed.seconds, 3600)
        return _("%(n)s h") % {"n": hours} if hours else _("%(n)s min") % {"n": rest // 60}

    @property
    def tone(self) -> str:
        return tone_of(self.review.global_rating, is_low=self.work.is_low)


def tone_of(rating: Any, *, is_low: bool) -> str:
    if rating is None:
        return "none"
    return "low" if is_low else "fair" if rating < 8 else "good"


class ReviewInbox:
    def __init__(
        self, restaurants: list[Restaurant], user: User, params: InboxParams, *, now: datetime
    ) -> None:
        self.restaurants = {one.pk: one for one in restaurants}
        self.user = user
        self.params = params
        self.now = now

    @cached_property
    def queues(self) -> list[QueueCount]:
        return [queue for queue in self.all_queues if not queue.query]

    @cached_property
    def views(self) -> list[QueueCount]:
        return [queue for queue in self.all_queues if queue.query]

    @cached_property
    def all_queues(self) -> list[QueueCount]:
        """The queues, then the person's own views. Two queries."""
        saved = SavedInboxView.objects.filter(user=self.user)[:MOST_VIEWS]
        mine = [
            narrow(self._all(), InboxParams(QueryDict(view.query)), self.user) for view in saved
        ]
        counts = iter(_counted([*map(self._counting, INBOX_QUEUES), *map(_bounded, mine)]))
        queues = [
            QueueCount(key, INBOX_QUEUES[key], n, TONES.get(key, "") if n else "")
            for key, n in zip(INBOX_QUEUES, counts, strict=False)
        ]
        return queues + [
            QueueCount(str(view.pk), view.name, n, query=view.query)
            for view, n in zip(saved, counts, strict=True)
        ]

    @property
    def late_label(self) -> str:
        """The filter with the limit that all these restaurants share. One query."""
        known = rules_by_restaurant(self.restaurants)
        limits = {known.get(pk, DEFAULT_RULES).target_hours for pk in self.restaurants}
        if len(limits) != 1:
            return _("Late")
        days, hours = divmod(limits.pop(), 24)
        if days > 1 and not hours:
            return _("Late: over %(n)s days") % {"n": days}
        return _("Late: over %(n)s h") % {"n": days * 24 + hours}

    def _counting(self, key: str) -> Written:
        """The query that counts a queue within these restaurants."""
        if key == MINE:
            return _bounded(self._all().filter(assignee=self.user, queue__in=OPEN))
        return _in_queue.written(list(self.restaurants), str(key))

    def _all(self) -> QuerySet[Work]:
        return Work.objects.filter(restaurant__in=list(self.restaurants))

    @property
    def is_new(self) -> bool:
        """Whether no review of these restaurants was ever read. Read for an empty queue only."""
        return not self._all().exists()

    @property
    def picked(self) -> QuerySet[Work]:
        """The rows that the address selects, in its order."""
        rows = narrow(_within(list(self.restaurants)), self.params, self.user)
        return rows.order_by(*ORDERS[self.params.sort], "pk")

    @cached_property
    def _page(self) -> list[Work]:
        """The page of reviews of the queue. One query."""
        if not self.restaurants:
            return []
        first = (self.params.page - 1) * PER_PAGE
        if first or self.params.words:
            return list(for_rows(self.picked)[first : first + PER_PAGE + 1])
        return first_page(self.params, list(self.restaurants), self.user)

    @property
    def rows(self) -> list[InboxRow]:
        return [self.row(work) for work in self._page[:PER_PAGE]]

    def row(self, work: Work) -> InboxRow:
        return InboxRow(work, restaurant=self.restaurants[work.restaurant_id], now=self.now)

    @property
    def uuids(self) -> list[UUID]:
        return [work.pk for work in self._page[:PER_PAGE]]

    @property
    def has_next(self) -> bool:
        return len(self._page) > PER_PAGE

    @property
    def scope(self) -> str:
        """The restaurants whose changes concern this list."""
        return " ".join(str(one.uuid) for one in self.restaurants.values())


def _within(places: Sequence[int]) -> QuerySet[Work]:
    """The work of some restaurants, so that the query uses the right index.

    For one there is an index by restaurant. For several, an index in the order of the page is
    scanned until the page is full. A plain IN would make SQLite gather and sort the whole queue;
    the sum prevents that. PostgreSQL needs the plain IN to estimate the number of rows.
    """
    if len(places) == 1 or connection.vendor == "postgresql":
        return Work.objects.filter(restaurant__in=places)
    rows: Any = Work.objects.annotate(place=F("restaurant_id") + 0)
    found: QuerySet[Work] = rows.filter(place__in=places)
    return found


def narrow(rows: QuerySet[Work], params: InboxParams, user: User) -> QuerySet[Work]:
    """Filter by what the address names."""
    if params.queue == MINE:
        rows = rows.filter(assignee=user, queue__in=OPEN)
    else:
        rows = rows.filter(queue=params.queue)
    if params.who:
        rows = rows.filter(assignee=user if params.who == "me" else None)
    if params.is_low:
        rows = rows.filter(is_low=True)
    if params.is_late:
        rows = rows.filter(is_late=True)
    for word in params.words.split()[:5]:
        rows = rows.filter(_mentions(word))
    return rows


def _mentions(word: str) -> Q:
    return (
        Q(review__first_name__icontains=word)
        | Q(review__last_name__icontains=word)
        | Q(review__comment__icontains=word)
    )


def for_rows(works: QuerySet[Work]) -> QuerySet[Work]:
    """With everything a row shows, and nothing else of the copy."""
    columns = ("first_name", "last_name", "global_rating", "service_day", "reply_status")
    return (
        works.select_related("review", "assignee")
        .annotate(start=Left("review__comment", START))
        .only(
            *(name for name in ROW_COLUMNS),
            *(f"review__{name}" for name in columns),
            "assignee__name",
            "assignee__email",
        )
    )


ROW_COLUMNS = (
    "restaurant_id",
    "queue",
    "why",
    "since",
    "is_late",
    "is_low",
    "stage",
    "message",
    "sentence",
    "is_in_doubt",
    "version",
    "assignee_id",
)


def _counted(all_queues: Iterable[Written]) -> list[int]:
    """How many rows each has, up to one more than `MOST_COUNTED`. One query."""
    parts: list[str] = []
    values: list[Any] = []
    for written in all_queues:
        sql, params = written or ("SELECT 1 WHERE 1 = 0", ())
        parts.append(f"(SELECT COUNT(*) FROM ({sql}) AS bounded)")  # noqa: S608  # Django's own SQL
        values.extend(params)
    if not parts:
        return []
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(parts)}", values)
        return [int(number) for number in cursor.fetchone()]


def _bounded(rows: QuerySet[Work]) -> Written:
    try:
        sql, params = _to_count(rows).query.sql_with_params()
    except EmptyResultSet:
        return None
    return sql, params


def _to_count(rows: QuerySet[Work]) -> Any:
    return rows.order_by().values_list("queue")[: MOST_COUNTED + 1]


@prepared
def _in_queue(places: list[int], queue: str) -> Any:
    return _to_count(Work.objects.filter(restaurant__in=places, queue=queue))


class InboxQueryShape(NamedTuple):
    """What the SQL of a first page depends on; everything else is parameters."""

    sort: str
    is_mine: bool
    who: str
    is_low: bool
    is_late: bool
    is_one_place: bool

    @classmethod
    def of(cls, params: InboxParams, places: Sequence[int]) -> Self:
        is_mine = params.queue == MINE
        return cls(
            params.sort, is_mine, params.who, params.is_low, params.is_late, len(places) == 1
        )


def first_page(params: InboxParams, places: list[int], user: User) -> list[Work]:
    """The rows of a page, and one more if there is another."""
    shape = InboxQueryShape.of(params, places)
    values: list[Any] = [] if shape.is_mine else [str(params.queue)]
    if shape.is_mine or shape.who == "me":
        values.append(user.pk)
    found: list[Work] = _first_page_of(shape)(places, *values)
    return found


@cache
def _first_page_of(shape: InboxQueryShape) -> PreparedModels:
    def build(places: list[int], *values: Any) -> Any:
        params = InboxParams({"sort": shape.sort, "who": shape.who})
        params.is_low, params.is_late = shape.is_low, shape.is_late
        params.queue = MINE if shape.is_mine else values[0]
        rows = narrow(_within(places), params, User(pk=values[-1]))
        return for_rows(rows.order_by(*ORDERS[shape.sort], "pk"))[: PER_PAGE + 1]

    return prepared_models(build)
