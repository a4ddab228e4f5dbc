"""Every address of one tenant × everything of the other, named in a form or in a query string.

The fields are those of all forms and of every word that a view reads by itself: one that is added
later is filled too. What can name something names something of the other tenant.
"""

import re
import time
from datetime import timedelta
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode

import pytest
import time_machine
from django import forms
from django.conf import settings
from django.db import transaction
from django.test import Client

from accounts.models import User
from mirror.models import SyncRequest
from partner.models import Connection
from reservations.models import Reservation
from reservations.testing import DINNER
from restaurants.testing import Cast, make_user, sign_in
from tests import tenants
from tests.addresses import Address, all_addresses
from tests.form_states import in_use
from tests.test_every_url import close, path_of
from tests.test_keep_groups_apart import NOT_READ, tell_of_harbour
from tests.url_examples import OF_NO_GROUP, PUBLIC

READ_BY_A_VIEW = re.compile(r'(?:GET|POST|address)\.(?:get|getlist)\("(\w+)"|"(\w+)" in request\.')
LEFT_OUT = {*NOT_READ, *OF_NO_GROUP, *PUBLIC, "account_logout"}
ADDRESSES = [one for one in all_addresses() if one.is_ours and one.name not in LEFT_OUT]
OF_MANAGERS = {"reservations", "customers", "reviews", "phone", "insights", "calendar", "live"}
READERS = {"views.py", "requests.py", "shell.py", "pages.py"}
TYPED: dict[type[forms.Field], str] = {
    forms.DateField: "2026-01-17",
    forms.TimeField: "19:00",
    forms.EmailField: "jo@example.org",
    forms.BooleanField: "on",
    forms.CharField: "Words",
}
Rows = dict[Any, dict[Any, dict[str, Any]]]


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture
def sides(cast) -> tuple[Cast, Cast, Rows]:
    """The own tenant; the other one, which has everything; and the rows of that."""
    both = tenants.two_tenants(cast)
    own, other = both["hill"], both["harbour"]
    before = tenants.keys_of_rows()
    objects = in_use(other)
    booking = Reservation.objects.get(pk=objects["reservations:show.uuid"][0])
    tell_of_harbour(other, make_user("pat@example.org"), booking)
    tenants.mark_rows(other, before)
    kept = {model: tenants.keys_of_rows()[model] - before[model] for model in tenants.tables()}
    kept[Connection] = {other.harbour.connection_id}
    kept[User] |= {other.alice.pk, other.bob.pk, other.dora.pk}
    return own, other, stored({model: keys for model, keys in kept.items() if keys})


def stored(kept: dict[Any, Any]) -> Rows:
    return {
        model: {
            row.pop("pk"): row
            for row in model._base_manager.filter(pk__in=keys).values("pk", *names)
        }
        for model, keys in kept.items()
        if (names := [field.attname for field in model._meta.concrete_fields])
    }


def test_nothing_of_the_other_is_shown_or_changed(sides):
    own, other, rows = sides
    wrong: dict[str, Any] = {}
    for reader, person in (("owner", own.dora), ("manager", own.alice)):
        client = client_of(person)
        for address in ADDRESSES:
            if reader == "owner" or address.app in OF_MANAGERS:
                wrong |= attempts(client, address, own, other, rows)

    assert wrong == {}


def attempts(
    client: Client, address: Address, own: Cast, other: Cast, rows: Rows
) -> dict[str, Any]:
    """Each way to name the other's at one address; what it shows and changes is undone."""
    found: dict[str, Any] = {}
    with transaction.atomic():
        path = path_of(address, own)
        for kind, fields in fields_of(other).items():
            with_query = f"{path}?{urlencode(fields)}"
            answers = [client.get(with_query)] if kind == "groups" else []
            for answer in [*answers, client.post(with_query, fields)]:
                body = body_of(answer)
                is_shown = tenants.MARK in body or tenants.PLACE_MARK in body
                if is_shown or answer.status_code == 500:
                    found[f"{address.name} ({kind})"] = answer.status_code
        if changed := differences(rows):
            found[f"{address.name} changes"] = changed
        transaction.set_rollback(True)
    return found


def differences(rows: Rows) -> list[str]:
    now = stored({model: list(held) for model, held in rows.items()})
    return [model.__name__ for model, held in rows.items() if now[model] != held]


def body_of(answer: Any) -> str:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if answer.streaming:
        close(answer)
    return str(body.decode(errors="replace")) + str(dict(answer.headers))


def client_of(person: User) -> Client:
    """A browser in which the person has just typed the password."""
    client = sign_in(person)
    client.raise_request_exception = False
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session.save()
    return client


def fields_of(other: Cast) -> dict[str, dict[str, Any]]:
    """All fields, twice: by uuids, and by the keys that choices of rows have."""
    guest = other.harbour.customers.latest("first_seen_at").pk
    booking = Reservation.objects.filter(restaurant=other.quay).latest("first_seen_at")
    parked = SyncRequest.objects.filter(state="parked").latest("pk").pk
    uuids = {"guest": guest, "customer": guest, "other": guest, "uuid": booking.pk}
    uuids["key"] = uuids["correct"] = booking.uuid
    numbers = {
        "restaurants": other.quay.pk,
        "group": other.harbour.pk,
        "to": other.bob.pk,
        "person": other.bob.pk,
        "connection": other.harbour.connection_id,
        "row": parked,
        "question": 1,
    }
    return {
        "groups": filled(str(other.harbour.uuid)) | text_of(uuids),
        "restaurants": filled(str(other.quay.uuid)) | text_of(uuids | numbers),
    }


def text_of(values: dict[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}


def filled(named: str) -> dict[str, str]:
    """A value for every field there is, of the first form that has it."""
    found = dict.fromkeys(words_read_by_views(), named)
    for form in forms_below(forms.BaseForm):
        for name, field in getattr(form, "base_fields", {}).items():
            found.setdefault(name, value_for(field, named))
    return found


def value_for(field: forms.Field, named: str) -> str:
    if isinstance(field, forms.ChoiceField) and not isinstance(field, forms.ModelChoiceField):
        choices = [value for value, _label in list(cast(Any, field.choices)) if value]
        return str(choices[0]) if choices else named
    return next((word for kind, word in TYPED.items() if type(field) is kind), named)


def words_read_by_views() -> set[str]:
    sources = [path for path in Path(settings.BASE_DIR).glob("*/**/*.py") if is_ours(path)]
    found = (READ_BY_A_VIEW.findall(path.read_text()) for path in sources)
    return {name for pairs in found for pair in pairs for name in pair if name}


def is_ours(path: Path) -> bool:
    is_hidden = path.relative_to(settings.BASE_DIR).parts[0].startswith(".")
    return path.name in READERS and not is_hidden


def forms_below(kind: type[Any]) -> list[type[Any]]:
    below = [one for one in kind.__subclasses__() if not one.__module__.startswith("django.")]
    return [form for one in kind.__subclasses__() for form in forms_below(one)] + below


def test_the_fields_are_those_of_the_program():
    fields = filled("named")

    assert {"scope", "restaurants", "guest", "other", "to", "row", "place"} <= fields.keys()
