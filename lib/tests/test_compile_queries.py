"""Queries that are compiled once and executed with other values each time."""

from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import Count

from lib.database.compiled_queries import COUNT, numbers, prepared, prepared_models

User = get_user_model()

NOON = datetime(2026, 1, 17, 12, tzinfo=UTC)

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return [
        User.objects.create_user(f"{name}@example.org", name=name) for name in ("Ann", "Ben", "Cy")
    ]


@prepared
def names_of(ids: list[int]):
    return User.objects.filter(pk__in=ids).order_by("name").values_list("name")


def test_it_works(people):
    ann, ben, cy = people

    assert names_of([ann.pk, cy.pk]) == [("Ann",), ("Cy",)]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite keeps no plans")
def test_postgresql_keeps_its_plan(people):
    for person in people:
        names_of([person.pk])
        list(User.objects.filter(pk=person.pk))  # of another statement each time: not worth it

    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%name%'")
        kept = [statement for (statement,) in cursor.fetchall() if "accounts_user" in statement]

    assert len(kept) == 1


def test_other_values_get_other_rows(people):
    ann, ben, cy = people
    names_of([ann.pk])

    assert names_of([ben.pk]) == [("Ben",)]


def test_another_number_of_values_is_another_question(people):
    ann, ben, cy = people
    names_of([ann.pk])

    assert names_of([ann.pk, ben.pk, cy.pk]) == [("Ann",), ("Ben",), ("Cy",)]


def test_nothing_is_found_among_none(people, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert names_of([]) == []


def test_what_was_changed_since_is_seen(people):
    names_of([people[0].pk])
    User.objects.filter(pk=people[0].pk).update(name="Anna")

    assert names_of([people[0].pk]) == [("Anna",)]


def test_values_of_every_kind_find_their_places(people, bob, quay):
    @prepared
    def joined(at: datetime, day: date, uuid, email: str, pk: int):
        found = User.objects.filter(email=email, date_joined__lt=at, is_active=True)
        within = found.filter(memberships__restaurant__uuid=uuid, date_joined__date__gt=day)
        return within.exclude(pk=pk).values_list("name", "date_joined")

    User.objects.filter(pk=bob.pk).update(date_joined=NOON)
    values = (NOON + timedelta(hours=1), date(2026, 1, 16), quay.uuid, bob.email, people[0].pk)

    assert joined(*values) == [(bob.name, NOON)]
    assert joined(NOON, *values[1:]) == []
    assert joined(values[0], date(2026, 1, 17), *values[2:]) == []
    assert joined(*values[:2], uuid4(), *values[3:]) == []
    assert joined(*values[:4], bob.pk) == []


def test_a_value_may_be_used_twice(people):
    @prepared
    def named(word: str):
        return User.objects.filter(name=word).exclude(email=word).values_list("pk")

    assert named("Ann") == [(people[0].pk,)]


def test_a_value_that_the_query_would_change_is_refused(people):
    @prepared
    def like(word: str):
        return User.objects.filter(name__startswith=word).values_list("pk")

    with pytest.raises(ValueError, match="as it was given"):
        like("An")


def test_words_that_never_change_are_written_out(people):
    """Else no plan that is kept could use an index of the rows that have them."""

    @prepared
    def named(pk: int):
        rows = User.objects.filter(pk__gte=pk, name__in=["Ann", "O'Neill", "%s"])
        return rows.exclude(email__contains="100%").order_by("name").values_list("name")

    written = named.written(0)
    assert written
    sql, values = written

    assert "'Ann'" in sql
    assert set(values) == {0, "O'Neill", "%s", r"%100\%%"}
    assert named(0) == [("Ann",)]


class TestNumbers:
    """Questions that find one number each."""

    @staticmethod
    def count(*names: str):
        return count_of.about(list(names))

    def test_it_works(self, people, django_assert_num_queries):
        counts = [self.count("Ann"), None, self.count("Ben", "Cy", "Dan"), self.count()]

        with django_assert_num_queries(1):
            assert numbers(counts) == [1, 0, 2, 0]

    def test_no_values_make_no_query(self, people, django_assert_num_queries):
        with django_assert_num_queries(0):
            assert numbers([None, self.count()]) == [0, 0]


@prepared
def count_of(names: list[str]):
    return User.objects.filter(name__in=names).order_by().values_list(COUNT)


class TestModels:
    """Questions after model instances."""

    def test_it_works(self, people):
        ann, ben, cy = people

        @prepared_models
        def of(ids: list[int]):
            return User.objects.filter(pk__in=ids).order_by("-name")

        assert of([ann.pk, cy.pk]) == [cy, ann]
        assert of([ben.pk, ann.pk])[0].email == ben.email
        assert of([]) == []

    def test_they_are_read_once_and_whole(self, people, bob, quay, django_assert_num_queries):
        @prepared_models
        def places(user_id: int):
            rows = apps.get_model("restaurants", "Membership").objects.filter(user=user_id)
            return rows.select_related("restaurant__group", "group").annotate(n=Count("user"))

        with django_assert_num_queries(1):
            (found,) = places(bob.pk)

            assert (found.restaurant, found.restaurant.group) == (quay, quay.group)
            assert found.group is None
            assert found.n == 1
            assert not found._state.adding

    def test_a_deferred_query_runs_when_its_value_is_read(self, people, django_assert_num_queries):
        @prepared_models
        def names(word: str):
            return User.objects.filter(name=word).only("name")

        names("Ben")
        (ann,) = names("Ann")

        assert ann.name == "Ann"
        with django_assert_num_queries(1):
            assert ann.email == "ann@example.org"

    def test_changes_are_saved_like_any_other(self, people):
        @prepared_models
        def names(word: str):
            return User.objects.filter(name=word)

        (ann,) = names("Ann")
        ann.name = "Anna"
        ann.save()

        assert [one.pk for one in names("Anna")] == [people[0].pk]
