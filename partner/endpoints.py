"""The contract's table of contents: every endpoint, its verb, its path and who may call it.

Pure data, in the contract's order. Scopes are written with the contract's neutral words;
`partner/wording/names.py` knows the real ones.
"""

from typing import NamedTuple

FULL = "svc-restaurant"
AVAILABILITIES = "svc-restaurant:availabilities"
OVERRIDE = "svc-restaurant:override-availabilities"
RESERVATIONS = "svc-restaurant:reservations"
UNRESTRICTED = "svc-restaurant:unrestricted-reservations"
OFFERS = "svc-restaurant:offers"
CUSTOMERS = "svc-restaurant:customers"
REVIEWS = "svc-restaurant:reviews"
CALL_CENTER = "svc-restaurant:callCenter"


class Endpoint(NamedTuple):
    method: str
    path: str
    scopes: tuple[str, ...] = ()
    # The contract does not show its answer, and what it did cannot be read at once: 204, which has
    # none, is a success as well.
    may_be_empty: bool = False


_AVAILABLE = (FULL, AVAILABILITIES)
_BOOKING = (FULL, RESERVATIONS, UNRESTRICTED)
_GUESTS = (FULL, CUSTOMERS)
_REVIEWS = (FULL, REVIEWS)
_CALLS = (FULL, CALL_CENTER)

ENDPOINTS: dict[str, Endpoint] = {
    # Booking flow
    "list_availabilities": Endpoint("GET", "/v1/restaurants/{}/availabilities", _AVAILABLE),
    "list_timeslots": Endpoint("GET", "/v1/restaurants/{}/timeslots", _AVAILABLE),
    "list_party_sizes": Endpoint("GET", "/v1/restaurants/{}/partySizes", _AVAILABLE),
    "list_offers": Endpoint("GET", "/v1/restaurants/{}/offers", (FULL, OFFERS)),
    # Full access is not accepted here, by the contract.
    "override_availability": Endpoint(
        "PUT", "/v1/restaurants/{}/availabilities/override", (OVERRIDE,), may_be_empty=True
    ),
    "create_reservation": Endpoint("POST", "/v1/restaurants/{}/reservations", _BOOKING),
    "update_reservation": Endpoint("PATCH", "/v1/reservations/{}", _BOOKING),
    "cancel_reservation": Endpoint("PATCH", "/v1/reservations/{}/cancel", _BOOKING),
    # Data
    "list_reservations": Endpoint("GET", "/v1/reservations", _BOOKING),
    "get_reservation": Endpoint("GET", "/v1/reservations/{}", _BOOKING),
    "list_customers": Endpoint("GET", "/v1/customers", _GUESTS),
    "get_customer": Endpoint("GET", "/v1/customers/{}", _GUESTS),
    # Review flow
    "list_reviews": Endpoint("GET", "/v1/reviews", _REVIEWS),
    "get_review": Endpoint("GET", "/v1/reviews/{}", _REVIEWS),
    "reply_to_review": Endpoint("PUT", "/v1/reviews/{}/reply", _REVIEWS, may_be_empty=True),
    # Phone
    "find_customer_by_phone": Endpoint("GET", "/v1/restaurants/{}/customers/phone/{}", _GUESTS),
    "report_call": Endpoint("POST", "/v1/callCenter/callRecognitions", _CALLS, may_be_empty=True),
    "report_integration_status": Endpoint(
        "PATCH", "/v1/integrationStatus", _CALLS, may_be_empty=True
    ),
    # Point of sale, on its own host
    "upload_logo": Endpoint("PUT", "/v1/{}/logo"),
}
