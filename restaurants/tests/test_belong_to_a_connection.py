"""Groups, owners and the point-of-sale identity belong to a connection."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import transaction
from django.db.models import ProtectedError

from accounts.models import User
from partner import testing
from partner.models import Connection, PosIdentity
from restaurants.models import Group
from restaurants.testing import make_group, make_user

pytestmark = pytest.mark.django_db


def second(**changes) -> Connection:
    return testing.connection(**{"name": "Second"} | changes)


class TestWhileThereIsOne:
    def test_the_first_connection_takes_what_was_there_before(self, cast):
        identity = testing.pos_identity()
        connection = testing.connection()

        identity.refresh_from_db()
        assert set(connection.groups.all()) == {cast.harbour, cast.hill}
        assert set(connection.owners.all()) == {cast.dora}
        assert identity.connection == connection

    def test_what_is_added_belongs_to_it(self):
        connection = testing.connection()

        assert make_group().connection == connection
        assert testing.pos_identity().connection == connection
        olga = make_user("olga@example.org", is_owner=True)
        assert list(connection.owners.all()) == [olga]

    def test_a_person_becomes_and_ceases_to_be_an_owner_of_it(self, bob, dora):
        connection = testing.connection()

        bob.make_owner()
        assert set(connection.owners.all()) == {bob, dora}

        bob.end_ownership()
        assert set(connection.owners.all()) == {dora}


class TestFromTheSecondOn:
    def test_it_takes_nothing_of_the_first(self, cast):
        first, other = testing.connection(), second()

        assert set(first.groups.all()) == {cast.harbour, cast.hill}
        assert not other.groups.exists()
        assert not other.owners.exists()

    def test_both_can_be_in_use(self):
        first, other = testing.connection(), second()
        second(name="Resting", state=Connection.State.PAUSED)

        assert list(Connection.objects.active()) == [first, other]

    def test_nothing_is_given_to_one_of_them_by_guess(self):
        testing.connection(), second()

        assert make_group().connection is None
        assert not make_user("olga@example.org", is_owner=True).owned_connections.exists()

    def test_a_connection_with_groups_is_not_deleted(self, cast):
        connection = testing.connection()

        with pytest.raises(ProtectedError), transaction.atomic():
            connection.delete()
        assert Group.objects.count() == 2


class TestUpgrade:
    """Every row of an installation with one connection is kept, and belongs to it."""

    def test_the_connection_in_use_is_given_everything(self, cast):
        resting = testing.connection(state=Connection.State.PAUSED)
        connection = second()
        testing.pos_identity()
        forget_belonging()

        migrate("restaurants", "0013_connection", "give_to_the_connection")
        migrate("partner", "0006_identity_of_a_connection", "give_to_the_connection")
        migrate("accounts", "0012_owned_connections", "own_the_connection")

        assert set(connection.groups.all()) == {cast.harbour, cast.hill}
        assert PosIdentity.objects.get().connection == connection
        assert set(connection.owners.all()) == {cast.dora}
        assert not resting.groups.exists()

    def test_an_installation_without_a_connection_has_nothing_to_give(self, cast):
        migrate("restaurants", "0013_connection", "give_to_the_connection")
        migrate("partner", "0006_identity_of_a_connection", "give_to_the_connection")
        migrate("accounts", "0012_owned_connections", "own_the_connection")

        assert Group.objects.filter(connection=None).count() == 2


def forget_belonging() -> None:
    Group.objects.update(connection=None)
    PosIdentity.objects.update(connection=None)
    for user in User.objects.all():
        user.owned_connections.clear()


def migrate(app: str, name: str, function: str) -> None:
    getattr(import_module(f"{app}.migrations.{name}"), function)(apps, None)
