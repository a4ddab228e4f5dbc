import csv
import io

import pytest
from auditlog.models import LogEntry

from accounts.rights import Role
from customers.testing import make_customer
from reservations.testing import make_reservation
from restaurants.testing import make_member, sign_in

DAY = "2026-01-17"


def export(user, suffix="csv", **address):
    return sign_in(user).get(f"/reservations/export.{suffix}", {"day": DAY, **address})


def rows_of(response):
    return list(csv.DictReader(io.StringIO(response.getvalue().decode())))


def test_it_works(alice, quay, harbour):
    make_reservation(quay, customer=make_customer(harbour), party_size=4, customer_note="=cmd()")
    (row,) = rows_of(export(alice))

    assert (row["Restaurant"], row["Day"], row["Time"], row["Party"]) == ("Quay", DAY, "20:00", "4")
    assert row["Last name"] == "Rossi"
    assert row["Guest's note"] == "'=cmd()"


def test_it_holds_what_the_filters_show(alice, quay, loft):
    make_reservation(quay, party_size=9)
    make_reservation(quay, party_size=2)
    make_reservation(loft, party_size=9)

    assert len(rows_of(export(alice, scope=str(quay.uuid), show="large"))) == 1


def test_what_guests_do_not_eat_stands_apart_by_certainty(alice, quay, harbour):
    tags = {"allergies_and_intolerances": ["Fish"], "dietary_restrictions": ["Vegan"]}
    note = "Allergic to nuts, no onions please. Vegetarian"
    make_reservation(quay, customer=make_customer(harbour, **tags), customer_note=note)
    (row,) = rows_of(export(alice))

    columns = ("Allergies", "Allergies in notes", "Perhaps an allergy", "Diet", "Diets in notes")
    assert [row[name] for name in columns] == ["Fish", "Nuts", "Onion", "Vegan", "Vegetarian"]


def test_the_end_of_a_long_note_is_read_and_written(alice, quay):
    note = f"{'Window table please. ' * 20}Allergic to nuts."
    make_reservation(quay, customer_note=note)
    (row,) = rows_of(export(alice))

    assert (row["Guest's note"], row["Allergies in notes"]) == (note, "Nuts")


def test_it_makes_workbooks(alice, quay):
    response = export(alice, suffix="xlsx")

    assert response.headers["Content-Type"].endswith("spreadsheetml.sheet")
    assert b"".join(response.streaming_content).startswith(b"PK")
    response.close()


def test_it_hides_other_groups(charlie, quay):
    make_reservation(quay)

    assert rows_of(export(charlie)) == []


def test_staff_are_refused(bob, quay):
    assert export(bob).status_code == 403


def test_only_restaurants_whose_data_may_leave_are_in_it(bob, quay, loft):
    make_member(bob, loft, Role.MANAGER)
    make_reservation(quay)
    make_reservation(loft)

    assert [row["Restaurant"] for row in rows_of(export(bob))] == ["Loft"]


def test_it_is_written_down(alice, quay):
    export(alice, q="Rossi")
    entry = LogEntry.objects.get(additional_data__verb="exported reservations")

    assert entry.actor == alice
    assert "Rossi" not in str(entry.additional_data)


@pytest.mark.parametrize("number", [1, 30])
def test_queries_do_not_grow(alice, quay, harbour, number, django_assert_max_num_queries):
    for _number in range(number):
        make_reservation(quay, customer=make_customer(harbour))
    client = sign_in(alice)

    # Eight of them count the exports of the hour, in a cache that lies in the database here; two
    # read the marks of the team and of changes, one measures a restaurant not measured before.
    with django_assert_max_num_queries(24):
        client.get("/reservations/export.csv", {"day": DAY}).getvalue()
