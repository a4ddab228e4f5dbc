"""What nearly every answer lacks is named on the health page; what a few lack is counted."""

from datetime import timedelta

import pytest
from django.utils import timezone

from mirror import drift
from mirror.health import sections
from mirror.models import Drift
from partner.http.protocol import DriftItem
from partner.payloads.answers import MISSING_FIELD

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture(autouse=True)
def anew():
    drift.LACKING.clear()
    yield
    drift.LACKING.assume_usual()


def read(*, lacking=0, of=1, kind="reservation", field="partySize"):
    found = [(kind, DriftItem(MISSING_FIELD, field))] * lacking
    drift.count_findings(found, answers={kind: of}, now=NOW)
    drift.LACKING.clear()


def section(*, later=timedelta(0)):
    return sections.drift_section(NOW + later)


@pytest.mark.parametrize("field", ["mealDate", "partySize", "status"])
def test_it_works(field):
    read(lacking=100, of=100, field=field)

    assert section().state == sections.LATE
    assert f"Booking: {field}" in section().sentence


def test_also_where_answers_come_one_by_one():
    for _ in range(8):
        read(lacking=1)

    assert section().state == sections.LATE


def test_a_few_of_many_are_counted_only():
    read(lacking=5, of=128)
    for number in range(30):
        read(lacking=number % 5 == 0)

    assert section().state == sections.GOOD
    assert Drift.objects.get().count == 11


def test_answers_that_have_it_end_it():
    read(lacking=100, of=100)
    for _ in range(8):
        read()

    assert section().state == sections.GOOD


def test_it_ends_where_nothing_is_read_for_an_hour():
    read(lacking=100, of=100)

    assert section(later=timedelta(hours=2)).state == sections.GOOD


@pytest.mark.parametrize(
    ("kind", "field"), [("reservation", "createdAt"), ("customer", "partySize")]
)
def test_what_boards_do_not_need_is_counted_only(kind, field):
    read(lacking=100, of=100, kind=kind, field=field)

    assert section().state == sections.GOOD


def test_an_answer_without_faults_costs_no_query(django_assert_num_queries):
    read()
    assert drift.LACKING.value() == frozenset()
    with django_assert_num_queries(0):
        drift.count_findings([], answers={"reservation": 5}, now=NOW)
