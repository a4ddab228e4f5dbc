"""Profiles that may be of one person: why, how likely, and pairs marked as two people."""

from datetime import UTC, date, datetime

import pytest

from customers.duplicates import scores
from customers.models import DuplicateScore, NotSame
from customers.testing import make_customer
from mirror.models import Mirrored
from restaurants.testing import sign_in

NOW = datetime(2026, 11, 20, 19, tzinfo=UTC)
PHONE = {"phone": "06 12 34 56 78", "phone_e164": "+33612345678"}


@pytest.fixture
def guest(harbour):
    return make_customer(harbour, email="maria@example.org", **PHONE)


def reasons(guest):
    return [[str(reason) for reason in found.reasons] for found in scores.of_guest(guest)]


class TestOfGuest:
    def test_it_works(self, harbour, guest):
        make_customer(harbour, email="other@example.org", phone_e164="+33612345678")

        assert reasons(guest) == [["same phone", "same name"]]

    def test_a_shared_phone_with_another_name_is_a_family(self, harbour, guest):
        make_customer(harbour, first_name="Paul", last_name="Klee", **PHONE)

        assert reasons(guest) == []

    def test_names_may_be_swapped(self, harbour, guest):
        make_customer(harbour, first_name="Rossi", last_name="Maria", email="MARIA@example.org")

        assert reasons(guest) == [["same e-mail", "first and last name swapped"]]

    def test_another_birth_date_speaks_against_it(self, harbour):
        one = make_customer(harbour, birth_date=date(1980, 1, 1), **PHONE)
        make_customer(harbour, birth_date=date(2001, 1, 1), **PHONE)

        assert reasons(one) == []

    def test_the_same_name_alone_is_not_enough(self, harbour, guest):
        make_customer(harbour)

        assert reasons(guest) == []

    def test_it_hides_other_groups(self, hill, guest):
        make_customer(hill, email="maria@example.org", **PHONE)

        assert reasons(guest) == []

    def test_the_erased_are_nobody(self, harbour, guest):
        make_customer(harbour, presence=Mirrored.Presence.ERASED, **PHONE)

        assert reasons(guest) == []


class TestNotSame:
    def post(self, user, guest, other):
        return sign_in(user).post(f"/customers/{guest.pk}/not-the-same/", {"other": str(other.pk)})

    def test_it_works(self, bob, harbour, guest):
        other = make_customer(harbour, **PHONE)
        scores.measure(now=NOW)
        self.post(bob, guest, other)
        scores.measure(now=NOW)

        assert reasons(guest) == reasons(other) == []
        assert not DuplicateScore.objects.exists()
        assert NotSame.objects.get().decided_by == bob

    def test_an_outsider_finds_nobody(self, charlie, harbour, guest):
        other = make_customer(harbour, **PHONE)

        assert self.post(charlie, guest, other).status_code == 404

    def test_a_guest_of_another_group_is_nobody(self, bob, hill, guest):
        assert self.post(bob, guest, make_customer(hill)).status_code == 404


class TestPage:
    def look(self, user):
        return sign_in(user).get("/customers/duplicates/").text

    def test_it_works(self, bob, harbour, guest):
        make_customer(harbour, first_name="Maria", last_name="ROSSI", **PHONE)
        scores.measure(now=NOW)

        assert "same phone, same name" in self.look(bob)

    def test_it_hides_other_groups(self, charlie, harbour, guest):
        make_customer(harbour, **PHONE)
        scores.measure(now=NOW)

        assert "No likely duplicates" in self.look(charlie)

    def test_a_number_of_many_guests_is_a_desks(self, bob, harbour):
        for _guest in range(6):
            make_customer(harbour, **PHONE)

        assert scores.measure(now=NOW) == 0

    def test_measuring_again_replaces_what_was_found(self, harbour, guest):
        make_customer(harbour, **PHONE)
        scores.measure(now=NOW)
        scores.measure(now=NOW)

        assert DuplicateScore.objects.count() == 1

    def test_they_are_a_filter_of_the_list(self, bob, harbour, guest):
        other = make_customer(harbour, **PHONE)
        make_customer(harbour, last_name="Alone")
        scores.measure(now=NOW)
        answer = sign_in(bob).get("/customers/", {"show": "duplicates"})

        assert {row.guest for row in answer.context["guests"].rows} == {guest, other}

    def test_the_page_of_a_guest_loads_them(self, bob, harbour, guest):
        other = make_customer(harbour, **PHONE)
        client = sign_in(bob)
        address = f"/customers/{guest.pk}/duplicates/"

        assert address in client.get(f"/customers/{guest.pk}/").text
        part = client.get(address, headers={"HX-Request": "true"}).text
        assert str(other.pk) in part
        assert "<html" not in part
        assert "<html" in client.get(address).text


class TestPhones:
    """The numbers that the service will not find by their full spelling."""

    def file(self, user):
        return sign_in(user).get("/customers/phones.csv")

    def test_it_works(self, alice, quay, guest):
        words = self.file(alice).getvalue().decode()

        assert "06 12 34 56 78" in words
        assert "'+33612345678" in words

    def test_a_full_number_is_left_out(self, alice, quay, harbour):
        make_customer(harbour, last_name="Fine", phone="+33612345678", phone_e164="+33612345678")

        assert "Fine" not in self.file(alice).getvalue().decode()

    def test_staff_are_refused(self, bob):
        assert self.file(bob).status_code == 403
