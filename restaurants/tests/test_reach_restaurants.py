"""Who sees which restaurant, and with which right."""

import pytest
from django.contrib.auth.models import Group as AuthGroup
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.test import RequestFactory

from accounts.rights import (
    ALL_RIGHTS,
    INSTANCE,
    RIGHTS_OF_ROLES,
    SUPERUSERS_TOO,
    Role,
    write_roles,
)
from restaurants.access import can, require
from restaurants.models import Group, Restaurant
from restaurants.testing import make_member, make_root, make_user

EXPORT = "insights.export_data"
BROWSE = "reservations.view_reservation"


class TestVisibleTo:
    def test_it_works(self, cast):
        assert set(Restaurant.objects.visible_to(cast.alice)) == {cast.quay, cast.loft}

    def test_it_keeps_staff_to_their_restaurant(self, cast):
        assert list(Restaurant.objects.visible_to(cast.bob)) == [cast.quay]

    def test_it_hides_other_groups(self, cast):
        assert list(Restaurant.objects.visible_to(cast.charlie)) == [cast.cellar]
        assert list(Group.objects.visible_to(cast.charlie)) == [cast.hill]

    def test_it_shows_the_group_of_a_single_restaurant(self, cast):
        assert list(Group.objects.visible_to(cast.bob)) == [cast.harbour]

    def test_it_asks_for_the_right_at_that_restaurant(self, cast):
        make_member(cast.bob, cast.loft, Role.MANAGER)

        assert list(Restaurant.objects.visible_to(cast.bob, EXPORT)) == [cast.loft]

    def test_it_finds_the_group_where_the_right_is_held(self, cast):
        assert list(Group.objects.visible_to(cast.bob, EXPORT)) == []
        assert list(Group.objects.visible_to(cast.alice, EXPORT)) == [cast.harbour]

    def test_it_shows_nothing_to_a_superuser_without_a_role(self, cast):
        root = make_user("root@example.org", is_superuser=True)

        assert not Restaurant.objects.visible_to(root).exists()
        assert not Group.objects.visible_to(root).exists()

    def test_it_is_one_query(self, cast, django_assert_num_queries):
        with django_assert_num_queries(1):
            list(Restaurant.objects.visible_to(cast.alice, BROWSE))

    def test_it_refuses_on_a_shared_device_what_never_leaves_it(self, cast):
        cast.alice.is_on_shared_device = True

        assert not Restaurant.objects.visible_to(cast.alice, EXPORT).exists()
        assert Restaurant.objects.visible_to(cast.alice, BROWSE).exists()


class TestCan:
    def test_it_works(self, cast):
        assert can(cast.alice, EXPORT)
        assert not can(cast.bob, EXPORT)

    def test_it_is_what_has_perm_says(self, cast):
        assert cast.bob.has_perm(BROWSE)
        assert not cast.bob.has_perm("partner.change_connection")
        assert cast.dora.has_perm("partner.change_connection")

    def test_it_looks_at_the_place(self, cast):
        assert can(cast.alice, EXPORT, cast.quay)
        assert not can(cast.alice, EXPORT, cast.cellar)
        assert can(cast.bob, BROWSE, cast.quay)
        assert not can(cast.bob, BROWSE, cast.loft)

    def test_it_looks_within_the_group(self, cast):
        assert can(cast.bob, "customers.view_customer", group=cast.harbour)
        assert not can(cast.bob, "customers.view_customer", group=cast.hill)

    def test_it_gives_nothing_to_the_deactivated(self, cast):
        cast.alice.is_active = False

        assert not can(cast.alice, BROWSE)

    def test_it_asks_the_database_once(self, cast, django_assert_num_queries):
        with django_assert_num_queries(1):
            for place in (None, cast.quay, cast.loft, cast.cellar):
                can(cast.alice, BROWSE, place)
                can(cast.alice, EXPORT, place)

    def test_it_gives_a_superuser_health_and_connections_but_nobody_s_data(self, cast):
        root = make_user("root@example.org", is_superuser=True)

        held = {right for right in ALL_RIGHTS if can(root, right)}
        assert held == INSTANCE.keys() | SUPERUSERS_TOO
        assert not any(can(root, right, cast.quay) for right in RIGHTS_OF_ROLES[Role.STAFF])

    def test_it_bars_a_superuser_from_admin_pages_on_a_shared_device(self, cast):
        root = make_root()
        root.is_on_shared_device = True

        assert can(root, BROWSE)
        assert not can(root, "accounts.manage_people")
        assert not can(root, EXPORT)


class TestRequire:
    def test_it_works(self, cast):
        require(request_of(cast.alice), EXPORT)

    def test_it_refuses_without_the_right(self, cast):
        with pytest.raises(PermissionDenied):
            require(request_of(cast.bob), EXPORT)


class TestRoles:
    def test_a_role_includes_the_one_below(self):
        staff, manager, admin = (set(RIGHTS_OF_ROLES[role]) for role in Role)

        assert staff < manager < admin

    @pytest.mark.django_db
    def test_migrations_end_with_them(self):
        AuthGroup.objects.all().delete()

        call_command("migrate", verbosity=0)

        assert set(AuthGroup.objects.values_list("name", flat=True)) == set(Role.values)

    @pytest.mark.django_db
    def test_writing_them_again_changes_nothing(self):
        before = rights_in_the_database()

        write_roles()

        assert rights_in_the_database() == before

    def test_a_person_knows_their_roles(self, cast):
        make_member(cast.bob, cast.loft, Role.MANAGER)

        assert cast.bob.roles == {"staff", "manager"}


def rights_in_the_database() -> list[tuple[str, int]]:
    return sorted(AuthGroup.objects.values_list("name", "permissions__pk"))


def request_of(user):
    request = RequestFactory().get("/")
    request.user = user
    return request
