"""Which endpoint lives under which prefix."""

from partner_sandbox.endpoints import (
    availabilities,
    bookings,
    customers,
    phone,
    pos,
    reservations,
    reviews,
)
from partner_sandbox.endpoints import token as token_host
from partner_sandbox.http.router import Router

API = [
    *reservations.ENDPOINTS,
    *bookings.ENDPOINTS,
    *customers.ENDPOINTS,
    *reviews.ENDPOINTS,
    *availabilities.ENDPOINTS,
    *phone.ENDPOINTS,
]
HOSTS = {"auth": token_host.ENDPOINTS, "api": API, "pos": pos.ENDPOINTS}


def router() -> Router:
    return Router(HOSTS)
