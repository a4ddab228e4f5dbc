"""Turns events of the telephone system into calls: stored, announced, reported, in any order.

The telephone system waits for one short transaction. The commit notifies the screens; the workers
call the service.
"""

from datetime import datetime
from uuid import UUID, uuid5

from django.db import IntegrityError, transaction

from lib.broker.worker_signals import notify_workers
from live.announcements import announce_one
from outbox import submit as outbox
from partner.auth.capabilities import can
from partner.errors import NotConfigured
from phone import actions, numbers, tasks
from phone.models import KIND, ORDER, Call, Event, PhoneSystem, service_id
from phone.receiver.events import CallEvent, OddCallEvent
from restaurants.models import Restaurant


def record(call_event: CallEvent, *, system: PhoneSystem, now: datetime) -> Call:
    """Store an event. The same event again changes nothing."""
    try:
        return _record(call_event, system, now=now)
    except IntegrityError:  # the first two events of a call arrived in the same moment
        return _record(call_event, system, now=now)


def _record(call_event: CallEvent, system: PhoneSystem, *, now: datetime) -> Call:
    uuid = service_id(call_event.call_id, namespace=system.namespace)
    with transaction.atomic():
        known = Call.objects.select_for_update(of=("self",)).select_related("restaurant__group")
        call = known.filter(uuid=uuid).first() or _begin(call_event, system, uuid, now=now)
        if not _is_of(system, call):
            raise OddCallEvent("call_id belongs to a call of another telephone system.")
        is_new = call.pk is None
        is_news = call.note(call_event.event, at=call_event.moment(now=now))
        is_news = _add(call, call_event) or is_news
        if is_news:
            call.version += not is_new
            call.save()
            announce_one(KIND, call.uuid, version=call.version, restaurant=call.restaurant)
            _report(call, call_event.event)
    return call


def _is_of(system: PhoneSystem, call: Call) -> bool:
    """Whether the call is of the account to which the telephone system belongs."""
    return system.connection_id in (None, call.restaurant.group.connection_id)


def _begin(call_event: CallEvent, system: PhoneSystem, uuid: UUID, *, now: datetime) -> Call:
    restaurant = place_of(call_event, system)
    return Call(
        uuid=uuid,
        source_id=call_event.call_id,
        restaurant=restaurant,
        began_at=call_event.moment(now=now),
    )


def place_of(call_event: CallEvent, system: PhoneSystem) -> Restaurant:
    """The restaurant that the event names, by uuid or by its telephone line; or the only one."""
    rows = system.restaurants()
    if call_event.restaurant:
        found = rows.filter(uuid=call_event.restaurant)
    elif call_event.line:
        lines = rows.exclude(phone="")
        found = rows.filter(pk__in=[one.pk for one in lines if _is_line(one, call_event.line)])
    else:
        found = rows
    match list(found[:2]):
        case [only]:
            return only
    raise OddCallEvent("restaurant or line does not name one restaurant that is set up here.")


def _is_line(restaurant: Restaurant, line: str) -> bool:
    ours = numbers.read(restaurant.phone, country=restaurant.country).e164
    theirs = numbers.read(line, country=restaurant.country).e164
    return restaurant.phone == line or (bool(ours) and ours == theirs)


def _add(call: Call, call_event: CallEvent) -> bool:
    """Fill what earlier events left out; a late event overwrites nothing, and restores no erased
    number.
    """
    before = (call.caller_id, call.answered_by)
    if call_event.number and not (call.caller_id or call.is_redacted):
        call.caller_id = call_event.number
        call.number = numbers.read(call_event.number, country=call.restaurant.country).e164
    call.answered_by = call.answered_by or call_event.answered_by
    return (call.caller_id, call.answered_by) != before


def _report(call: Call, event: Event) -> None:
    """Request that the call is reported and looked up. Superseded events are not reported."""
    if call.number:
        notify_workers(tasks.ask)
    if call.events[-1] != event or not may_report(call.restaurant):
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
    """One intent per call and event, however often the event comes."""
    return uuid5(call, f"report:{ORDER.index(event)}")


def may_report(restaurant: Restaurant) -> bool:
    """Whether the service takes calls from us. Without the right every call would be refused."""
    try:
        return bool(can("calls", connection=restaurant.group.connection_id))
    except NotConfigured:
        return False
