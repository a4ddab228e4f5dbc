"""The Partner API, one method per endpoint, in the contract's order.

Reads return a `PartnerAnswer`: the text as it was sent, the typed entity and what was odd.
Writes are checked before anything leaves. Lists are generators of identifiers.
"""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from functools import partial
from typing import Any, Literal, TypeVar
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from partner import schemas
from partner.calls import Calls, ConnectionState, connection_state
from partner.http import multipart, protocol
from partner.http.protocol import Decoded
from partner.http.transport import Transport
from partner.limits.priorities import CallPriority
from partner.models import Connection, PosIdentity
from partner.payloads import bodies, logos
from partner.payloads.answers import (
    PartnerAnswer,
    entity_answer,
    list_answer,
    phone_answer,
    sizes_answer,
)
from partner.payloads.bodies import UNSET, NewCustomer, Unset
from partner.payloads.paging import Page, read_first_page, read_page, walk
from partner.payloads.reading import Entity

E = TypeVar("E", bound=Entity)
Id = UUID | str

LIST_CAP = 10_000
REVIEW_LIST_CAP = 100


class Client:
    """The only way to call the partner. Use `partner.factory.client`; tests pass a transport."""

    def __init__(
        self,
        connection: Connection,
        *,
        priority: CallPriority = CallPriority.PERSON,
        transport: Transport | None = None,
    ) -> None:
        state = (
            ConnectionState.build(connection, transport=transport)
            if transport
            else connection_state(connection)
        )
        self._calls = Calls(connection, priority=priority, state=state)
        self._clock = state.transport.clock
        # Called before each page of a list: whoever holds a lease meanwhile renews it.
        self.before_page: Callable[[], object] = _nothing

    # --- Booking flow -----------------------------------------------------------------------

    def availabilities(
        self,
        restaurant: Id,
        *,
        start: date,
        end: date,
        party_size: int | None = None,
        offer_uuid: Id | None = None,
    ) -> PartnerAnswer[tuple[schemas.Availability, ...]]:
        """GET /v1/restaurants/{id}/availabilities · svc-restaurant, …:availabilities"""
        query = bodies.day_range(start, end) | _narrowed(party_size, offer_uuid)
        return self._read_list(
            schemas.Availability, "list_availabilities", _id(restaurant), query=query
        )

    def timeslots(
        self,
        restaurant: Id,
        *,
        day: date,
        party_size: int | None = None,
        offer_uuid: Id | None = None,
    ) -> PartnerAnswer[tuple[schemas.Timeslot, ...]]:
        """GET /v1/restaurants/{id}/timeslots · svc-restaurant, …:availabilities"""
        query = {"date": bodies.plain_day("date", day)} | _narrowed(party_size, offer_uuid)
        return self._read_list(schemas.Timeslot, "list_timeslots", _id(restaurant), query=query)

    def party_sizes(
        self, restaurant: Id, *, start: date, end: date, offer_uuid: Id | None = None
    ) -> PartnerAnswer[tuple[int, ...]]:
        """GET /v1/restaurants/{id}/partySizes · svc-restaurant, …:availabilities"""
        query = bodies.day_range(start, end) | _narrowed(None, offer_uuid)
        request = protocol.build("list_party_sizes", _id(restaurant), query=query)
        return self._calls.call(request, read=partial(sizes_answer, request))

    def offers(
        self, restaurant: Id, *, locale: str
    ) -> PartnerAnswer[tuple[schemas.OfferPayload, ...]]:
        """GET /v1/restaurants/{id}/offers · svc-restaurant, …:offers"""
        query = {"locale": bodies.locale(locale)}
        return self._read_list(schemas.OfferPayload, "list_offers", _id(restaurant), query=query)

    def override_availability(
        self,
        restaurant: Id,
        *,
        day: date,
        start_time: str,
        is_open: bool,
        end_time: str | None = None,
    ) -> PartnerAnswer[schemas.Override]:
        """PUT /v1/restaurants/{id}/availabilities/override · …:override-availabilities only"""
        body = bodies.override(day=day, start_time=start_time, end_time=end_time, is_open=is_open)
        return self._read(schemas.Override, "override_availability", _id(restaurant), body=body)

    def create_reservation(
        self,
        restaurant: Id,
        *,
        meal_date: str | datetime,
        party_size: int,
        customer: NewCustomer,
        offer_uuid: UUID | None = None,
        customer_note: str | None = None,
        restaurant_note: str | None = None,
    ) -> PartnerAnswer[schemas.BookedReservation]:
        """POST /v1/restaurants/{id}/reservations · svc-restaurant, …:(unrestricted-)reservations

        A slot's `datetime` is passed as `meal_date` unchanged. Read the answer's status:
        RECORDED is confirmed, REQUESTED is not.
        """
        body = bodies.new_reservation(
            meal_date=meal_date,
            party_size=party_size,
            customer=customer,
            offer_uuid=offer_uuid,
            customer_note=customer_note,
            restaurant_note=restaurant_note,
            now=self._clock.now(),
        )
        return self._read(
            schemas.BookedReservation, "create_reservation", _id(restaurant), body=body
        )

    def update_reservation(
        self,
        reservation: Id,
        *,
        meal_date: str | datetime | None | Unset,
        party_size: int | Unset,
        restaurant_note: str | None | Unset = UNSET,
    ) -> PartnerAnswer[schemas.BookedReservation]:
        """PATCH /v1/reservations/{id} · svc-restaurant, …:(unrestricted-)reservations

        A note of None clears it; whatever is `UNSET` stays as it is. Date and size are sent
        unchanged wherever they are known, because the contract's schema requires both.
        """
        body = bodies.reservation_update(
            meal_date=meal_date, party_size=party_size, restaurant_note=restaurant_note
        )
        return self._read(
            schemas.BookedReservation, "update_reservation", _id(reservation), body=body
        )

    def cancel_reservation(self, reservation: Id) -> PartnerAnswer[schemas.BookedReservation]:
        """PATCH /v1/reservations/{id}/cancel · svc-restaurant, …:(unrestricted-)reservations"""
        return self._read(schemas.BookedReservation, "cancel_reservation", _id(reservation))

    # --- Data -------------------------------------------------------------------------------

    def reservation_uuids(
        self,
        *,
        start: date,
        end: date,
        group: Id | None = None,
        restaurant: Id | None = None,
        by: Literal["updatedDate", "mealDate"] = "updatedDate",
        limit: int = LIST_CAP,
    ) -> Iterator[UUID]:
        """GET /v1/reservations · svc-restaurant, …:(unrestricted-)reservations

        Days are UTC days, both included.
        """
        if group is None and restaurant is None:
            bodies.refuse("restaurant", _("A group or a restaurant must be named."))
        query = bodies.day_range(start, end) | {
            "groupUuid": _optional_id(group),
            "restaurantUuid": _optional_id(restaurant),
            "filterBy": bodies.one_of("by", by, frozenset({"updatedDate", "mealDate"})),
        }
        return self._list("list_reservations", query, limit=min(limit, LIST_CAP))

    def reservation(self, uuid: Id) -> PartnerAnswer[schemas.ReservationPayload]:
        """GET /v1/reservations/{id} · svc-restaurant, …:(unrestricted-)reservations"""
        return self._read(schemas.ReservationPayload, "get_reservation", _id(uuid))

    def customer_uuids(
        self, *, group: Id, start: date, end: date, limit: int = LIST_CAP
    ) -> Iterator[UUID]:
        """GET /v1/customers · svc-restaurant, …:customers

        Plain days of creation or change, both included, in a zone that is not stated.
        """
        query = bodies.day_range(start, end) | {"groupUuid": _id(group)}
        return self._list("list_customers", query, limit=min(limit, LIST_CAP))

    def customer(self, uuid: Id) -> PartnerAnswer[schemas.CustomerPayload]:
        """GET /v1/customers/{id} · svc-restaurant, …:customers"""
        return self._read(schemas.CustomerPayload, "get_customer", _id(uuid))

    # --- Review flow ------------------------------------------------------------------------

    def review_uuids(
        self,
        *,
        restaurant: Id,
        start: date,
        end: date,
        with_comment_only: bool | None = None,
        limit: int = REVIEW_LIST_CAP,
    ) -> Iterator[UUID]:
        """GET /v1/reviews · svc-restaurant, …:reviews

        By meal date from 00:00 UTC of `start` to 00:00 UTC of `end`, which must be later.
        Only valid, published reviews are listed.
        """
        query = bodies.day_range(start, end, is_end_exclusive=True) | {
            "restaurantUuid": _id(restaurant),
            "withCommentOnly": with_comment_only,
        }
        return self._list("list_reviews", query, limit=min(limit, REVIEW_LIST_CAP))

    def review(self, uuid: Id) -> PartnerAnswer[schemas.ReviewPayload]:
        """GET /v1/reviews/{id} · svc-restaurant, …:reviews"""
        return self._read(schemas.ReviewPayload, "get_review", _id(uuid))

    def reply_to_review(
        self, review: Id, *, content: str, language: str | None
    ) -> PartnerAnswer[schemas.ReplyAnswer]:
        """PUT /v1/reviews/{id}/reply · svc-restaurant, …:reviews"""
        body = bodies.reply(content=content, language=language)
        return self._read(schemas.ReplyAnswer, "reply_to_review", _id(review), body=body)

    # --- Phone ------------------------------------------------------------------------------

    def customer_by_phone(self, restaurant: Id, phone: str) -> PartnerAnswer[schemas.PhoneMatch]:
        """GET /v1/restaurants/{id}/customers/phone/{phoneNumber} · svc-restaurant, …:customers"""
        number = bodies.phone(phone)
        request = protocol.build("find_customer_by_phone", _id(restaurant), number)
        read = partial(phone_answer, number, request)
        return self._calls.call(request, read=read)

    def report_call(
        self,
        restaurant: Id,
        *,
        status: str,
        caller_id: str,
        at: datetime,
        is_valid_phone: bool = True,
        phone_number: str | None = None,
        call_id: UUID | None = None,
        send_all_events: bool | None = None,
    ) -> PartnerAnswer[schemas.CallAnswer]:
        """POST /v1/callCenter/callRecognitions · svc-restaurant, …:callCenter"""
        body = bodies.call(
            restaurant_uuid=_id(restaurant),
            status=status,
            caller_id=caller_id,
            is_valid_phone=is_valid_phone,
            at=at,
            phone_number=phone_number,
            call_id=call_id,
            send_all_events=send_all_events,
        )
        return self._read(schemas.CallAnswer, "report_call", body=body)

    def report_integration_status(
        self, restaurant: Id, *, status: str
    ) -> PartnerAnswer[schemas.MilestoneAnswer]:
        """PATCH /v1/integrationStatus · svc-restaurant, …:callCenter

        The last milestone gives the phone partner access to the whole group.
        """
        body = bodies.milestone(restaurant_uuid=_id(restaurant), status=status)
        return self._read(schemas.MilestoneAnswer, "report_integration_status", body=body)

    # --- Point of sale ----------------------------------------------------------------------

    def upload_logo(
        self, identity: PosIdentity, *, png: bytes
    ) -> PartnerAnswer[schemas.PosInstance]:
        """PUT {pos_base_url}/v1/{uuid}/logo · X-Api-Key"""
        request = protocol.build("upload_logo", _id(identity.uuid))
        clean = logos.check_logo(png)
        request = multipart.with_file(request, field="logo", file_name="logo.png", data=clean)
        decoded = self._calls.call_pos(request, identity=identity)
        return entity_answer(schemas.PosInstance, request, decoded)

    # --- For operators ----------------------------------------------------------------------

    def authorise(self) -> None:
        """Get a token, requesting one only if none is valid."""
        self._calls.authorise()

    def get(self, path: str) -> Decoded:
        """GET any path of the API, as `manage.py partner get` does."""
        return self._calls.call(protocol.build_get(path), read=lambda decoded: decoded)

    # --- Shared -----------------------------------------------------------------------------

    def _read(self, model: type[E], operation: str, *ids: Id, **parts: Any) -> PartnerAnswer[E]:
        request = protocol.build(operation, *ids, **parts)
        read = partial(entity_answer, model, request)
        return self._calls.call(request, read=read)

    def _read_list(
        self, model: type[E], operation: str, *ids: Id, **parts: Any
    ) -> PartnerAnswer[tuple[E, ...]]:
        request = protocol.build(operation, *ids, **parts)
        read = partial(list_answer, model, request)
        return self._calls.call(request, read=read)

    def _list(self, operation: str, query: dict[str, Any], *, limit: int) -> Iterator[UUID]:
        def fetch(number: int, size: int) -> Page:
            self.before_page()
            paged = query | {"limit": size, "page": number}
            read = read_first_page if number == 1 else read_page
            request = protocol.build(operation, query=paged)
            return self._calls.call(request, read=lambda decoded: read(decoded.payload))

        return walk(fetch, limit=limit)


def _nothing() -> None:
    """What a client does before a page by itself."""


def _id(value: Id) -> UUID:
    return bodies.uuid("uuid", value)


def _optional_id(value: Id | None) -> UUID | None:
    return None if value is None else _id(value)


def _narrowed(party_size: int | None, offer_uuid: Id | None) -> dict[str, Any]:
    return {
        "partySize": None if party_size is None else bodies.size(party_size),
        "offerUuid": _optional_id(offer_uuid),
    }
