"""The big field: who has this number, by our copy and by the service."""

from datetime import timedelta

import pytest
from django.utils import timezone

from customers.allergies.mentions import mentions_in, sources_of_guest
from customers.note_decisions.models import NoteDecision
from customers.testing import make_customer
from partner.testing import FakeTransport, speak_through
from phone.testing import NUMBER
from reservations.testing import make_reservation
from restaurants.testing import sign_in

NOBODY = (
    404,
    {"statusCode": 404, "error": "Not Found", "data": {"code": "PHONE_NUMBER_NOT_FOUND"}},
)
SPELLINGS = ["+33199001234", "01 99 00 12 34", "0033 1 99 00 12 34", "+33 (0)1-99.00.12.34"]


def make_guest(group, *, stored=NUMBER, e164=NUMBER, **fields):
    return make_customer(group, phone=stored, phone_e164=e164, **fields)


@pytest.fixture
def look_up(alice, quay):
    client = sign_in(alice)

    def post(number=NUMBER, *, restaurant=quay, page="look-up", part="answer", **headers):
        body = {"number": number, "restaurant": str(restaurant.uuid)}
        asking = {"hx-request": "true", "hx-target": part} if part else {}
        return client.post(f"/phone/{page}/".replace("//", "/"), body, headers=asking | headers)

    return post


@pytest.fixture
def ask(look_up):
    return lambda *args, **fields: look_up(*args, page="look-up/service", part="service", **fields)


class TestLookUpCallers:
    @pytest.mark.parametrize("typed", SPELLINGS)
    def test_it_works(self, look_up, harbour, typed):
        make_guest(harbour, stored="06", first_name="Jo", last_name="Martin")

        html = look_up(typed).content.decode()

        assert "+33 1 99 00 12 34" in html
        assert "Jo Martin" in html
        assert "<html" not in html

    def test_it_works_without_script(self, look_up, harbour):
        make_guest(harbour, last_name="Martin")
        html = look_up(part="").content.decode()

        assert "<html" in html
        assert "Martin" in html

    def test_its_address_alone_leads_to_the_field(self, alice, quay):
        """Opened again by a telephone or from its history, it was a blank page: 405."""
        answer = sign_in(alice).get("/phone/look-up/")

        assert answer.status_code == 302
        assert answer.headers["Location"] == "/phone/"

    def test_the_number_is_in_no_address(self, look_up, harbour):
        make_guest(harbour)
        html = look_up(part="").content.decode()

        assert "number=" not in html
        assert "%2B33" not in html

    @pytest.mark.parametrize("typed", ["", "12", "abc", "+", "x" * 5000, "+999999999999999"])
    def test_half_a_number_is_no_fault(self, look_up, typed):
        assert look_up(typed).status_code == 200

    @pytest.mark.parametrize(
        ("typed", "words"),
        [
            ("12", "Not a telephone number yet"),
            ("Rossi", "This is no number: nobody was looked up."),
            ("+33 9999 9999 9999 9999", "more digits than a telephone number has"),
        ],
    )
    def test_what_will_never_be_a_number_is_named(self, look_up, typed, words):
        html = look_up(typed).content.decode()

        assert words in html
        assert ("Find a guest by name" in html) is typed.isalpha()

    def test_numbers_that_look_whole_or_are_known_are_looked_up(self, look_up, harbour):
        assert "load delay" in look_up("+33199001234").content.decode()
        assert "load delay" not in look_up("+331990012").content.decode()

        make_guest(harbour, stored="x", e164="+331990012")
        assert "load delay" in look_up("+331990012").content.decode()

    def test_a_second_number_counts(self, look_up, harbour):
        make_customer(harbour, last_name="Martin", secondary_phone_e164=NUMBER)

        assert "Martin" in look_up().content.decode()

    def test_a_number_that_could_not_be_read_is_found_by_its_digits(self, look_up, harbour):
        make_guest(harbour, stored="work 199001234 ext", e164="", last_name="Martin")

        assert "Martin" in look_up().content.decode()

    def test_a_family_is_shown_whole(self, look_up, harbour):
        make_guest(harbour, first_name="Jo")
        make_guest(harbour, first_name="Mo")
        html = look_up().content.decode()

        assert "Jo Rossi" in html
        assert "Mo Rossi" in html

    def test_who_is_expected_stands_before_who_was_here_last(self, look_up, harbour, quay):
        """The card of a call names the first alone: a late guest was “5 visits, no booking”."""
        now = timezone.now()
        was_here, coming, late = (make_guest(harbour, first_name=one) for one in ("Al", "Jo", "Mo"))
        make_reservation(quay, customer=was_here)
        make_reservation(quay, customer=coming, meal_at=now + timedelta(days=2))
        make_reservation(quay, customer=late, meal_at=now - timedelta(minutes=20))
        known = [one.guest.first_name for one in look_up().context["caller"].guests]

        assert known == ["Mo", "Jo", "Al"]

    def test_of_a_hotel_whoever_is_expected_is_among_the_few(self, look_up, harbour, quay):
        for name in ("Abel", "Berg", "Carl", "Dahl"):
            make_guest(harbour, last_name=name)
        expected = make_guest(harbour, last_name="Zimmer")
        make_reservation(quay, customer=expected, meal_at=timezone.now() + timedelta(hours=2))
        known = [one.guest.last_name for one in look_up().context["caller"].guests]

        assert known == ["Zimmer", "Abel", "Berg", "Carl"]

    def test_it_shows_what_is_coming_at_every_restaurant(self, look_up, harbour, quay, loft):
        guest = make_guest(harbour)
        soon = timezone.now() + timedelta(days=2)
        for place in (quay, loft):
            make_reservation(place, customer=guest, meal_at=soon, party_size=4)
        make_reservation(quay, customer=guest, meal_at=soon, party_size=9, status="CANCELED")
        html = look_up().content.decode()

        assert html.count("4 people") == 2
        assert "9 people" not in html

    def test_the_next_five_of_each_guest_are_shown(self, look_up, harbour, quay):
        now = timezone.now()
        for name, bookings in (("Jo", 7), ("Mo", 1)):
            guest = make_guest(harbour, first_name=name)
            for day in range(bookings, 0, -1):
                at = now + timedelta(days=day)
                make_reservation(quay, customer=guest, meal_at=at, party_size=day)
        known = {one.guest.first_name: one for one in look_up().context["caller"].guests}

        assert [row.party_size for row in known["Jo"].coming] == [1, 2, 3, 4, 5]
        assert [row.party_size for row in known["Mo"].coming] == [1]

    @pytest.mark.parametrize(
        ("late", "is_coming"),
        [((10, ""), True), ((59, ""), True), ((61, ""), False), ((10, "SEATED"), False)],
    )
    def test_who_is_late_still_comes(self, look_up, harbour, quay, late, is_coming):
        """Many ring because of it; “1 visit, no booking known” led to a second table."""
        minutes, meal_status = late
        at = timezone.now() - timedelta(minutes=minutes)
        known = {"meal_at": at, "meal_status": meal_status, "party_size": 4}
        make_reservation(quay, customer=make_guest(harbour), **known)
        html = look_up().text

        assert ("4 people" in html) is is_coming
        assert ("1 visit" in html) is not is_coming

    def test_it_counts_the_visits(self, look_up, harbour, quay):
        guest = make_guest(harbour)
        make_reservation(quay, customer=guest)
        make_reservation(quay, customer=guest, status="NO_SHOW")
        html = look_up().content.decode()

        assert "1 visit, last on 17 Jan 2026" in html
        assert "1 no-show" in html

    def test_guests_of_another_group_stay_unknown(self, look_up, hill):
        make_guest(hill, last_name="Elsewhere")

        assert "Elsewhere" not in look_up().content.decode()

    def test_a_restaurant_out_of_reach_is_not_looked_up(self, look_up, cellar, hill):
        make_guest(hill, last_name="Elsewhere")

        assert "Elsewhere" not in look_up(restaurant=cellar).content.decode()

    def test_of_visits_out_of_reach_it_denies_nothing(self, bob, harbour, quay, loft):
        make_reservation(loft, customer=make_guest(harbour))
        body = {"number": NUMBER, "restaurant": str(quay.uuid)}
        html = sign_in(bob).post("/phone/look-up/", body).content.decode()

        assert "No visit known" in html
        assert "No booking known." in html

    def test_bookings_out_of_reach_stay_hidden(self, bob, harbour, quay, loft):
        guest = make_guest(harbour)
        soon = timezone.now() + timedelta(days=2)
        make_reservation(loft, customer=guest, meal_at=soon, party_size=7)
        body = {"number": NUMBER, "restaurant": str(quay.uuid)}

        assert "7 people" not in sign_in(bob).post("/phone/look-up/", body).content.decode()

    def test_allergies_need_their_right(self, look_up, harbour, without_right):
        make_guest(harbour, allergies_and_intolerances=["Nuts"])
        assert "Nuts" in look_up().content.decode()

        without_right("customers.view_health")
        assert "Nuts" not in look_up().content.decode()

    def test_an_allergy_is_shown_where_the_note_is_cut(self, look_up, harbour, without_right):
        make_guest(harbour, notes=f"{'Likes the window. ' * 20}Allergic to nuts.")
        html = look_up().content.decode()
        assert "In a note:" in html
        assert "<mark>nuts</mark>" in html

        without_right("customers.view_health")
        assert "nuts" not in look_up().content.decode()

    def test_a_dismissed_reading_is_not_shown(self, look_up, harbour):
        guest = make_guest(harbour, notes="Allergic to nuts.")
        (mention,) = mentions_in(sources_of_guest(guest))
        NoteDecision.objects.create(
            about=guest.pk,
            digest=mention.digests[0],
            outcome=NoteDecision.Outcome.DISMISSED,
            is_of_guest=True,
            decided_at=timezone.now(),
        )

        assert "In a note:" not in look_up().content.decode()

    def test_it_needs_its_right(self, look_up, without_right):
        without_right("phone.view_call")

        assert look_up().status_code == 403

    def test_it_takes_few_queries(self, look_up, harbour, quay, django_assert_max_num_queries):
        guest = make_guest(harbour)
        for _time in range(20):
            make_reservation(quay, customer=guest)

        with django_assert_max_num_queries(16):
            look_up()


class TestAskTheService:
    def test_it_works(self, ask, harbour):
        guest = make_guest(harbour)
        transport = speaking((200, match(guest.uuid)))

        assert "Confirmed by the service" in ask("01 99 00 12 34").content.decode()
        assert transport.requests[0].path.endswith("/phone/%2B33199001234")

    def test_it_heals_a_number_that_is_stored_otherwise(self, ask, harbour):
        make_guest(harbour, stored="06 12 34 56 78", e164="+33612345678", last_name="Martin")
        speaking(NOBODY)
        html = ask("+33 6 12 34 56 78").content.decode()

        assert "Our copy has 1 match" in html
        assert "06 12 34 56 78" in html

    def test_a_guest_we_lack_is_named(self, ask):
        speaking((200, match("e0d0c0f5-0c3a-4a45-9a7c-5a1b3c2d4e5f")))

        assert "<b>Jo Martin</b>" in ask().content.decode()

    def test_an_unknown_caller_is_shown_as_one(self, ask):
        speaking(NOBODY)

        assert "does not know this number either" in ask().content.decode()

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            ((403, {"message": "Forbidden"}), "lacks the right"),
            ((401, {"message": "Unauthorized"}), "does not belong to it"),
            ((500, {"statusCode": 500, "error": "x", "data": {"code": ""}}), "our own copy"),
        ],
    )
    def test_a_fault_leaves_our_copy(self, ask, harbour, answer, words):
        make_guest(harbour)
        speaking(answer)
        html = ask().content.decode()

        assert words in html
        assert "our own copy" in html

    def test_without_a_connection_it_says_so(self, ask):
        assert "No connection" in ask().content.decode()

    def test_no_number_reaches_a_log(self, ask, log_lines):
        speaking(NOBODY)
        ask("+33 6 12 34 56 78")

        assert "612345678" not in log_lines().replace(" ", "")


def speaking(answer):
    transport = FakeTransport(find_customer_by_phone=answer)
    speak_through(transport)
    return transport


def match(guest):
    known = {"firstName": "Jo", "lastName": "Martin", "phone": NUMBER, "email": None}
    return {"customerUuid": str(guest), "nextReservationsList": [], **known}
