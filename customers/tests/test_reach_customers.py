from datetime import date

from customers.models import Customer
from customers.testing import make_customer
from mirror.models import Mirrored


def test_it_works(alice, harbour):
    guest = make_customer(harbour)

    assert list(Customer.objects.visible_to(alice)) == [guest]


def test_a_person_of_one_restaurant_sees_the_guests_of_its_group(bob, harbour):
    guest = make_customer(harbour)

    assert list(Customer.objects.visible_to(bob)) == [guest]


def test_it_hides_other_groups(charlie, harbour):
    make_customer(harbour)

    assert not Customer.objects.visible_to(charlie).exists()


def test_each_guest_is_listed_once(dora, harbour, hill):
    make_customer(harbour)
    make_customer(hill)

    assert Customer.objects.visible_to(dora).count() == 2


def test_present_leaves_out_the_gone_and_the_erased(harbour):
    make_customer(harbour, presence=Mirrored.Presence.GONE)
    make_customer(harbour, presence=Mirrored.Presence.ERASED)

    assert not Customer.objects.present().exists()


class TestDerivedColumns:
    def test_names_are_found_without_case_and_accents(self, harbour):
        guest = make_customer(harbour, first_name="Zoë", last_name="LEFÈVRE")

        assert guest.last_name_key == "lefevre"
        assert "zoe lefevre" in guest.search_text

    def test_phones_are_found_by_their_digits(self, harbour):
        guest = make_customer(harbour, phone="06 12 34 56 78")

        assert "0612345678" in guest.search_text

    def test_a_birthday_has_no_year(self, harbour):
        guest = make_customer(harbour, birth_date=date(1980, 2, 29))

        assert guest.birthday == 229

    def test_caution_is_a_rank_or_a_tag(self, harbour):
        assert make_customer(harbour, rank="caution").needs_caution
        assert make_customer(harbour, risk_level=["Caution"]).needs_caution
        assert not make_customer(harbour, rank="gold").needs_caution
