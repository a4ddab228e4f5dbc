"""The guest list: its address selects guests, columns and page."""

from datetime import date

import pytest
import time_machine
from django.contrib.auth.models import Group as AuthGroup
from django.contrib.auth.models import Permission

from accounts.rights import Role
from customers.models import Customer
from customers.testing import make_customer, new_customer
from partner.testing import FakeTransport, recorded, speak_through
from restaurants.testing import make_member, sign_in


def look(user, **address):
    return sign_in(user).get("/customers/", address)


def names(answer):
    return [row.guest.last_name for row in answer.context["guests"].rows]


def test_it_works(bob, harbour):
    make_customer(harbour, last_name="Rossi", phone="+33612345678", locale="fr_FR")
    answer = look(bob)

    assert names(answer) == ["Rossi"]
    assert "•••• 5678" in answer.text
    assert "French" in answer.text


def test_a_guest_without_a_name_is_called_so(bob, harbour):
    nameless = make_customer(harbour, first_name="", last_name="")
    answer = look(bob)

    assert answer.context["guests"].rows[0].guest == nameless
    assert ">No name<" in answer.text


class TestOrder:
    @pytest.fixture
    def guests(self, harbour):
        for number in range(60):
            make_customer(harbour, first_name="", last_name="")
            make_customer(harbour, last_name=f"Rossi {number:02}")

    def test_guests_without_a_name_come_last(self, bob, guests):
        pages = [names(look(bob, page=number)) for number in (1, 2, 3)]

        named = [f"Rossi {number:02}" for number in range(60)]
        assert pages == [named[:50], named[50:] + [""] * 40, [""] * 20]

    def test_each_guest_is_on_one_page(self, bob, guests):
        pages = [look(bob, page=number).context["guests"].rows for number in (1, 2, 3)]

        assert len({row.guest.pk for page in pages for row in page}) == 120

    def test_a_filter_keeps_the_order(self, bob, harbour):
        make_customer(harbour, last_name="", is_vip=True)
        make_customer(harbour, last_name="Rossi", is_vip=True)

        assert names(look(bob, show="vip")) == ["Rossi", ""]


def test_it_hides_other_groups(charlie, harbour, cellar):
    make_customer(harbour)

    assert names(look(charlie)) == []


def test_the_scope_chooses_the_group(dora, harbour, hill, quay):
    make_customer(harbour, last_name="Harbour")
    make_customer(hill, last_name="Hill")

    assert names(look(dora, scope=str(quay.uuid))) == ["Harbour"]


def test_it_takes_the_right_to_see_guests(bob, harbour, without_right):
    without_right("customers.view_customer")

    assert look(bob).status_code == 403


@pytest.mark.parametrize(
    "address", [{"page": "x"}, {"size": "9"}, {"show": "?"}, {"language": "<b>"}, {"columns": "x"}]
)
def test_nonsense_in_the_address_is_ignored(bob, harbour, address):
    make_customer(harbour)

    assert names(look(bob, **address)) == ["Rossi"]


class TestFilters:
    @pytest.mark.parametrize(
        ("key", "fields"),
        [
            ("vip", {"is_vip": True}),
            ("allergies", {"allergies_and_intolerances": ["nuts"]}),
            ("birthdays", {"birth_date": date(1980, 1, 20)}),
            ("caution", {"rank": "caution"}),
            ("bad-phones", {"phone": "ask Paul"}),
        ],
    )
    def test_it_works(self, bob, harbour, key, fields):
        make_customer(harbour, last_name="Other", phone="", birth_date=date(1980, 6, 1))
        make_customer(harbour, last_name="EntityRef", **fields)
        with time_machine.travel("2026-01-17T12:00Z"):
            assert names(look(bob, show=key)) == ["EntityRef"]

    @pytest.mark.parametrize("key", ["allergies", "caution"])
    def test_health_takes_a_right(self, bob, harbour, without_right, key):
        without_right("customers.view_health")
        make_customer(harbour, rank="caution", allergies_and_intolerances=["nuts"])
        make_customer(harbour)
        answer = look(bob, show=key)

        assert len(names(answer)) == 2
        assert "Allerg" not in answer.text

    def test_health_of_one_group_opens_no_other(self, bob, harbour, hill):
        make_member(bob, hill, Role.MANAGER)
        AuthGroup.objects.get(name=Role.STAFF).permissions.remove(
            Permission.objects.get(codename="view_health", content_type__app_label="customers")
        )
        for group, name in ((harbour, "Harbour"), (hill, "Hill")):
            make_customer(group, last_name=name, allergies_and_intolerances=["nuts"])
        answer = look(bob)

        assert names(look(bob, show="allergies")) == ["Hill"]
        assert answer.text.count('data-mark="allergy"') == 1

    def test_several_narrow_each_other_down(self, bob, harbour):
        make_customer(harbour, is_vip=True, last_name="One")
        make_customer(harbour, is_vip=True, last_name="Two", phone="ask Paul")

        assert names(look(bob, show=["vip", "bad-phones"])) == ["Two"]

    def test_a_search_keeps_them(self, bob, harbour):
        make_customer(harbour, is_vip=True, last_name="Rossini")
        make_customer(harbour, last_name="Rossi")

        assert names(look(bob, show="vip", q="ross")) == ["Rossini"]

    def test_a_language_is_one(self, bob, harbour):
        make_customer(harbour, locale="fr_FR", last_name="French")
        make_customer(harbour, locale="en", last_name="English")

        assert names(look(bob, language="fr")) == ["French"]

    def test_a_birthday_on_29_february_is_not_forgotten(self, bob, harbour):
        make_customer(harbour, birth_date=date(1980, 2, 29))
        for day, is_near in {"2026-02-28": True, "2026-03-01": False, "2028-03-01": False}.items():
            with time_machine.travel(f"{day}T12:00Z"):
                assert bool(names(look(bob, show="birthdays"))) is is_near, day


class TestPages:
    def test_it_works(self, bob, harbour):
        Customer.objects.bulk_create(
            [new_customer(harbour, last_name=f"Guest {number:03}") for number in range(51)]
        )
        answer = look(bob, page=2)

        assert names(answer) == ["Guest 050"]
        assert "51–51 of 51" in answer.text

    def test_a_page_may_be_longer(self, bob, harbour):
        Customer.objects.bulk_create([new_customer(harbour) for _number in range(60)])

        assert len(names(look(bob, size=100))) == 60


class TestParts:
    """Both faces of the list: within the page, and alone while somebody types."""

    def part(self, user, **address):
        headers = {"HX-Request": "true", "HX-Target": "guests"}
        return sign_in(user).get("/customers/", address, headers=headers).text

    def test_it_works(self, bob, harbour):
        make_customer(harbour)

        assert '<section id="guests"' in look(bob).text
        assert self.part(bob, q="ross").lstrip().startswith('<section id="guests"')

    def test_nobody_found_says_how_complete_the_copy_is(self, bob, harbour):
        make_customer(harbour)

        assert "1 guest in our copy" in self.part(bob, q="nobody")


def test_columns_are_chosen_in_the_address(bob, harbour):
    make_customer(harbour, email="maria@example.org")
    answer = look(bob, columns=["email"])

    assert "m•••@example.org" in answer.text
    assert [column.key for column in answer.context["guests"].columns] == ["email"]


class TestLookUp:
    """A number that no guest has here can be looked up in the service."""

    @pytest.fixture
    def api(self, db):
        def answer(status, payload):
            speak_through(FakeTransport(find_customer_by_phone=(status, payload)))

        return answer

    def post(self, user, quay, phone="+33612345678"):
        sent = {"phone": phone, "restaurant": str(quay.uuid)}
        return sign_in(user).post("/customers/look-up/", sent, follow=True)

    def test_it_is_offered(self, bob, quay):
        answer = look(bob, q="06 12 34 56 78")

        assert "Ask the service for +33612345678" in answer.text

    def test_a_known_guest_is_opened(self, bob, quay, harbour, api):
        guest = make_customer(harbour)
        api(200, {"customerUuid": str(guest.uuid), "nextReservationsList": []})
        answer = self.post(bob, quay)

        assert answer.redirect_chain[-1][0] == f"/customers/{guest.uuid}/"

    def test_an_unknown_number_is_reported(self, bob, quay, api):
        api(404, recorded("find_customer_by_phone", 404))

        assert "The service has no number written exactly like this" in self.post(bob, quay).text

    def test_nonsense_is_refused(self, bob, quay):
        assert "not a full telephone number" in self.post(bob, quay, phone="06").text

    def test_a_restaurant_out_of_reach_is_refused(self, charlie, quay):
        assert self.post(charlie, quay).status_code == 404
