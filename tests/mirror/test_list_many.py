"""Lists above what one page may name: read whole, or marked as not whole, never in silence.

The service is a list of a restaurant's bookings or of an account's guests, by day.
"""

from datetime import timedelta
from uuid import UUID

import pytest

from mirror.jobs import completeness
from mirror.kinds import EntityLocation
from mirror.models import Job, Slice, SyncRequest
from partner.errors import Refused
from partner.payloads.paging import read_page, walk
from tests.mirror.conftest import NOW
from tests.mirror.jobs import TODAY, backfill, finish, set_listing

pytestmark = pytest.mark.django_db
MOST = 12  # that the service shows of a list, as 10,000


class Capped:
    """Five rows a day; of a list it shows so many, and no page behind them."""

    def __init__(self, behind, *, a_day=5):
        self.behind, self.a_day = behind, a_day

    def uuids(self, start, end):
        days = range(start.toordinal(), end.toordinal() + 1)
        return [UUID(int=day * 1000 + n) for day in days for n in range(self.a_day)]

    def list(self, _client, _location, start, end, _by):
        rows = self.uuids(start, end)

        def fetch(number, limit):
            if number > 1 and self.behind == "refused":
                raise Refused(status=400)
            shown = rows[:MOST] if number == 1 or self.behind == "again" else []
            return read_page({"data": [str(row) for row in shown], "totalCount": len(rows)})

        yield from walk(fetch, limit=MOST)


@pytest.mark.parametrize("behind", ["refused", "again", "empty"])
def test_one_that_is_cut_is_listed_by_fewer_days(service, behind, quay):
    capped = Capped(behind)
    service.guests = dict.fromkeys(capped.uuids(TODAY - timedelta(days=3), TODAY), "Ann")
    set_listing(capped.list)
    job = finish(backfill())

    assert job.state == Job.State.DONE
    known = set(SyncRequest.objects.values_list("uuid", flat=True))
    assert known == set(service.guests)
    assert set(job.slices.values_list("state", flat=True)) == {"done"}
    assert completeness.proven("customer", EntityLocation(quay.group.uuid)) == NOW


@pytest.mark.parametrize("behind", ["refused", "again", "empty"])
def test_a_single_day_that_is_cut_is_never_whole(service, behind, quay):
    capped, walks = Capped(behind, a_day=20), []

    def count(client, location, start, end, by):
        walks.append((location, start, end))
        return capped.list(client, location, start, end, by)

    set_listing(count)
    job = backfill()
    for minutes in range(0, 600, 60):
        finish(job, now=NOW + timedelta(minutes=minutes))

    assert set(job.slices.values_list("state", flat=True)) == {Slice.State.FAILED}
    assert all(piece.sentence for piece in job.slices.all())
    assert completeness.proven("customer", EntityLocation(quay.group.uuid)) is None
    assert SyncRequest.objects.count() == 4 * MOST  # what it showed is read all the same
    days = [walk for walk in walks if walk[1] == walk[2]]
    assert {days.count(day) for day in days} == {2}
