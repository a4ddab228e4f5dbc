"""Whoever books is warned of what a colleague has just booked for that guest, read or not."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from customers.testing import make_customer
from outbox.models import Intent
from partner.http.transport import Lost
from reservations.new_booking.guests import same_evening
from reservations.testing import make_reservation
from reservations.tests.sending import (
    GUEST,
    TIME,
    after,
    api,
    book,
    booked,
    page_of,
    submit,
    work,
    work_until_settled,
)

pytestmark = pytest.mark.django_db
State = Intent.State
__all__ = ["api", "submit"]  # fixtures


def found(user, quay, *, email=GUEST["email"]):
    day = quay.service_day(datetime.fromisoformat(TIME))
    return same_evening(group=quay.group, day=day, email=email, user=user)


@pytest.mark.parametrize("status", ["RECORDED", "REQUESTED"])
def test_made_and_not_read_yet(api, submit, bob, quay, status):
    api.reply("create_reservation", (200, booked(status=status)))
    intent = book(submit)
    assert len(found(bob, quay)) == 1
    work()
    assert after(intent).state == State.DONE

    [one] = found(bob, quay)
    assert (one.local_time, one.party_size) == ("20:15", 4)
    assert found(bob, quay, email="x@example.com") == []


def test_once_it_is_read_it_stands_there_once(api, submit, bob, quay, harbour):
    api.reply("create_reservation", (200, booked()))
    intent = book(submit)
    work()
    guest = make_customer(harbour, email=GUEST["email"])
    at = datetime.fromisoformat(TIME)
    make_reservation(quay, uuid=after(intent).result_uuid, customer=guest, meal_at=at)

    assert len(found(bob, quay)) == 1


def test_a_question_may_be_there(api, submit, bob, quay):
    api.reply("create_reservation", Lost())
    api.reply("list_reservations", page_of())
    lost = book(submit)
    work_until_settled()
    assert after(lost).state == State.ASKS

    assert len(found(bob, quay)) == 1


def test_without_a_table_nobody_is_expected(api, submit, bob, quay):
    api.reply("create_reservation", (200, booked(status="REFUSED")))
    book(submit)
    work()

    assert found(bob, quay) == []


def test_one_of_a_guest_who_was_erased_is_nobodys(submit, bob, quay):
    book(submit)
    Intent.objects.update(payload={"meal_date": TIME, "party_size": 4}, state=State.ASKS)

    assert found(bob, quay) == []


def test_long_ago_it_was_read_or_looked_for(api, submit, bob, quay):
    api.reply("create_reservation", (200, booked()))
    book(submit)
    work()
    Intent.objects.update(created_at=timezone.now() - timedelta(days=8))

    assert found(bob, quay) == []
