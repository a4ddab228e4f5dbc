"""Maps reservations of the service to rows."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _lazy

from customers.allergies.mentions import Source, of_fields_and_tags, reading_of
from lib import coerce
from mirror.jobs.windows import utc_days
from mirror.kinds import EntityLocation, EntityRef, restaurant_of
from reservations.models import ONE_DAY, Reservation
from reservations.service_clock import moment, place_in_time

NOWHERE = UUID(int=0)
NOT_SET_UP = _lazy("The booking belongs to the restaurant %(uuid)s, which is not set up here.")
# The columns whose differences are recorded, with their labels.
CHANGE_LABELS = {
    "status": _lazy("status"),
    "meal_status": _lazy("arrival"),
    "meal_date_text": _lazy("time"),
    "party_size": _lazy("party"),
    "customer_id": _lazy("guest"),
    "customer_note": _lazy("guest's note"),
    "restaurant_note": _lazy("team note"),
    "custom_fields": _lazy("custom fields"),
    "offer_uuid": _lazy("offer"),
    "bill_amount": _lazy("bill"),
}


def fetch(client: Any, uuid: UUID) -> Any:
    return client.reservation(uuid)


def list_uuids(
    client: Any, location: EntityLocation, start: date, end: date, by: str
) -> Iterator[UUID]:
    """The uuids of a window of whole UTC days, both ends included."""
    if location.restaurant_uuid is not None:
        yield from client.reservation_uuids(
            restaurant=location.restaurant_uuid, start=start, end=end, by=by
        )
    else:
        yield from client.reservation_uuids(group=location.group_uuid, start=start, end=end, by=by)


def held(location: EntityLocation, start: date, end: date, by: str) -> QuerySet[Any]:
    """The bookings of the copy that a listing of these UTC days must name."""
    rows = Reservation.objects.present().filter(_is_at(location))
    begin, stop = utc_days(start, end)
    if by == "updatedDate":
        rows = rows.filter(updated_at__gte=begin, updated_at__lt=stop)
    else:  # the condition on service days selects the index
        around = (start - ONE_DAY, end + ONE_DAY)
        rows = rows.filter(service_day__range=around, meal_at__gte=begin, meal_at__lt=stop)
    return rows.values_list("uuid", flat=True)


def _is_at(location: EntityLocation) -> Q:
    """A restaurant's list, or that of a whole group."""
    if location.restaurant_uuid is not None:
        return Q(restaurant__uuid=location.restaurant_uuid)
    return Q(restaurant__group__uuid=location.group_uuid or NOWHERE)


def build(answer: Any, location: EntityLocation, existing: Reservation | None) -> Reservation:
    """The row of an answer. Raises `Unplaceable` for a restaurant that is not set up here."""
    entity = answer.entity
    row = Reservation(
        restaurant=restaurant_of(entity, location, existing, refusal=NOT_SET_UP),
        meal_date_text=_meal_date_text(answer.payload),
        party_size=coerce.whole(entity.party_size) or None,
        status=coerce.word(entity.status),
        meal_status=coerce.word(entity.meal_status),
        customer_id=entity.customer_uuid,
        customer_note=coerce.text(entity.customer_note),
        restaurant_note=coerce.text(entity.restaurant_note),
        offer_uuid=entity.offer_uuid,
        reservation_channel=coerce.word(entity.reservation_channel),
        utm=_utm(entity.utm_tracking_information),
        custom_fields=coerce.custom_fields(entity.custom_fields),
        created_at=coerce.instant(entity.created_at),
        updated_at=coerce.instant(entity.updated_at),
    )
    row.meal_at = coerce.instant(_meal_date(entity.meal_date, row))
    _offer(row, entity.offer_details)
    _bill(row, entity.bill_amount, existing)
    row.set_service_day()
    row.notes_read_by, row.notes_tell = reading_of(sources_of_booking(row))
    return row


def sources_of_booking(row: Reservation) -> list[Source]:
    """The texts of a booking of its own, its guest's aside."""
    return [
        Source(_lazy("Guest's request"), row.customer_note),
        Source(_lazy("Team note"), row.restaurant_note),
        *of_fields_and_tags(row.custom_fields),
    ]


def related(row: Reservation) -> Iterable[EntityRef]:
    """The guest, whose group is the restaurant's, because no answer names it."""
    if row.customer_id is not None:
        yield EntityRef("customer", row.customer_id, EntityLocation(row.restaurant.group.uuid))


def _meal_date_text(payload: Any) -> str:
    sent = payload.get("mealDate") if isinstance(payload, dict) else None
    return coerce.word(sent) if isinstance(sent, str) else ""


def _meal_date(sent: datetime | None, row: Reservation) -> datetime | None:
    """The time of the booking. Without an offset it is the restaurant's, in which all are sent."""
    is_naive = sent is not None and (at := moment(row.meal_date_text)) and at.tzinfo is None
    return place_in_time(row.meal_date_text, row.restaurant) if is_naive else sent


def _utm(items: Any) -> dict[str, str]:
    return {coerce.word(i.key): coerce.text(i.value) for i in items or () if i.key}


def _offer(row: Reservation, details: Any) -> None:
    if details is None:
        return
    row.offer_type = coerce.word(details.offer_type)
    names = details.name or {}
    row.offer_name = {coerce.word(k): coerce.text(v) for k, v in names.items() if v}
    row.offer_discount = coerce.amount(details.discount_percentage)
    row.offer_menu_type = coerce.word(details.preset_menu_type)
    row.offer_price = coerce.amount(details.price)
    row.offer_currency = coerce.word(details.currency, longest=8)


def _bill(row: Reservation, bill: Any, existing: Reservation | None) -> None:
    """A missing bill after a known one could not be retrieved: keep the last one, marked."""
    total = coerce.amount(bill.total_price) if bill is not None else None
    if total is not None:
        row.bill_amount = total
        row.bill_currency = coerce.word(bill.currency, longest=8)
    elif existing is not None and existing.bill_amount is not None:
        row.bill_amount, row.bill_currency = existing.bill_amount, existing.bill_currency
        row.bill_is_stale = True
