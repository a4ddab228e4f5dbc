"""From a told event to a call: stored, announced and reported, whatever the order.

The answer to the telephone system waits for one short transaction. Screens are told by its commit;
the service is asked and told by the workers.
"""

from datetime import datetime
from uuid import UUID, uuid5

from django.db import IntegrityError, transaction

from lib.worker_signals import notify_workers
from outbox import submit as outbox
from partner.capabilities import can
from partner.errors import NotConfigured
from phone import actions, numbers, tasks
from phone.events import Odd, Told
from phone.models import KIND, ORDER, Call, Event, service_id
from phone.screens import tell
from restaurants.models import Restaurant


def record(told: Told, *, now: datetime) -> Call:
    """Take an event in. Telling it again changes nothing."""
    try:
        return _record(told, now=now)
    except IntegrityError:  # the first two events of a call arrived in the same moment
        return _record(told, now=now)


def _record(told: Told, *, now: datetime) -> Call:
    with transaction.atomic():
        known = Call.objects.select_for_update(of=("self",)).select_related("restaurant__group")
        call = known.filter(uuid=service_id(told.call_id)).first() or _begin(told, now=now)
        is_new = call.pk is None
        is_news = call.note(told.event, at=told.moment(now=now))
        is_news = _add(call, told) or is_news
        if is_news:
            call.version += not is_new
            call.save()
            tell(call)
            _report(call, told.event)
    return call


def _begin(told: Told, *, now: datetime) -> Call:
    restaurant = place_of(told)
    return Call(
        uuid=service_id(told.call_id),
        source_id=told.call_id,
        restaurant=restaurant,
        began_at=told.moment(now=now),
    )


def place_of(told: Told) -> Restaurant:
    """The restaurant that the event names, by uuid or by its telephone line; or the only one."""
    rows = Restaurant.objects.select_related("group")
    if told.restaurant:
        found = rows.filter(uuid=told.restaurant)
    elif told.line:
        lines = rows.exclude(phone="")
        found = rows.filter(pk__in=[one.pk for one in lines if _is_line(one, told.line)])
    else:
        found = rows
    match list(found[:2]):
        case [only]:
            return only
    raise Odd("restaurant or line does not name one restaurant that is set up here.")


def _is_line(restaurant: Restaurant, line: str) -> bool:
    ours = numbers.read(restaurant.phone, country=restaurant.country).e164
    theirs = numbers.read(line, country=restaurant.country).e164
    return restaurant.phone == line or (bool(ours) and ours == theirs)


def _add(call: Call, told: Told) -> bool:
    """Fill what earlier events left out; a late event overwrites nothing."""
    before = (call.caller_id, call.answered_by)
    if told.number and not call.caller_id:
        call.caller_id = told.number
        call.number = numbers.read(told.number, country=call.restaurant.country).e164
    call.answered_by = call.answered_by or told.answered_by
    return (call.caller_id, call.answered_by) != before


def _report(call: Call, event: Event) -> None:
    """Have the service told and asked. What a later event has overtaken is not reported."""
    if call.number:
        notify_workers(tasks.ask)
    if call.told[-1] != event or not may_report():
        return
    outbox.submit(
        actions.REPORT_CALL,
        key=report_key(call.uuid, event),
        kind=KIND,
        uuid=call.uuid,
        restaurant=call.restaurant,
        payload={"status": event.value},
        actor=None,
    )


def report_key(call: UUID, event: Event) -> UUID:
    """One intent per call and event, however often it is told."""
    return uuid5(call, f"report:{ORDER.index(event)}")


def may_report() -> bool:
    """Whether the service takes calls from us. Without the right every call would be refused."""
    try:
        return bool(can("calls"))
    except NotConfigured:
        return False
