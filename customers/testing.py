"""Guests for tests: rows as the mirror would have written them."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from accounts.models import User
from customers.models import Customer
from customers.saved_views import pages as saved
from restaurants.models import Group, SavedView

LONG_AGO = datetime(2026, 1, 1, 12, tzinfo=UTC)


def new_customer(group: Group, **fields: Any) -> Customer:
    """An unsaved guest with every bookkeeping column filled."""
    known = {"uuid": uuid4(), "raw": "{}", "first_name": "Maria", "last_name": "Rossi"}
    seen = dict.fromkeys(("read_at", "first_seen_at", "changed_at"), LONG_AGO)
    customer = Customer(group=group, **{**seen, **known, **fields})
    customer.derive()
    return customer


def make_customer(group: Group, **fields: Any) -> Customer:
    customer = new_customer(group, **fields)
    customer.save(force_insert=True)
    return customer


def make_saved_view(owner: User, group: Group | None = None, **fields: Any) -> SavedView:
    """A view of one's own, or shared with a group."""
    known = {"uuid": uuid4(), "name": f"View {uuid4().hex[:6]}", "query": "show=vip"}
    return SavedView.objects.create(
        owner=owner, page=saved.PAGE, group=group, **{**known, **fields}
    )
