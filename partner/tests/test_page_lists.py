"""Lists whose pages shift while they are read."""

from contextlib import suppress
from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partner.errors import ListChanged, Malformed, NotFound, Refused, Unavailable
from partner.payloads.paging import COUNTED_MORE, MORE_THAN_SHOWN, PAGE_CAP, read_page, walk


def uuid(n: int) -> UUID:
    return UUID(int=n)


class ChangingList:
    """A list at the partner that changes between pages, as `changes` gives it."""

    def __init__(self, count, *, has_totals=True, changes=None, faults=0):
        self.rows = [uuid(n) for n in range(count)]
        self.has_totals = has_totals
        self.changes = dict(changes or {})
        self.faults = faults
        self.requested: list[tuple[int, int]] = []

    def fetch(self, number, limit):
        self.requested.append((number, limit))
        if self.faults:
            self.faults -= 1
            raise Unavailable
        change = self.changes.pop(len(self.requested), None)
        if change:
            change(self.rows)
        start = (number - 1) * limit
        data = [str(row) for row in self.rows[start : start + limit]]
        if self.has_totals:
            return read_page({"data": data, "totalCount": len(self.rows)})
        return read_page({"data": data, "hasNext": start + limit < len(self.rows)})


def test_it_works():
    listing = ChangingList(25)

    assert list(walk(listing.fetch, limit=10)) == listing.rows
    assert listing.requested == [(1, 10), (2, 10), (3, 10)] * 2


def test_an_empty_list_is_one_page():
    listing = ChangingList(0)

    assert list(walk(listing.fetch, limit=10)) == []
    assert len(listing.requested) == 1


@pytest.mark.parametrize("count", [25, 11])
@pytest.mark.parametrize("has_totals", [True, False])
def test_a_row_that_slips_past_is_found_by_listing_again(has_totals, count):
    """Of eleven the last goes up to the first page, and the second is empty."""
    listing = ChangingList(count, has_totals=has_totals, changes={2: lambda rows: rows.pop(0)})

    found = list(walk(listing.fetch, limit=10))

    assert set(found) >= set(listing.rows)
    assert len(found) == len(set(found))


def test_a_list_that_never_settles_is_not_taken_for_whole():
    changes = {n: (lambda rows, n=n: rows.insert(0, uuid(1000 + n))) for n in range(1, 50)}
    listing = ChangingList(25, changes=changes)
    found: list[UUID] = []

    with pytest.raises(ListChanged):
        found.extend(walk(listing.fetch, limit=10))
    assert len(listing.requested) <= 15


def test_what_a_shifting_list_showed_is_yielded_all_the_same():
    changes = {n: (lambda rows, n=n: rows.insert(0, uuid(1000 + n))) for n in range(1, 50)}
    walking = walk(ChangingList(25, changes=changes).fetch, limit=10)

    assert len({next(walking) for _ in range(25)}) == 25


class UnsteadyList(ChangingList):
    """A still list sorted by what several rows share, and every other page in another order."""

    def __init__(self, count, *, has_totals, sharing):
        super().__init__(count, has_totals=has_totals)
        self.sharing = sharing
        self.still = list(self.rows)

    def fetch(self, number, limit):
        sign = -1 if number % 2 == 0 else 1
        self.rows = sorted(self.still, key=lambda row: (row.int // self.sharing, sign * row.int))
        return super().fetch(number, limit)


@pytest.mark.parametrize("has_totals", [True, False])
def test_rows_that_no_page_shows_are_found_with_pages_of_another_size(has_totals):
    listing = UnsteadyList(250, has_totals=has_totals, sharing=4)
    assert 102 not in {row.int for n in (1, 2, 3) for row in listing.fetch(n, 102).uuids}

    assert set(walk(listing.fetch, limit=102)) == set(listing.still)


def test_so_are_those_of_a_service_that_does_not_know_the_page_behind_the_last():
    listing = UnsteadyList(250, has_totals=True, sharing=4)

    def fetch(number, limit):
        if number > 1 and (number - 1) * limit >= 250:
            raise NotFound
        return listing.fetch(number, limit)

    assert set(walk(fetch, limit=102)) == set(listing.still)


@given(st.integers(1, 90), st.integers(10, 60), st.integers(1, 90), st.booleans())
def test_an_unsteady_list_is_read_whole_or_not_taken_for_whole(count, limit, sharing, has_totals):
    listing = UnsteadyList(count, has_totals=has_totals, sharing=sharing)
    found: set[UUID] = set()

    with suppress(ListChanged):
        found.update(walk(listing.fetch, limit=limit))
        assert found == set(listing.still)


def test_a_row_that_the_service_lists_twice_is_no_loss():
    rows = sorted([*range(40), 19])

    def fetch(number, limit):
        return read_page(page(*rows[(number - 1) * limit : number * limit], totalCount=41))

    assert [one.int for one in walk(fetch, limit=20)] == list(range(40))


def paged(*pages, limit=2):
    """Walk answers given one by one; what lies behind the last is not found."""
    requested = []

    def fetch(number, _limit):
        requested.append(number)
        if number > len(pages):
            raise NotFound(status=404)
        return read_page(pages[number - 1])

    return list(walk(fetch, limit=limit)), requested


def page(*numbers, **facts):
    return {"data": [str(uuid(n)).upper() for n in numbers], **facts}


@pytest.mark.parametrize("behind", [page(totalCount=9), page(1, 2, totalCount=9)])
def test_a_list_that_counts_more_than_it_shows_is_not_taken_for_whole(behind):
    """Its last page comes again, or an empty one, each time alike."""
    with pytest.raises(Malformed) as fault:
        paged(page(1, 2, totalCount=9), *[behind] * 9)
    assert fault.value.code == COUNTED_MORE


def test_nor_is_one_of_which_a_later_page_is_refused():
    listing = ChangingList(25_000)

    def fetch(number, limit):
        if number > 1:
            raise Refused(status=400)
        return listing.fetch(number, limit)

    with pytest.raises(Malformed) as fault:
        list(walk(fetch, limit=10_000))
    assert fault.value.code == MORE_THAN_SHOWN


@pytest.mark.parametrize("count", [150, 250])
def test_nor_is_one_without_totals_whose_page_announces_another(count):
    listing = ChangingList(count, has_totals=False)

    def fetch(number, limit):
        if number * limit >= count:
            raise Refused(status=400)
        return listing.fetch(number, limit)

    with pytest.raises(Malformed) as fault:
        list(walk(fetch, limit=100))
    assert fault.value.code == MORE_THAN_SHOWN


def test_an_unknown_page_behind_one_that_announced_it_is_no_end_until_it_is_so_again():
    listing = ChangingList(150, has_totals=False)
    faults = [NotFound(status=404)]

    def fetch(number, limit):
        if number > 1 and faults:
            raise faults.pop()
        return listing.fetch(number, limit)

    assert list(walk(fetch, limit=100)) == listing.rows


@pytest.mark.parametrize("behind", [Refused(status=400), NotFound(status=404), None])
@pytest.mark.parametrize("count", [100, 200, 10_000])
def test_a_full_page_that_is_all_there_is_is_whole(count, behind):
    listing = ChangingList(count)

    def fetch(number, limit):
        if number > 1 and behind:
            raise behind
        return listing.fetch(number, limit)

    assert list(walk(fetch, limit=10_000)) == listing.rows


@pytest.mark.parametrize("most", [100, 1_000, 10_000])
def test_a_total_that_counts_a_page_hides_no_row(most):
    """The limit is ignored, and the total as great as the pages shown so far."""
    listing = ChangingList(25_000)

    def fetch(number, _limit):
        found = listing.fetch(number, most)
        return replace(found, total=min(len(listing.rows), number * most))

    found: set[UUID] = set()
    with suppress(ListChanged):
        found.update(walk(fetch, limit=10_000))
        assert found == set(listing.rows)


@given(st.data())
def test_whatever_comes_and_goes_no_row_is_missed_in_silence(data):
    """Of the rows that were there from the first answer to the last."""
    count, limit = data.draw(st.integers(5, 40)), data.draw(st.integers(2, 12))
    staying = [uuid(n) for n in range(count)]
    rows, fresh = list(staying), iter(range(1000, 9999))
    changes = data.draw(st.lists(st.sampled_from(["leave", "come", "swap", ""]), max_size=12))
    has_totals = data.draw(st.booleans())

    def fetch(number, _limit):
        what = changes.pop(0) if changes else ""
        if what in ("leave", "swap") and rows:
            gone = rows.pop(data.draw(st.integers(0, len(rows) - 1)))
            if gone in staying:
                staying.remove(gone)
        if what in ("come", "swap"):
            rows.insert(data.draw(st.integers(0, len(rows))), uuid(next(fresh)))
        start = (number - 1) * limit
        more = {"hasNext": start + limit < len(rows)}
        if has_totals:
            more = {"totalCount": len(rows)}
        return read_page(page(*[one.int for one in rows[start : start + limit]], **more))

    found: set[UUID] = set()
    with suppress(ListChanged, Malformed):
        found.update(walk(fetch, limit=limit))
        assert found >= set(staying)


def test_a_total_that_shrinks_is_listed_again():
    rows = ChangingList(6, changes={2: lambda rows: rows.__delitem__(slice(0, 2))})

    found = list(walk(rows.fetch, limit=2))

    assert set(found) >= set(rows.rows)


def test_an_empty_page_in_the_middle_hides_nothing():
    found, _requested = paged(
        page(1, 2, totalCount=4), page(totalCount=4), page(3, 4, totalCount=4)
    )

    assert found == [uuid(1), uuid(2), uuid(3), uuid(4)]


def test_an_empty_page_that_says_there_is_more_hides_nothing():
    found, _requested = paged(page(1, hasNext=True), page(hasNext=True), page(2, hasNext=False))

    assert found == [uuid(1), uuid(2)]


def test_a_service_that_shows_its_last_page_again_is_left():
    def fetch(number, _limit):
        return read_page(page(1, 2) if number == 1 else page(3))

    assert list(walk(fetch, limit=2)) == [uuid(1), uuid(2), uuid(3)]


def test_pages_smaller_than_the_limit_are_all_read():
    rows = ChangingList(25)

    found = list(walk(lambda number, _limit: rows.fetch(number, 4), limit=10_000))

    assert found == rows.rows


def test_no_such_page_is_the_end_of_a_list_without_totals():
    found, _requested = paged(page(1, 2), page(3, 4))

    assert len(found) == 4


def test_a_list_that_is_not_there_is_not_an_empty_list():
    with pytest.raises(NotFound):
        paged()


def test_one_page_of_reviews_is_not_read_twice():
    listing = ChangingList(5, has_totals=False)

    assert len(list(walk(listing.fetch, limit=10))) == 5
    assert len(listing.requested) == 1


def test_a_page_too_large_for_the_partner_is_halved():
    listing = ChangingList(120, faults=2)

    assert len(list(walk(listing.fetch, limit=400))) == 120
    assert [limit for _, limit in listing.requested] == [400, 200, *[100] * 4]


def test_an_outage_is_an_outage():
    with pytest.raises(Unavailable):
        list(walk(ChangingList(5, faults=20).fetch, limit=100))


def test_a_fault_on_a_later_page_is_not_blamed_on_its_size():
    listing = ChangingList(25)

    def fetch(number, limit):
        if number == 2:
            raise Unavailable
        return listing.fetch(number, limit)

    with pytest.raises(Unavailable):
        list(walk(fetch, limit=10))


def test_endless_pages_end():
    def endless(number, limit):
        return read_page({"data": [str(uuid(number))], "hasNext": True})

    with pytest.raises(Malformed):
        list(walk(endless, limit=1))
    assert PAGE_CAP == 1000


def test_without_any_total_an_empty_page_is_the_end():
    pages = {1: [str(uuid(1))], 2: []}

    found = list(walk(lambda number, _: read_page({"data": pages[number]}), limit=1))

    assert found == [uuid(1)]


def test_entries_that_are_no_identifiers_count_but_are_not_yielded():
    data = [str(uuid(1)), "not one", 7, None]

    found = list(walk(lambda *_: read_page({"data": data, "totalCount": 4}), limit=10))

    assert found == [uuid(1)]


@given(st.integers(0, 60), st.integers(1, 20), st.booleans())
def test_a_still_list_is_read_whole_and_in_order(count, limit, has_totals):
    listing = ChangingList(count, has_totals=has_totals)

    assert list(walk(listing.fetch, limit=limit)) == listing.rows
