"""The steps of a new booking, as tests take them."""

from uuid import UUID, uuid4

from restaurants.testing import sign_in

TIME = "2026-01-17T20:00:00+01:00"
MENU = UUID("5b0e0a52-0f3c-4b0e-9a5d-6f0d3a1c7e11")
GUEST = {
    "email": "jo@example.com",
    "first_name": "Jo",
    "last_name": "Martin",
    "phone": "01 99 00 12 34",
    "locale": "fr_FR",
    "civility": "mx",
}
SENT = GUEST | {"phone": "+33199001234"}


def slot(text, **changes):
    known = {"datetime": text, "offers": None, "hasNormalStock": True}
    rules = {"hasPaymentGuaranteeRequirement": False, "guaranteeRequirementList": []}
    return known | rules | changes


def address(quay, **state):
    known = {"scope": quay.uuid, "day": "2026-01-17", "size": 4, "slot": TIME.replace("+", "%2B")}
    return "/reservations/new/?" + "&".join(f"{k}={v}" for k, v in (known | state).items() if v)


def look(user, quay, **state):
    return sign_in(user).get(address(quay, **state))


def send(user, quay, *, state=None, **fields):
    known = {"step": "confirm", "key": uuid4()} | GUEST
    data = {name: value for name, value in (known | fields).items() if value is not None}
    return sign_in(user).post(address(quay, **state or {}), data)


def text_of(response):
    return response.content.decode()
