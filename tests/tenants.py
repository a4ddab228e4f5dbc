"""Two tenants in one installation, and marks that show a word of one on a page of the other.

Harbour Group, behind its own connection:  Dora (owner), Alice (manager), Bob (staff)
Hill Group, behind another one:            Olga (owner), Charlie (manager), Stan (staff)
"""

import re
from dataclasses import replace
from typing import Any
from uuid import uuid4

from auditlog.models import LogEntry
from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.db import models

from accounts.models import User
from mirror.models import Alert
from partner import testing as partner
from partner.models import Connection
from restaurants.models import Group, Membership, Restaurant
from restaurants.testing import Cast, make_member, make_restaurant, make_user
from tests.form_states import connect

MARK = "Xbravox"  # of people, guests and what is written about them
PLACE_MARK = "Xplacex"  # of groups and restaurants, which whoever runs the server may know
PART_OF_MARKS = "bravo"  # finds them in a search whose page repeats the words of the search

# Columns with a word of the program, a key or a secret: another word breaks the page or the row.
CODES = re.compile(
    r"action|algorithm|.*audience|auth|base_url|by|cause|channel|civility|client_id|client_secret"
    r"|colour|cut|.*country|.*currency|.*_url|.*digest|entity_type|event_type|field|finding|.*hash"
    r"|host_app_url|identity|.*kind|.*language|locale|meal_date_text|.*object_id|.*object_pk|offer_type"
    r"|offer_menu_type|p256dh|password|problem|query|raw|.*rank|reason|.*_status|restaurant|seal|secret"
    r"|service|session_data|session_key|source|source_id|span|status|timezone|token|user_agent|what"
    r"|webhook_token|why|.*_reason|answer"
)
# Rows that name a place, and no guest.
OF_PLACES: tuple[type[models.Model], ...] = (Group, Restaurant, Alert, Connection)


def two_tenants(cast: Cast) -> dict[str, Cast]:
    """Each tenant as a cast whose Harbour Group is the tenant's own."""
    connect()
    end_role_without_trace(cast.dora.memberships.filter(group=cast.hill))
    second = partner.connection(name="Second account", client_id="client-two")
    Group.objects.filter(pk=cast.hill.pk).update(connection=second)
    Group.objects.filter(pk=cast.harbour.pk).update(connection=first_connection())
    olga = make_user("olga@example.org", is_owner=True)
    olga.owned_connections.set([second])
    make_member(olga, cast.hill, "admin")
    stan = make_user("stan@example.org")
    make_member(stan, cast.cellar)
    attic = make_restaurant(cast.hill, "Attic")
    other = replace(
        cast,
        harbour=cast.hill,
        quay=cast.cellar,
        loft=attic,
        hill=cast.harbour,
        cellar=cast.quay,
        alice=cast.charlie,
        bob=stan,
        charlie=cast.alice,
        dora=olga,
    )
    return {"harbour": cast, "hill": other}


def end_role_without_trace(roles: models.QuerySet[Membership]) -> None:
    """As if there had never been one: the audit trail of its group would name the person."""
    keys = list(roles.values_list("pk", flat=True))
    roles.delete()
    entries: Any = LogEntry.objects.filter(object_id__in=keys)
    entries.filter(content_type=ContentType.objects.get_for_model(Membership)).delete()


def first_connection() -> Connection:
    return Connection.objects.earliest("pk")


def keys_of_rows() -> dict[type[models.Model], set[Any]]:
    return {model: set(model._default_manager.values_list("pk", flat=True)) for model in tables()}


def tables() -> list[type[models.Model]]:
    ours = {"sessions", "auth", "contenttypes", "admin", "auditlog"}
    return [model for model in apps.get_models() if model._meta.app_label not in ours]


def mark_rows(cast: Cast, before: dict[type[models.Model], set[Any]]) -> None:
    """Put a mark before every text of the tenant: of its people, places and all rows made since."""
    own = {
        User: {cast.alice.pk, cast.bob.pk, cast.dora.pk},
        Group: {cast.harbour.pk},
        Restaurant: {cast.quay.pk, cast.loft.pk},
    }
    for model in tables():
        rows = model._default_manager.exclude(pk__in=before[model])
        for row in [*rows, *model._default_manager.filter(pk__in=own.get(model, ()))]:
            mark_row(row)


def mark_row(row: models.Model) -> None:
    mark = PLACE_MARK if isinstance(row, OF_PLACES) else MARK
    marked = {
        field.name: f"{mark}{getattr(row, field.name)}"[: field.max_length]
        for field in row._meta.concrete_fields
        if isinstance(field, models.CharField | models.TextField)
        and not (field.choices or field.primary_key or CODES.fullmatch(field.name))
        and (field.max_length or 99) > len(mark)
    }
    if marked:
        type(row)._default_manager.filter(pk=row.pk).update(**marked)


def nowhere(value: Any) -> Any:
    """A value like this one that nothing has."""
    if isinstance(value, int):
        return 2_000_000_000
    return uuid4() if not isinstance(value, str) or len(value) == 36 else value
