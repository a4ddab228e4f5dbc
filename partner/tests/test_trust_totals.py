"""What a page of a list counts, and the size that it names."""

from uuid import UUID

import pytest

from partner.errors import Malformed
from partner.payloads.paging import read_page, walk


def uuid(n: int) -> UUID:
    return UUID(int=n)


@pytest.mark.parametrize("payload", [None, [], {}, {"data": {}}, {"data": None}, 7])
def test_what_is_no_list_is_malformed(payload):
    with pytest.raises(Malformed):
        read_page(payload)


@pytest.mark.parametrize(
    ("total", "read"),
    [
        (3, 3),
        (3.0, 3),
        (3.5, None),
        (True, None),
        ("3", 3),
        ("", None),
        ("many", None),
        ("-3", None),
    ],
)
def test_totals_are_whole_numbers(total, read):
    assert read_page({"data": [], "totalCount": total}).total == read


@pytest.mark.parametrize("total", ["of the list", "of the page"])
def test_a_service_that_names_the_size_of_its_pages_is_read_to_the_end(total):
    """Its pages are smaller than the limit, and no round number of rows."""
    rows = [str(uuid(n)) for n in range(111)]

    def fetch(number, _limit):
        page = rows[(number - 1) * 37 : number * 37]
        count = len(rows) if total == "of the list" else len(page)
        return read_page({"data": page, "totalCount": count, "page": number, "limit": 37})

    assert [str(found) for found in walk(fetch, limit=10_000)] == rows


def test_a_size_of_no_page_is_ignored():
    requested = []

    def fetch(number, _limit):
        requested.append(number)
        data = [str(uuid(n)) for n in range(37)] if number == 1 else []
        return read_page({"data": data, "totalCount": 37, "limit": -1})

    assert len(list(walk(fetch, limit=100))) == 37
    assert requested == [1]


def test_a_whole_page_that_is_smaller_than_the_limit_costs_no_second_one():
    requested = []

    def fetch(number, limit):
        requested.append(number)
        data = [str(uuid(n)) for n in range(37)]
        return read_page({"data": data, "totalCount": 37, "page": number, "limit": limit})

    assert len(list(walk(fetch, limit=100))) == 37
    assert requested == [1]
