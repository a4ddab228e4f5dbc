"""Failed reads as sentences: what was not read, where, since when, why, and what to do next."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from lib.dates import date_format
from mirror import kinds
from mirror.models import Job, Slice, SyncRequest
from restaurants.directory import find_group, find_restaurant

TRY_AGAIN = _("Try it again. If it fails again, send the raw answer to the service’s team.")
BY_ITSELF = _(
    "It is read again every hour by itself. If it stays, send the raw answer to the service’s team."
)
BY_ITSELF_HERE = _(
    "It is read again every hour by itself. If it stays, whoever runs this server installs the"
    " latest version and looks into its log."
)
# By the word under which the queue has parked it.
NEXT_STEPS: dict[str, "str | Promise"] = {
    "not-ours": _("Compare its restaurant’s identifier under Setup → Restaurants, then try again."),
    "unplaced": _("Add its restaurant under Setup → Restaurants, then try again."),
    "scope": _("Setup → Connection lists the missing right. The service’s team grants it."),
    "not-configured": _("Set up the connection, then try again."),
    "not-ready": _(
        "One of them is read again every hour, and then all, once the group has accepted."
    ),
    "malformed": BY_ITSELF,
    "foreign": BY_ITSELF,
    "unstorable": BY_ITSELF_HERE,
    "crash": BY_ITSELF_HERE,
}
# Of what leaves no sentence behind.
REASONS = {"crash": _("Reading it was cut off, or took too long, several times in a row.")}
UNKNOWN = _("The read failed for a reason we do not know.")


class ReadFailure(NamedTuple):
    """One thing that was not read."""

    what: str
    where: str
    since: datetime | None
    why: str
    next_step: str
    days: str = ""
    url: str = ""  # where to do it
    row: SyncRequest | None = None


def of_requests(rows: Iterable[SyncRequest]) -> list[ReadFailure]:
    """No queries beyond those of the directory of restaurants."""
    return [_of_request(row) for row in rows]


def of_slices(job: Job, slices: Iterable[Slice]) -> list[ReadFailure]:
    return [_of_slice(job, piece) for piece in slices]


def _of_request(row: SyncRequest) -> ReadFailure:
    return ReadFailure(
        what=kinds.label_of(row.kind),
        where=_place(row.group_uuid, row.restaurant_uuid),
        since=row.requested_at,
        why=_in_words(row.sentence) or str(REASONS.get(row.problem, UNKNOWN)),
        next_step=str(NEXT_STEPS.get(row.problem, TRY_AGAIN)),
        row=row,
    )


def _of_slice(job: Job, piece: Slice) -> ReadFailure:
    is_backfill = job.purpose == Job.Purpose.BACKFILL
    days = {"since": piece.since.isoformat(), "until": piece.until.isoformat()}
    first, last = (date_format(day, "SHORT_DATE_FORMAT") for day in (piece.since, piece.until))
    return ReadFailure(
        what=kinds.label_of(piece.kind),
        days=f"{first} – {last}",
        where=_place(piece.group_uuid, piece.restaurant_uuid),
        since=piece.done_at,
        why=_in_words(piece.sentence),
        next_step=gettext("Read these days again, once the reason is gone.")
        if is_backfill
        else gettext("The next comparison reads it by itself, within the hour."),
        url=f"{reverse('mirror:backfills')}?{urlencode(days)}" if is_backfill else "",
    )


def _in_words(sentence: str) -> str:
    """In the language of the reader: workers store it in English."""
    return gettext(sentence) if sentence else ""


def _place(group_uuid: UUID | None, restaurant_uuid: UUID | None) -> str:
    return str(find_restaurant(restaurant_uuid) or find_group(group_uuid) or "")
