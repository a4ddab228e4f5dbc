"""Request bodies, checked strictly before anything is sent.

Every function returns a closed body in the contract's spelling or raises `InvalidRequest` with
the field and a sentence for the person who filled in the form.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from typing import Any, Final, NoReturn
from uuid import UUID

from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lib.moments import parse_moment
from partner.errors import InvalidRequest
from partner.payloads.emails import sendable_email
from partner.wording import names, vocabulary

E164 = re.compile(r"\+[1-9]\d{1,14}")
LOCALE = re.compile(r"([a-z]{2,3})(?:_([A-Z]{2}))?")
LANGUAGE = re.compile(r"[a-z]{2,3}")
CLOCK_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
CUSTOMER_NOTE_CAP = 1000
# The same note has two caps in the contract: one at creation, another on update.
NEW_NOTE_CAP = 1000
NOTE_CAP = 3000
# Somewhere on earth a naive local time may be this much later in UTC.
WESTERNMOST = timedelta(hours=12)


class Unset(Enum):
    """Marks an absent field: absent, null and a text mean three different things in an update."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET


@dataclass(frozen=True, kw_only=True)
class NewCustomer:
    """Who a new booking is for. All but the telephone number is demanded by the contract."""

    email: str
    first_name: str
    last_name: str
    locale: str
    civility: str
    phone: str | None = None
    # True subscribes; False does nothing at all, so it is never sent.
    newsletter: bool = False

    def __repr__(self) -> str:
        return "<NewCustomer>"


def refuse(field: str, sentence: "str | Promise") -> NoReturn:
    raise InvalidRequest(field=field, sentence=sentence)


def new_reservation(
    *,
    meal_date: str | datetime,
    party_size: int,
    customer: NewCustomer,
    offer_uuid: UUID | None,
    customer_note: str | None,
    restaurant_note: str | None,
    now: datetime,
) -> dict[str, Any]:
    body: dict[str, Any] = {
        "mealDate": meal_time(meal_date),
        "partySize": size(party_size),
        "customer": new_customer(customer),
    }
    if is_past(body["mealDate"], now=now):
        refuse("meal_date", _("This time is in the past."))
    if offer_uuid is not None:
        body["offerUuid"] = str(uuid("offer_uuid", offer_uuid))
    if customer_note is not None:
        body["customerNote"] = note("customer_note", customer_note, cap=CUSTOMER_NOTE_CAP)
    if restaurant_note is not None:
        body["restaurantNote"] = note("restaurant_note", restaurant_note, cap=NEW_NOTE_CAP)
    return body


def new_customer(customer: NewCustomer) -> dict[str, Any]:
    body: dict[str, Any] = {
        "email": email(customer.email),
        "firstName": text("first_name", customer.first_name),
        "lastName": text("last_name", customer.last_name),
        "locale": locale(customer.locale),
        "civility": one_of("civility", customer.civility, vocabulary.CIVILITIES),
    }
    if customer.phone:
        body["phone"] = phone(customer.phone)
    if customer.newsletter:
        body["optins"] = {"restaurantNewsletter": True}
    return body


def reservation_update(
    *,
    meal_date: str | datetime | None | Unset,
    party_size: int | Unset,
    restaurant_note: str | None | Unset,
) -> dict[str, Any]:
    """Write an update: date and size wherever they are known.

    The contract's schema requires both, and its operation leaves unchanged what is not sent: a
    value that is not known is left out rather than made up. A booking without a date keeps none.
    """
    body: dict[str, Any] = {}
    if not isinstance(meal_date, Unset):
        body["mealDate"] = None if meal_date is None else meal_time(meal_date)
    if not isinstance(party_size, Unset):
        body["partySize"] = size(party_size)
    if restaurant_note is None:
        body["restaurantNote"] = None
    elif not isinstance(restaurant_note, Unset):
        body["restaurantNote"] = note("restaurant_note", restaurant_note, cap=NOTE_CAP)
    return body


def override(*, day: date, start_time: str, end_time: str | None, is_open: bool) -> dict[str, Any]:
    """Write a switch of online booking. `isOpen` is always sent: left out, it would close."""
    body: dict[str, Any] = {
        "date": plain_day("date", day).isoformat(),
        "startTime": clock_time("start_time", start_time),
        "isOpen": bool(is_open),
    }
    if end_time is not None:
        body["endTime"] = clock_time("end_time", end_time)
        if body["endTime"] < body["startTime"]:
            refuse("end_time", _("The last time is before the first."))
    return body


def reply(*, content: str, language: str | None) -> dict[str, Any]:
    if language is not None and not LANGUAGE.fullmatch(language):
        refuse("language", _("A language is two or three lower-case letters, such as fr."))
    return {"content": text("content", content), "language": language}


def call(
    *,
    restaurant_uuid: UUID,
    status: str,
    caller_id: str,
    is_valid_phone: bool,
    at: datetime,
    phone_number: str | None,
    call_id: UUID | None,
    send_all_events: bool | None,
) -> dict[str, Any]:
    body: dict[str, Any] = {
        "callCallerId": caller_id,
        "callCallerIdValidPhone": bool(is_valid_phone),
        "callCurrentStatus": one_of("status", status, vocabulary.CALL_STATUSES),
        "callDateMillis": str(int(at.timestamp() * 1000)),
        names.real("marketplaceID"): str(uuid("restaurant", restaurant_uuid)),
    }
    if phone_number:
        body["callPhoneNumber"] = phone(phone_number)
    if call_id is not None:
        body["callId"] = str(uuid("call_id", call_id))
    if send_all_events is not None:
        body["sendAllEvents"] = send_all_events
    return body


def milestone(*, restaurant_uuid: UUID, status: str) -> dict[str, Any]:
    word = one_of("status", status, frozenset(vocabulary.MILESTONES))
    return {"restaurantUuid": str(uuid("restaurant", restaurant_uuid)), "status": names.real(word)}


# --- One check each ----------------------------------------------------------------------------


def uuid(field: str, value: UUID | str) -> UUID:
    """Return an id that is one: nothing else may become part of a path."""
    try:
        return value if isinstance(value, UUID) else UUID(value)
    except (ValueError, AttributeError, TypeError):
        refuse(field, _("This is not an identifier."))


def meal_time(value: str | datetime) -> str:
    """Return a meal date as it is sent. A slot's text stays as it is, character for character."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            refuse("meal_date", _("This time lacks its time zone."))
        return value.isoformat()
    if not isinstance(value, str) or parse_moment(value) is None:
        refuse("meal_date", _("This is not a date and time."))
    return value


def is_past(meal_date: str, *, now: datetime) -> bool:
    """Say whether a meal date is over; one without offset only if it is over everywhere."""
    moment = parse_moment(meal_date)
    if moment is None:
        return False
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC) + WESTERNMOST
    return moment < now


def size(value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        refuse("party_size", _("A party is one person or more."))
    return value


def plain_day(field: str, value: date) -> date:
    if isinstance(value, datetime) or not isinstance(value, date):
        refuse(field, _("This is not a day."))
    return value


def day_range(start: date, end: date, *, is_end_exclusive: bool = False) -> dict[str, date]:
    """Return the two days of a query; reviews demand that the end is later than the start."""
    plain_day("start", start)
    plain_day("end", end)
    if end < start or (is_end_exclusive and end == start):
        refuse("end", _("The last day is before the first."))
    return {"startDate": start, "endDate": end}


def text(field: str, value: str) -> str:
    if not isinstance(value, str) or not value.strip():
        refuse(field, _("This may not be empty."))
    return value


def note(field: str, value: str, *, cap: int) -> str:
    if len(value) > cap:
        refuse(field, _("This note is too long: %(cap)s characters at most.") % {"cap": cap})
    return value


def email(value: str) -> str:
    try:
        return sendable_email(value)
    except ValidationError as error:
        refuse("email", error.message)


def phone(value: str) -> str:
    if not E164.fullmatch(value) or not value.isascii():
        refuse("phone", _("A telephone number is written like +33199001234."))
    return value


def locale(value: str) -> str:
    if not LOCALE.fullmatch(value):
        refuse("locale", _("A language is written like fr or fr_FR."))
    return value


def clock_time(field: str, value: str) -> str:
    if not CLOCK_TIME.fullmatch(value):
        refuse(field, _("A time is written like 19:30."))
    return value


def one_of(field: str, value: str, words: frozenset[str]) -> str:
    if value not in words:
        refuse(field, _("This is not one of the choices."))
    return value
