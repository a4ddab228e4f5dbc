import csv
import io

from auditlog.models import LogEntry

from accounts.rights import Role
from customers.testing import make_customer
from mirror.models import Mirrored
from restaurants.testing import make_member, sign_in


def export(user, **address):
    return sign_in(user).get("/customers/export.csv", address)


def rows_of(response):
    return list(csv.DictReader(io.StringIO(response.getvalue().decode())))


def test_it_works(alice, harbour, quay):
    make_customer(harbour, phone="+33612345678", email="=1@example.org", other_tags=["a", "b"])
    (row,) = rows_of(export(alice))

    assert (row["First name"], row["Last name"]) == ("Maria", "Rossi")
    assert row["Phone"] == "'+33612345678"
    assert row["E-mail"] == "'=1@example.org"
    assert row["Tags"] == "a, b"


def test_it_hides_other_groups(charlie, harbour, cellar):
    make_customer(harbour)

    assert rows_of(export(charlie)) == []


def test_one_person_exports_so_often_and_no_more(alice, harbour, quay, settings):
    settings.ACCOUNT_RATE_LIMITS = {"export": "2/h/user"}

    answers = [export(alice) for _number in range(3)]

    assert [one.status_code for one in answers] == [200, 200, 429]
    assert "You can go on in 60 minutes." in answers[2].content.decode()


def test_staff_are_refused(bob):
    assert export(bob).status_code == 403


def test_a_manager_of_one_restaurant_cannot_take_the_guests_of_all(bob, quay, loft, harbour):
    make_member(bob, loft, Role.MANAGER)

    assert export(bob).status_code == 403


def test_the_gone_and_the_erased_are_left_out(alice, harbour, quay):
    make_customer(harbour, presence=Mirrored.Presence.ERASED)

    assert rows_of(export(alice)) == []


def test_what_a_guest_does_not_eat_stands_apart_by_certainty(alice, harbour, quay):
    note = "Allergic to fish, no onions please. Vegetarian"
    make_customer(harbour, allergies_and_intolerances=["Nuts"], notes=note)
    (row,) = rows_of(export(alice))

    columns = ("Allergies", "Allergies in notes", "Perhaps an allergy", "Diets in notes")
    assert [row[name] for name in columns] == ["Nuts", "Fish", "Onion", "Vegetarian"]


def test_health_and_contacts_follow_their_rights(alice, harbour, quay, without_right):
    without_right("customers.view_health")
    without_right("customers.reveal_contact")
    tags = {"allergies_and_intolerances": ["nuts"], "notes": "Allergic to fish"}
    make_customer(harbour, phone="+33612345678", **tags)
    (row,) = rows_of(export(alice))

    assert row["Allergies"] == row["Allergies in notes"] == ""
    assert row["Phone"] == "•••• 5678"


def test_it_is_written_down(alice, quay):
    export(alice)

    assert LogEntry.objects.get(additional_data__verb="exported guests").actor == alice
