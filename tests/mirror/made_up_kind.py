"""A kind of record for tests: guests whose payload is one name."""

from uuid import uuid4

from customers.models import Customer
from mirror import kinds
from mirror.kinds import EntityLocation, EntityRef

FRIEND = uuid4()


def build(answer, location, existing):
    if answer.payload.get("group") == "unknown":
        raise kinds.Unplaceable("This guest belongs to no group that is set up here.")
    group = existing.group if existing else answer.group
    customer = Customer(group=group, first_name=answer.payload["firstName"])
    customer.derive()
    return customer


def related(row):
    if row.first_name == "Host":
        yield EntityRef("customer", FRIEND, EntityLocation())
