"""The database admin lists what names nobody of a group."""

import pytest
from django.contrib.admin import site
from django.core.management import CommandError, call_command

from accounts.admin_config import TABLES
from accounts.rights import Role
from restaurants.testing import make_member, make_user, sign_in


@pytest.fixture
def root(cast):
    return make_user("root@example.org", is_superuser=True, is_staff=True)


def test_it_holds_no_other_table():
    assert {model._meta.label_lower for model, _admin in site._registry.items()} == TABLES


def test_it_lists_superusers_and_nobody_of_a_group(root):
    page = sign_in(root).get("/admin/accounts/user/").text

    assert "root@example.org" in page
    assert "alice@example.org" not in page


@pytest.mark.parametrize(
    "table", ["restaurants/membership", "auditlog/logentry", "mfa/authenticator"]
)
def test_tables_of_people_are_not_found(root, table):
    assert sign_in(root).get(f"/admin/{table}/").status_code == 404


def test_nobody_of_a_group_is_changed(root, cast):
    path = f"/admin/accounts/user/{cast.alice.pk}/change/"

    assert sign_in(root).get(path).status_code == 302  # back to the list: it does not exist


def test_a_lost_second_factor_is_removed_on_the_server(cast, capsys):
    cast.alice.authenticator_set.create(type="totp", data={})

    call_command("remove_second_factor", "ALICE@example.org")

    assert not cast.alice.authenticator_set.exists()
    with pytest.raises(CommandError, match="Nobody who may sign in has the address"):
        call_command("remove_second_factor", "nobody@example.org")


def test_no_restaurant_is_taken_into_a_group_where_one_has_a_role(root, cast):
    """Its bookings would be read without emergency access, of which owners are mailed."""
    make_member(root, cast.hill, Role.ADMIN)
    client, path = sign_in(root), f"/admin/restaurants/restaurant/{cast.quay.pk}/change/"
    form = client.get(path).context["adminform"].form
    typed = {name: value for name, value in form.initial.items() if value is not None}
    saved = client.post(path, typed | {"group": cast.hill.pk, "name": "Quay renamed"})
    cast.quay.refresh_from_db()

    assert (saved.status_code, cast.quay.name) == (302, "Quay renamed")
    assert cast.quay.group == cast.harbour
