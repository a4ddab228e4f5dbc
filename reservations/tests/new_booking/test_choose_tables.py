"""A new booking until it is sent: restaurant, day, size, time, offer and guest."""

from datetime import timedelta
from urllib.parse import quote

import pytest
import time_machine

from customers.testing import make_customer
from reservations.testing import DINNER, make_reservation
from reservations.tests.new_booking.steps import (
    MENU,
    TIME,
    address,
    look,
    slot,
    text_of,
)
from restaurants.testing import sign_in

pytestmark = pytest.mark.usefixtures("before_dinner")


class TestChoose:
    def test_it_works(self, api, bob, quay):
        page = text_of(look(bob, quay))

        assert "20:00" in page
        assert "Book for 4 people" in page

    def test_without_the_right_it_is_closed(self, bob, quay, without_right):
        without_right("reservations.change_reservation")

        assert look(bob, quay).status_code == 403

    def test_restaurants_out_of_reach_are_not_offered(self, api, charlie, quay):
        assert "Quay" not in text_of(look(charlie, quay))

    def test_sizes_have_holes(self, api, bob, quay):
        page = text_of(look(bob, quay, size="", slot=""))

        assert "size=9" in page
        assert "size=3" not in page

    def test_past_times_are_left_out(self, api, bob, quay):
        assert "12:00" not in text_of(look(bob, quay))

    @pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
    def test_a_time_that_no_calendar_shows_is_left_out(self, api, bob, quay, text):
        api.reply("list_timeslots", (200, [slot(text), slot(TIME)]))
        page = text_of(look(bob, quay, slot=quote(text)))

        assert "20:00" in page
        assert f"slot={quote(text, safe='')}" not in text_of(look(bob, quay, slot=""))

    def test_an_offer_has_its_name(self, api, bob, quay):
        api.reply("list_timeslots", (200, [slot(TIME, offers=[str(MENU)])]))
        page = text_of(look(bob, quay))

        assert "Tasting menu" in page
        assert f"offer={MENU}" in page

    def test_a_guarded_choice_is_explained_and_not_sold(self, api, bob, quay):
        rule = {"guaranteeType": "imprint", "amount": 20, "minimumPartySize": 4}
        api.reply("list_timeslots", (200, [slot(TIME, guaranteeRequirementList=[rule])]))
        page = text_of(look(bob, quay))

        assert "Card imprint of 20 EUR from 4 people" in page
        assert "Book for" not in page

    def test_sibling_restaurants_are_requested_only_on_demand(self, api, alice, quay, loft):
        look(alice, quay)
        params = len(api.sent("list_timeslots"))
        look(alice, quay, near="on")

        assert params == 2  # the lists of two dates: a service day ends after midnight
        assert any(str(loft.uuid) in request.path for request in api.sent("list_timeslots"))

    def test_the_day_can_be_chosen_before_the_size(self, api, bob, quay):
        page = text_of(look(bob, quay, size="", slot=""))

        assert "day=2026-01-18" in page
        assert 'type="date"' in page
        [request] = api.sent("list_availabilities")
        assert "partySize" not in request.path
        assert api.sent("list_timeslots") == []

    @pytest.mark.parametrize(
        ("day", "words"),
        [
            ("2030-01-03", "for Thu 3 Jan 2030: choose a day from today to 17 Jan 2028."),
            ("2026-01-16", "for Fri 16 Jan 2026: "),
            ("2026-01-18", ""),
        ],
    )
    def test_a_day_that_cannot_be_booked_is_named(self, api, bob, quay, day, words):
        """The top bar names it, and the choices are of today."""
        page = text_of(look(bob, quay, size="", slot="", day=day))

        assert ("Nothing can be booked" in page) is bool(words)
        assert words in page

    def test_the_date_field_keeps_the_other_choices(self, api, bob, quay):
        page = text_of(look(bob, quay, offer=MENU))
        form = page.partition('class="funnel__date ')[2].partition("</form>")[0]

        assert 'name="size" value="4"' in form
        assert f'name="offer" value="{MENU}"' in form
        assert 'name="slot"' not in form

    def test_times_stand_under_lunch_and_dinner(self, api, bob, quay):
        texts = ("2026-01-17T17:30:00+01:00", TIME, "2026-01-18T00:30:00+01:00")
        lunch = slot("2026-01-17T16:15:00+01:00")
        api.reply("list_timeslots", (200, [lunch, *map(slot, texts)]))
        page = text_of(look(bob, quay))

        assert page.index("<h3>Lunch</h3>") < page.index("16:15") < page.index("<h3>Dinner</h3>")
        assert page.count("<h3>Dinner</h3>") == 1

    def test_a_time_after_midnight_names_its_evening(self, api, bob, quay):
        early, late = "2026-01-18T00:30:00+01:00", "2026-01-18T20:00:00+01:00"
        api.reply("list_timeslots", (200, [slot(early), slot(late)]))
        page = text_of(look(bob, quay, slot=""))

        assert page.index("<h3>Dinner</h3>") < page.index("00:30")
        assert "After midnight: Sunday 18 January, in the service of Saturday." in page
        assert "20:00" not in page.partition("<h3>Dinner</h3>")[2]

    def test_a_full_day_offers_the_other_restaurants_at_once(self, api, alice, quay, loft):
        api.reply("list_timeslots", (200, []))
        page = text_of(look(alice, quay, slot=""))

        assert "Other restaurants of the group that day:" in page
        assert any(str(loft.uuid) in request.path for request in api.sent("list_timeslots"))

    def test_times_within_ninety_minutes_come_first(self, api, bob, quay):
        times = ("18:00", "19:00", "21:00", "22:45")
        api.reply("list_timeslots", (200, [slot(f"2026-01-17T{at}:00+01:00") for at in times]))
        page = text_of(look(bob, quay, slot="", want="20:00"))
        closest = page.partition("Closest:")[2].partition("</div>")[0]

        assert [at for at in times if at in closest] == ["19:00", "21:00"]

    def test_a_service_that_is_down_is_one_sentence(self, api, bob, quay):
        api.reply("list_party_sizes", (503, {"message": "Service Unavailable"}))

        page = text_of(look(bob, quay, slot=""))

        assert "The service is unavailable." in page
        assert "The times are not known now." in page
        assert "No table can be chosen here now: book in the reservation app meanwhile." in page
        assert api.sent("list_timeslots") == []


class TestGuest:
    def find(self, user, quay, text):
        return text_of(sign_in(user).post(address(quay), {"find": text}))

    @pytest.mark.parametrize("text", ["06 12 34 56 78", "+33612345678", "rossi", "MARIA@example"])
    def test_it_works(self, api, bob, quay, harbour, text):
        make_customer(
            harbour, phone="06 12 34 56 78", phone_e164="+33612345678", email="maria@example.org"
        )

        assert "Maria Rossi" in self.find(bob, quay, text)

    def test_it_is_kept_while_the_rest_is_chosen(self, api, bob, quay, harbour):
        guest = make_customer(harbour, last_name="Caller")
        client = sign_in(bob)
        client.post(address(quay, size="", slot=""), {"guest": guest.uuid})

        assert "Maria Caller" in text_of(client.get(address(quay)))
        assert "Maria Caller" not in text_of(client.get("/reservations/new/"))
        assert "Maria Caller" not in text_of(client.get(address(quay)))

    def test_the_next_caller_is_not_the_one_before(self, api, bob, quay, harbour):
        guest = make_customer(harbour, last_name="Caller")
        client = sign_in(bob)
        client.post(address(quay), {"guest": guest.uuid})

        with time_machine.travel(DINNER - timedelta(hours=3), tick=False):
            assert "Maria Caller" not in text_of(client.get(address(quay)))

    def test_a_number_that_nobody_has_is_the_new_guest_s(self, api, bob, quay):
        assert 'value="+33199001234"' in self.find(bob, quay, "01 99 00 12 34")

    def test_namesakes_can_be_distinguished(self, api, bob, quay, harbour):
        for number, city in enumerate(("Lyon", "Nantes")):
            phone, email = f"+3319900123{number}", f"m{number}@example.org"
            guest = make_customer(harbour, phone=phone, city=city, email=email)
            make_reservation(quay, customer=guest, meal_at=DINNER - timedelta(days=9 + number))
        page = self.find(bob, quay, "rossi")

        for shown in ("•••• 1230", "•••• 1231", "Lyon", "Nantes", "m•••@example.org"):
            assert shown in page
        assert f"Last visit 8 Jan 2026 · {quay}" in page
        assert f"Last visit 7 Jan 2026 · {quay}" in page
        assert "+33199001230" not in page

    def test_guests_are_found_while_somebody_types(self, api, bob, quay, harbour):
        make_customer(harbour)
        headers = {"HX-Request": "true", "HX-Target": "found"}
        answer = sign_in(bob).post(address(quay), {"find": "ros"}, headers=headers)

        assert "Maria Rossi" in text_of(answer)
        assert "<html" not in text_of(answer)
        assert api.requests == []

    def test_a_visit_beyond_reach_is_not_shown(self, api, bob, quay, loft, harbour):
        guest = make_customer(harbour)
        make_reservation(loft, customer=guest, meal_at=DINNER - timedelta(days=9))

        assert "No visit known" in self.find(bob, quay, "rossi")

    def test_guests_of_others_are_not_found(self, api, bob, quay, hill):
        make_customer(hill, last_name="Hidden")

        assert "Maria Hidden" not in self.find(bob, quay, "hidden")

    def test_the_form_omits_what_the_profile_has(self, api, bob, quay, harbour):
        guest = make_customer(harbour, email="m@example.org", locale="fr", civility="mrs")
        page = text_of(sign_in(bob).post(address(quay), {"guest": guest.uuid}))

        assert "id_email" not in page
        assert "m@example.org" not in page

    def test_the_form_has_what_the_profile_lacks(self, api, bob, quay, harbour):
        guest = make_customer(harbour, email="m@example.org")
        page = text_of(sign_in(bob).post(address(quay), {"guest": guest.uuid}))

        assert "id_civility" in page

    def test_the_form_has_an_address_that_the_service_would_refuse(self, api, bob, quay, harbour):
        guest = make_customer(harbour, email="jörg@example.org")
        page = text_of(sign_in(bob).post(address(quay), {"guest": guest.uuid}))

        assert "id_email" in page

    def test_a_number_is_previewed_as_it_will_be_sent(self, bob, quay):
        answer = sign_in(bob).post("/reservations/new/phone/", {"phone": "06 12 34 56 78"})

        assert "+33612345678" in text_of(answer)
