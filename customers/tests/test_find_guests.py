"""The search: by whatever is known of a guest, and never beyond the groups within reach."""

import pytest
from django.core.management import CommandError
from django.db import connection, transaction

from customers.models import Customer
from customers.search import search_index
from customers.search.queries import GuestQuery, best, matching
from customers.testing import make_customer, new_customer
from lib.database import bulk
from mirror.models import Mirrored
from restaurants.testing import sign_in

MARIA = {"first_name": "Zoë Maria", "last_name": "LEFÈVRE-Ros", "email": "zoe.l@example.org"}
PHONE = {"phone": "06 12 34 56 78", "phone_e164": "+33612345678"}


@pytest.fixture
def maria(harbour):
    make_customer(harbour, first_name="Paul", last_name="Klee", phone="+14155552671")
    return make_customer(harbour, **MARIA, **PHONE)


def found(text, group):
    rows = Customer.objects.present()
    query = GuestQuery(text, countries=("FR",))
    some = best(query, groups=[group.pk])
    # A list that is counted and taken away holds what the quick search shows.
    every = matching(query, rows.filter(group=group))
    assert {guest.pk for guest in some} <= {guest.pk for guest in every}
    return some


@pytest.mark.parametrize(
    "text",
    [
        "lefevre",
        "Lefèvre Zoë",
        "maria lef",
        "evre",
        "LE",
        "z",
        "zo le",
        "le zo",
        "zoe.l@example.org",
        "zoe.l@",
        "ros",
        "06 12 34 56 78",
        "0612345678",
        "+33 6 12 34 56 78",
        "0033612345678",
        "+33 (0)6.12.34.56.78",
        "5678",
        "12 34 56",
    ],
)
def test_it_works(maria, harbour, text):
    assert found(text, harbour) == [maria]


@pytest.mark.parametrize(
    "text",
    ["", " ", "qx", "lefevre klee", "0699999999", '"', "'", "%", "_", '" OR "a', "a\0b", "*"],
)
def test_it_finds_nobody_else(maria, harbour, text):
    assert found(text, harbour) == []


def test_a_uuid_is_the_guest(maria, harbour):
    assert found(str(maria.uuid), harbour) == [maria]


def test_a_name_that_begins_so_comes_first(harbour):
    inside = make_customer(harbour, first_name="Ana", last_name="Amrose")
    begins = make_customer(harbour, first_name="Ana", last_name="Roselli")
    whole = make_customer(harbour, first_name="Ana", last_name="Rose")

    assert found("rose", harbour) == [whole, begins, inside]


def test_a_number_that_ends_so_comes_before_one_that_holds_it(harbour):
    starts = make_customer(harbour, last_name="Abel", phone="+33656780000")
    ends = make_customer(harbour, last_name="Zola", phone="01 99 00 56 78")
    second = make_customer(harbour, last_name="Zorn", secondary_phone="+33199005678")

    assert found("5678", harbour) == [ends, second, starts]


def test_the_digits_of_a_display_come_before_those_without_their_zero(harbour):
    """“0983” may be the end of a number, or the begin of one from abroad without its 0."""
    near = make_customer(harbour, last_name="Armand", phone="+33612342983")
    same = make_customer(harbour, last_name="Kirkbride", phone="+442079460983")

    assert found("0983", harbour) == [same, near]


def test_the_ends_of_numbers_are_found_among_many_that_hold_them(harbour):
    others = [new_customer(harbour, last_name="A", phone=f"+3356781{n:04}") for n in range(70)]
    Customer.objects.bulk_create(others)
    ends = make_customer(harbour, last_name="Zola", phone="0199005678", phone_e164="+33199005678")

    assert best(GuestQuery("5678"), groups=[harbour.pk])[0] == ends


def test_names_with_the_same_long_ending_stay_apart(harbour):
    northern = make_customer(harbour, first_name="Ana", last_name="Nordhausenmann")
    southern = make_customer(harbour, first_name="Ana", last_name="Sudhausenmann")
    home = make_customer(harbour, first_name="Bo", phone="+33639221979")
    abroad = make_customer(harbour, first_name="Bo", phone="+41639221979")

    assert found("nordhausenmann", harbour) == [northern]
    assert found("ana sudhausenmann", harbour) == [southern]
    assert found("an sudhausenmann", harbour) == [southern]
    assert found("hausenmann", harbour) == [northern, southern]
    assert found("+33639221979", harbour)[0] == home
    assert found("0041639221979", harbour)[0] == abroad
    assert found("westhausenmann", harbour) == []


def test_a_whole_number_finds_those_who_have_it(harbour):
    home = make_customer(harbour, first_name="Bo", phone_e164="+33612345678")
    second = make_customer(harbour, first_name="Cy", secondary_phone_e164="+33612345678")
    make_customer(harbour, first_name="Di", phone_e164="+336123456780")

    assert found("0612345678", harbour) == [home, second]


class TestKeptUpToDate:
    """The database keeps the index itself, whoever writes."""

    def test_a_new_name_is_found_and_the_old_one_is_not(self, maria, harbour):
        maria.last_name = "Vermeer"
        maria.derive()
        maria.save()

        assert found("vermeer", harbour) == [maria]
        assert found("lefevre", harbour) == []

    def test_rows_written_together_are_found(self, maria, harbour):
        guests = [new_customer(harbour, last_name=name) for name in ("Vermeer", "Vermeulen")]
        Customer.objects.bulk_create(guests)

        assert found("verme", harbour) == guests

    @pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL's index has no parts")
    def test_rows_inserted_together_are_one_statement(self, harbour, django_assert_num_queries):
        """After each statement the index may write a part of its own, and merge it with others."""
        guests = [new_customer(harbour, last_name=f"Rossi {n}") for n in range(16)]
        with django_assert_num_queries(1):
            bulk.insert(guests)

        assert len(found("rossi", harbour)) == 16

    def test_the_deleted_are_not_found(self, maria, harbour):
        maria.delete()

        assert found("lefevre", harbour) == []

    def test_another_group_is_followed(self, maria, harbour, hill):
        Customer.objects.filter(pk=maria.pk).update(group=hill)

        assert found("lefevre", harbour) == []
        assert found("lefevre", hill) == [maria]

    def test_no_migration_has_lost_it(self, db):
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SELECT indexname FROM pg_indexes")
                assert "customer_search" in {row[0] for row in cursor.fetchall()}
            else:
                cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
                assert set(search_index.TRIGGERS) <= {row[0] for row in cursor.fetchall()}

    @pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL keeps the index itself")
    def test_what_a_new_table_of_guests_has_lost_comes_back_with_the_next_migrate(
        self, maria, harbour
    ):
        with connection.cursor() as cursor:
            for trigger in search_index.TRIGGERS:
                cursor.execute(f"DROP TRIGGER {trigger}")
        Customer.objects.filter(pk=maria.pk).update(search_text="maria castell")
        bo = make_customer(harbour, last_name="Bo")

        search_index.install(using="default")

        assert found("castell", harbour) == [maria]
        assert found("bo", harbour) == [bo]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has its trigrams built in")
def test_without_the_extension_the_operator_gets_instructions(db):
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("CREATE ROLE nobody_special")
            cursor.execute("DROP EXTENSION pg_trgm CASCADE")
            cursor.execute("SET LOCAL ROLE nobody_special")
        with pytest.raises(CommandError, match="CREATE EXTENSION pg_trgm"):
            search_index.require_trigrams(connection)
        transaction.set_rollback(True)


class TestQuickSearch:
    """What every screen finds while somebody types."""

    def find(self, user, text):
        headers = {"HX-Request": "true"}
        return sign_in(user).get("/customers/find/", {"q": text}, headers=headers)

    def test_it_works(self, bob, maria):
        words = self.find(bob, "lefevre").text

        assert f"/customers/{maria.uuid}/" in words
        assert "•••• 5678" in words
        assert "0612345678" not in words

    @pytest.mark.parametrize("typed", ["0033", "0044", "0000", "0001", "+0033", "00 33", "0033 6"])
    def test_a_number_may_be_typed_from_its_first_zeros(self, bob, maria, typed):
        """A digit at a time; what is left without the zeros may be too short to look up."""
        assert self.find(bob, typed).status_code == 200
        assert sign_in(bob).get("/customers/", {"q": typed}).status_code == 200

    def test_zeros_find_those_who_have_them_and_not_everybody(self, bob, maria):
        assert sign_in(bob).get("/customers/", {"q": "0000"}).context["guests"].rows == []

    def test_without_script_it_is_the_page_of_the_guests(self, bob, maria):
        answer = sign_in(bob).get("/customers/find/", {"q": "lefevre"})

        assert answer.headers["Location"] == "/customers/?q=lefevre"

    def test_restaurants_are_found(self, bob, quay):
        assert f"/?scope={quay.uuid}" in self.find(bob, "qua").text

    def test_it_hides_other_groups(self, charlie, maria):
        words = self.find(charlie, "lefevre").text

        assert str(maria.uuid) not in words
        assert "Nothing found" in words

    def test_it_takes_the_right_to_see_guests(self, bob, maria, without_right):
        without_right("customers.view_customer")

        assert self.find(bob, "lefevre").status_code == 403

    def test_the_erased_are_not_found(self, bob, maria):
        Customer.objects.update(presence=Mirrored.Presence.ERASED)

        assert str(maria.uuid) not in self.find(bob, "lefevre").text

    def test_it_says_how_complete_the_copy_is(self, bob, maria):
        assert "2 guests in our copy, not known to be complete" in self.find(bob, "lefevre").text

    def test_every_candidate_can_be_reached(self, bob, harbour):
        guests = [make_customer(harbour, last_name=f"Klee {n:02}") for n in range(12)]
        words = self.find(bob, "klee").text

        assert "4 more guests" in words
        assert all(guest.get_absolute_url() in words for guest in guests)
