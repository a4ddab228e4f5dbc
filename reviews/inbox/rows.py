"""A row of the list as HTML: a pure function of what it shows, cached by its arguments.

The template of fifty rows costs more than everything else on the page together; nothing has to be
invalidated, because another queue, age, person or address is another cache key.
"""

from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from reviews.inbox.pages import InboxRow

KEPT = 4096  # rows in each process, two kilobytes each


class RowContext(NamedTuple):
    """The list that the row is part of: its query string and what it shows."""

    query: str
    many: bool  # several restaurants are on the page, so each row names its own
    may_write: bool


class ReviewRowFacts(NamedTuple):
    """Everything that the fragment shows; nothing else may enter it."""

    uuid: UUID
    rating: Decimal | None
    tone: str
    name: str
    since: datetime
    age: str
    place: str
    day: date | None
    start: str
    left_to: str  # the queue it is in now, where that is not the shown one
    is_late: bool
    why: str
    has_failed: bool
    is_in_doubt: bool
    is_returned: bool
    assignee: str
    way: RowContext

    @property
    def address(self) -> str:
        address = reverse("reviews:show", args=[self.uuid])
        return f"{address}?{self.way.query}" if self.way.query else address

    @property
    def own_address(self) -> str:
        return f"{reverse('reviews:row', args=[self.uuid])}?{self.way.query}"


def facts_of(row: InboxRow, way: RowContext, *, has_left: bool = False) -> ReviewRowFacts:
    work, review = row.work, row.review
    return ReviewRowFacts(
        uuid=work.pk,
        rating=review.global_rating,
        tone=row.tone,
        name=review.guest_name or _("A guest"),
        since=work.since,
        age=row.age,
        place=row.restaurant.label if way.many else "",
        day=review.service_day if way.many else None,
        start=row.start,
        left_to=work.get_queue_display() if has_left else "",
        is_late=work.is_late,
        why=str(row.why),
        has_failed=row.has_failed,
        is_in_doubt=row.is_in_doubt,
        is_returned=row.is_returned,
        assignee=str(work.assignee) if work.assignee else "",
        way=way,
    )


def draw(row: InboxRow, way: RowContext, **more: Any) -> SafeString:
    return _draw(facts_of(row, way, **more), get_language())


def draw_all(rows: list[InboxRow], way: RowContext) -> SafeString:
    language = get_language()
    drawn = [_draw(facts_of(row, way), language) for row in rows]
    return SafeString("".join(drawn))  # each comes from a template, which has escaped it


@lru_cache(maxsize=KEPT)
def _draw(facts: ReviewRowFacts, _language: str | None) -> SafeString:
    return render_to_string("reviews/_row.html", {"row": facts})
