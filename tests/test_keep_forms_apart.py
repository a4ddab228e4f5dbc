"""Every form of one tenant, with what it names replaced by what the other tenant has.

The forms are those that pages show, filled in as a browser sends them. A field, or a word of the
address, that holds a key of an own row gets the key of such a row of the other. The answer must not
show a word of the other, and afterwards no row of the other, and none that refers to it, has
changed or come. Nothing here names a form: one that is added later is tried too.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from copy import deepcopy
from datetime import timedelta
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

import pytest
import time_machine
from django.db import connection, models, transaction
from django.db.models import Q, Value
from django.db.models.functions import Concat

from accounts.models import User
from lib.processes import short_cache
from mirror.models import Drift, Heartbeat
from partner.models import Connection
from reservations.testing import DINNER
from restaurants import directory
from restaurants.models import Group, Restaurant
from restaurants.testing import Cast
from tests import tenants
from tests.form_states import Objects, in_use
from tests.form_walk import Walk, as_a_test_does, body_of, forget_templates, mark_templates
from tests.page_forms import Submission
from tests.test_every_form import EVERYWHERE, browser_of

WRITES = re.compile(r'^(?:INSERT(?: OR IGNORE)? INTO|UPDATE|DELETE FROM) "(\w+)"')
Model = type[models.Model]
# Its numbers are outside what a transaction undoes.
pytestmark = [pytest.mark.once, pytest.mark.slow]

Keys = dict[Model, set[Any]]
Swaps = dict[str, set[str]]
MARKS = (tenants.MARK, tenants.PLACE_MARK)


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture(autouse=True)
def _marked_templates():
    with pytest.MonkeyPatch.context() as patch:
        mark_templates(patch)
        yield
    forget_templates()


class Other:
    """The tenant whose rows nobody else may name."""

    def __init__(self, keys: Keys) -> None:
        self.keys = keys
        self.uuids = {uuid for found in uuids_of(keys).values() for uuid in found}
        self.before = {model: self.rows(model) for model in tenants.tables()}

    def rows(self, model: Model) -> dict[Any, Any]:
        """Those of it, and those that refer to it."""
        named = Q(pk__in=self.keys.get(model, ()))
        for field in model._meta.concrete_fields:
            if isinstance(field, models.ForeignKey) and field.related_model in self.keys:
                named |= Q(**{f"{field.name}__in": self.keys[field.related_model]})
            elif isinstance(field, models.UUIDField):
                named |= Q(**{f"{field.name}__in": self.uuids})
        return {
            row["pk"]: row
            for row in model._base_manager.filter(named).values(
                "pk", *(f.attname for f in model._meta.concrete_fields)
            )
        }

    def changes(self, tables: Iterable[str]) -> list[str]:
        touched = [model for model in tenants.tables() if model._meta.db_table in tables]
        return [model.__name__ for model in touched if self.rows(model) != self.before[model]]


def uuids_of(keys: Keys) -> dict[tuple[Model, str], list[UUID]]:
    """By table and column."""
    found = {}
    for model, pks in keys.items():
        for field in model._meta.concrete_fields:
            if isinstance(field, models.UUIDField):
                rows = model._base_manager.filter(pk__in=pks).order_by("pk")
                found[model, field.name] = [
                    one for one in rows.values_list(field.name, flat=True) if one
                ]
    return found


class Side(NamedTuple):
    """One tenant: its people and places, what pages can be opened about, and all its rows."""

    cast: Cast
    objects: Objects
    keys: Keys


@pytest.fixture
def sides(cast) -> tuple[Side, Other]:
    both = tenants.two_tenants(cast)
    number_tables_apart()
    own = side_of(both["hill"])
    # The people of the other are called the same.
    people = User.objects.filter(pk__in=own.keys[User])
    people.exclude(pk=own.cast.dora.pk).update(email=Concat(Value("own-"), "email"))
    other = side_of(both["harbour"])
    tenants.mark_rows(other.cast, not_of(other.keys))
    return own, Other(other.keys)


def number_tables_apart() -> None:
    """From now on a number is the key of rows of one table only, and nothing else."""
    keys = [model._meta.pk for model in tenants.tables()]
    numbered = [key for key in keys if isinstance(key, models.AutoField)]
    with connection.cursor() as cursor:
        for table, key in enumerate(numbered, 1):
            name, last = key.model._meta.db_table, table * 10_000
            if connection.vendor == "postgresql":
                cursor.execute(
                    "SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [name, key.column, last]
                )
            else:
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [name])
                cursor.execute("INSERT INTO sqlite_sequence VALUES (%s, %s)", [name, last])


def side_of(cast: Cast) -> Side:
    before = tenants.keys_of_rows()
    objects = in_use(cast)
    keys = {model: pks - before[model] for model, pks in tenants.keys_of_rows().items()}
    keys[Group] |= {cast.harbour.pk}
    keys[Restaurant] |= {cast.quay.pk, cast.loft.pk}
    keys[Connection] |= {Group.objects.get(pk=cast.harbour.pk).connection_id}
    keys[User] |= {cast.alice.pk, cast.bob.pk, cast.dora.pk}
    for shared in (Drift, Heartbeat):
        keys.pop(shared)
    return Side(cast, objects, {model: pks for model, pks in keys.items() if pks})


def not_of(keys: Keys) -> Keys:
    return {model: pks - keys.get(model, set()) for model, pks in tenants.keys_of_rows().items()}


class Intruder(Walk):
    """Sends each form as it is, and once for each key in it with that of the other in its place."""

    def __init__(self, own: Side, other: Other) -> None:
        client = browser_of(own.cast.dora)
        super().__init__(client, own.cast, own.objects, who="an owner", views=EVERYWHERE)
        self.swaps, self.other = swaps_of(own.keys, other.keys), other
        self.tried: set[tuple[str, str]] = set()
        self.wrong: dict[tuple[str, str], list[Any]] = {}

    def send(self, submission: Submission, here: str, *, depth: int, follow: bool = True) -> None:
        for name, swapped in named_otherwise(submission, self.swaps):
            self.tried.add((submission.source, name))
            if found := self.attempt(swapped):
                self.wrong[submission.source, name] = found
        super().send(submission, here, depth=depth, follow=follow)

    def attempt(self, form: Submission) -> list[Any]:
        """What is wrong with the answer, and what it changed; then all is undone."""
        cookies = deepcopy(self.client.cookies)
        tables: set[str] = set()

        def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            if write := WRITES.match(sql):
                tables.add(write[1])
            return execute(sql, params, many, context)

        with as_a_test_does(), connection.execute_wrapper(note):
            answer = self.answer_to(form, follow=True)
            found: list[Any] = [mark for mark in MARKS if mark in body_of(answer)]
            found += [500] if answer.status_code == 500 else []
            found += self.other.changes(tables)
            transaction.set_rollback(True)
        self.client.cookies = cookies
        directory.clear()
        for cache in short_cache.every:
            cache.clear()
        return found


def test_no_form_takes_what_the_other_has(sides):
    own, other = sides
    walk = Intruder(own, other)
    walk.over_all()

    assert walk.wrong == {}
    assert len(walk.tried) > 20


def swaps_of(own: Keys, other: Keys) -> Swaps:
    """By the key of an own row: keys of such rows of the other."""
    found: dict[str, set[str]] = defaultdict(set)
    theirs = uuids_of(other)
    for column, uuids in uuids_of(own).items():
        for uuid in uuids:
            found[str(uuid)] |= {str(one) for one in theirs.get(column, [])[:1]}
    for model, pks in own.items():
        if isinstance(model._meta.pk, models.AutoField) and model in other:
            for pk in pks:
                found[str(pk)].add(str(min(other[model])))
    return found


def named_otherwise(form: Submission, swaps: Swaps) -> Iterator[tuple[str, Submission]]:
    """The form with one of its keys, chosen or offered, or one of its address exchanged."""
    for name, value in dict.fromkeys((*form.data, *form.choices)):
        for swapped in swaps.get(value, ()):
            others = [pair for pair in form.data if pair[0] != name]
            yield name, form._replace(data=[*others, (name, swapped)])
    path, _mark, query = form.path.partition("?")
    words = dict(parse_qsl(query))
    for name, value in words.items():
        for swapped in swaps.get(value, ()):
            changed = urlencode(words | {name: swapped})
            yield f"?{name}", form._replace(path=f"{path}?{changed}")
