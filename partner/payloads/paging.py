"""Paging through lists that change while they are read.

The partner pages by offset, and rows come and go meanwhile. Everything seen is yielded once;
the list is read again, up to `LISTINGS` times, until its totals agree with what was seen or a
whole listing brought nothing new. A list that never settles ends in `ListChanged`: what was seen is
good, but nobody may take it for everything.

No order is promised. Where a service sorts by something that several rows share, it may cut each
page from another order: one row comes twice and another never, each time alike. So after a listing
with a row on two pages the next one is cut elsewhere.

Where a row leaves the list and another comes while it is read, the totals agree and yet a row that
moved up to an earlier page was never seen. So a list of several pages counts as whole only when
another listing shows no more than what its total has grown by.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from partner.errors import Foreign, ListChanged, Malformed, NotFound, Refused, Unavailable

logger = logging.getLogger(__name__)

PAGE_CAP = 1000
LISTINGS = 3
SMALLEST_LIMIT = 50
# Codes of lists of which the service shows a part: those of fewer days are shorter.
TOO_MANY_PAGES, MORE_THAN_SHOWN = "TOO_MANY_PAGES", "MORE_THAN_SHOWN"
# The same by its total alone, which may be wrong: two equal listings showed fewer.
COUNTED_MORE = "COUNTED_MORE"
PARTS = (TOO_MANY_PAGES, MORE_THAN_SHOWN, COUNTED_MORE)
MOST_DIGITS = 16  # of a total
ROUND = 100  # pages of services that ignore the limit are this full, or a multiple


@dataclass(frozen=True, slots=True)
class Page:
    uuids: list[UUID]
    # Entries that are no identifiers: counted, so that totals still agree.
    odd: int
    total: int | None
    has_next: bool | None
    # How many the service puts on a page, by its own word.
    limit: int | None = None

    @property
    def size(self) -> int:
        return len(self.uuids) + self.odd


NOTHING = Page(uuids=[], odd=0, total=None, has_next=None)

# (page number from 1, limit) → page
Fetch = Callable[[int, int], Page]


def read_page(payload: Any) -> Page:
    """Read a list answer of either shape; raise `Foreign` if it is neither.

    A list of other things than identifiers is no list.
    """
    data = payload.get("data") if isinstance(payload, dict) else None
    if not isinstance(data, list):
        raise Foreign(method="GET", code="NOT_A_LIST")
    uuids = [found for item in data if (found := _uuid(item))]
    if data and not uuids:
        raise Foreign(method="GET", code="NOT_A_LIST")
    return Page(
        uuids=uuids,
        odd=len(data) - len(uuids),
        total=_whole(payload.get("totalCount")),
        has_next=payload.get("hasNext") if isinstance(payload.get("hasNext"), bool) else None,
        limit=_whole(payload.get("limit")),
    )


def read_first_page(payload: Any) -> Page:
    """Read a list's first page. An empty one counts only with what the contract puts beside it."""
    page = read_page(payload)
    if not page.size and not {"totalCount", "hasNext"} & payload.keys():
        raise Foreign(method="GET", code="NOT_A_LIST")
    return page


def _uuid(item: Any) -> UUID | None:
    try:
        return UUID(item)
    except (ValueError, AttributeError, TypeError):
        return None


def _whole(value: Any) -> int | None:
    if isinstance(value, str) and value.isdecimal() and len(value) < MOST_DIGITS:
        return int(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if is_number and value == value // 1 else None


def walk(fetch: Fetch, *, limit: int) -> Iterator[UUID]:
    """Yield every identifier once, listing again while the list shifts under us."""
    seen: set[UUID] = set()
    listings: list[_Listing] = []
    while len(listings) < LISTINGS:
        listing = _Listing(fetch, limit=limit, seen=seen)
        yield from listing.pages()
        listings.append(listing)
        if listing.is_single or _agree(listings):
            return
        if _are_equal(listings):
            if listing.is_cut():
                raise Malformed(method="GET", code=COUNTED_MORE)
            return
        limit = listing.limit
        if listing.is_unsteady():
            limit = max(1, limit * 2 // 3)
    logger.warning("list kept shifting", extra={"seen": len(seen)})
    raise ListChanged(method="GET")


def _agree(listings: "list[_Listing]") -> bool:
    """Whether each of the last two is whole by its totals, and the later one shows no row that the
    one before should have shown."""
    *_, before, last = [None, *listings]
    if before is None or not (before.is_whole() and last.is_whole()):
        return False
    return len(last.new) <= max(0, (last.total or 0) - (before.total or 0))


def _are_equal(listings: "list[_Listing]") -> bool:
    """Two equal listings are all that the service has to show.

    Of pages that were cut elsewhere each time, all listings must have shown the same.
    """
    *_, before, last = [None, *listings]
    if before and before.limit == last.limit:
        return before.read == last.read
    return len(listings) == LISTINGS and all(one.here == last.here for one in listings)


class _Listing:
    """One walk from the first page to the last."""

    def __init__(self, fetch: Fetch, *, limit: int, seen: set[UUID]) -> None:
        self._fetch = fetch
        self._seen = seen
        self.here: Counter[UUID] = Counter()
        self._odd = 0
        self.read: list[Page] = []
        self._repeats = False  # a row stood on two pages
        self.new: set[UUID] = set()  # that no listing before has shown
        self.limit = limit

    def pages(self) -> Iterator[UUID]:
        number = 1
        while True:
            page = self._page(number)
            before = self.read[-1] if self.read else None
            self.read.append(page)
            if page.size and page == before:
                return  # the service knows no further page and shows this one again
            self._odd += page.odd
            new = [uuid for uuid in dict.fromkeys(page.uuids) if uuid not in self._seen]
            self._repeats |= not self.here.keys().isdisjoint(page.uuids)
            self.here.update(page.uuids)
            self._seen.update(new)
            self.new.update(new)
            yield from new
            if self._is_last(page, before=before):
                return
            number += 1
            if number > PAGE_CAP:
                raise Malformed(method="GET", code=TOO_MANY_PAGES)

    @property
    def is_single(self) -> bool:
        """Whether one page was all: it cannot have shifted.

        One that announced another was not all, though that one be empty: a row may have gone up.
        """
        first, *others = self.read
        if first.has_next or any(page.size for page in others):
            return False
        return first.total in (None, self._count)

    @property
    def total(self) -> int | None:
        return [page.total for page in self.read if page is not NOTHING][-1]

    def is_whole(self) -> bool:
        """Whether the totals agree with what was seen."""
        return self.read[0].total == self.total == self._count

    def is_cut(self) -> bool:
        """Whether the list counts more rows than all its pages show, repeated ones included."""
        return (self.total or 0) > sum(page.size for page in self._different)

    @property
    def _different(self) -> list[Page]:
        """The pages; the last but once if the service only shows it again."""
        *_, before, last = [None, *self.read]
        return self.read[:-1] if last == before else self.read

    def is_unsteady(self) -> bool:
        """Say whether a row came twice though the list, by its totals, did not change."""
        totals = {page.total for page in self.read if page is not NOTHING}
        return self._repeats and len(totals) == 1

    @property
    def _count(self) -> int:
        return len(self.here) + self._odd

    def _page(self, number: int) -> Page:
        """Fetch a page; halve the limit of a first one that is too much for the partner."""
        while True:
            try:
                return self._fetch(number, self.limit)
            except (NotFound, Refused) as fault:
                if number == 1:
                    raise
                return self._behind_the_last(fault)
            except Unavailable:
                if number > 1 or self.limit <= SMALLEST_LIMIT:
                    raise
                self.limit = max(SMALLEST_LIMIT, self.limit // 2)

    def _behind_the_last(self, fault: NotFound | Refused) -> Page:
        """No such page: the end, unless the service only refuses to show more of the list."""
        is_more = self.read[-1].has_next or self._count < (self.total or 0)
        if isinstance(fault, Refused) and is_more:
            raise Malformed(method="GET", code=MORE_THAN_SHOWN) from fault
        return NOTHING

    def _may_be_capped(self, page: Page) -> bool:
        """Whether the total may be that of the pages that the service shows, and not of the list.

        A page that is as full as it may be costs one more, which proves that nothing follows.
        """
        if page.limit and page.size >= page.limit > 0:
            return True
        usual = self.read[0].size if len(self.read) > 1 else min(self.limit, ROUND)
        return page.size > 0 and page.size % (usual or 1) == 0

    def _is_last(self, page: Page, *, before: Page | None) -> bool:
        """An empty page ends the list, unless the service says itself that there is more."""
        if page.has_next is not None:
            return not page.has_next or (before is not None and not page.size + before.size)
        if page.total is None:
            return not page.size
        if self._count >= page.total:
            return not self._may_be_capped(page)
        # The service may put fewer on a page than the limit: its first page shows how
        # many pages its total needs, and one more may be empty among them.
        usual = self.read[0].size or page.total
        return not page.size and (len(self.read) - 1) * usual >= page.total
