"""A new booking: from the restaurant to the answer, personal data never in the address."""

from datetime import timedelta
from html import unescape
from uuid import UUID, uuid4

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import override

from customers.testing import make_customer
from outbox import engine
from outbox.models import Intent
from partner.testing import FakeTransport, recorded, speak_through
from partner.wording import vocabulary
from reservations import actions
from reservations.models import ENDED
from reservations.testing import DINNER, make_intent, make_reservation
from reservations.words import notice_of
from restaurants.testing import sign_in

TIME = "2026-01-17T20:00:00+01:00"
MENU = UUID("5b0e0a52-0f3c-4b0e-9a5d-6f0d3a1c7e11")
GUEST = {
    "email": "jo@example.com",
    "first_name": "Jo",
    "last_name": "Martin",
    "phone": "01 99 00 12 34",
    "locale": "fr_FR",
    "civility": "mx",
}
SENT = GUEST | {"phone": "+33199001234"}
State = Intent.State


def slot(text, **changes):
    known = {"datetime": text, "offers": None, "hasNormalStock": True}
    rules = {"hasPaymentGuaranteeRequirement": False, "guaranteeRequirementList": []}
    return known | rules | changes


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture
def api(db):
    transport = FakeTransport(
        list_party_sizes=(200, [2, 4, 9]),
        list_availabilities=(200, [{"date": "2026-01-17", "hasNormalStock": True}]),
        list_timeslots=(200, [slot(TIME), slot("2026-01-17T12:00:00+01:00")]),
        list_offers=(200, [{"uuid": str(MENU), "name": "Tasting menu", "price": 65}]),
    )
    speak_through(transport)
    return transport


def address(quay, **state):
    known = {"scope": quay.uuid, "day": "2026-01-17", "size": 4, "slot": TIME.replace("+", "%2B")}
    return "/reservations/new/?" + "&".join(f"{k}={v}" for k, v in (known | state).items() if v)


def look(user, quay, **state):
    return sign_in(user).get(address(quay, **state))


def send(user, quay, *, state=None, **fields):
    known = {"step": "confirm", "key": uuid4()} | GUEST
    data = {name: value for name, value in (known | fields).items() if value is not None}
    return sign_in(user).post(address(quay, **state or {}), data)


def text_of(response):
    return response.content.decode()


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

        assert params == 1
        assert any(str(loft.uuid) in request.path for request in api.sent("list_timeslots"))

    def test_the_day_can_be_chosen_before_the_size(self, api, bob, quay):
        page = text_of(look(bob, quay, size="", slot=""))

        assert "day=2026-01-18" in page
        assert 'type="date"' in page
        [request] = api.sent("list_availabilities")
        assert "partySize" not in request.path
        assert api.sent("list_timeslots") == []

    def test_the_date_field_keeps_the_other_choices(self, api, bob, quay):
        page = text_of(look(bob, quay, offer=MENU))
        form = page.partition('class="funnel__date"')[2].partition("</form>")[0]

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
        page = text_of(look(bob, quay, day="2026-01-18", slot=""))

        assert (
            page.index("Dinner, Sat 17 Jan") < page.index("00:30") < page.index("<h3>Dinner</h3>")
        )

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

        assert "The service is unavailable." in text_of(look(bob, quay))
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


class TestConfirm:
    def test_it_works(self, api, bob, quay):
        answer = send(bob, quay, customer_note="High chair")

        intent = Intent.objects.get()
        assert answer.headers["Location"] == f"/reservations/wishes/{intent.key}/"
        assert intent.action == actions.CREATE
        assert intent.payload["meal_date"] == TIME
        assert intent.payload["customer"] == GUEST | {"phone": "+33199001234"}
        assert intent.payload["customer_note"] == "High chair"

    def test_a_form_sent_twice_is_one_booking(self, api, bob, quay):
        key = uuid4()
        send(bob, quay, key=key)
        send(bob, quay, key=key)

        assert Intent.objects.count() == 1

    def test_a_known_guest_is_sent_from_the_profile(self, api, bob, quay, harbour):
        guest = make_customer(harbour, email="m@example.org", locale="fr", civility="mrs")
        send(bob, quay, guest=guest.uuid, **dict.fromkeys(GUEST))

        assert Intent.objects.get().payload["customer"]["email"] == "m@example.org"

    @pytest.mark.parametrize("field", ["email", "first_name", "last_name", "locale", "civility"])
    def test_what_the_service_demands_is_demanded(self, api, bob, quay, field):
        assert send(bob, quay, **{field: ""}).status_code == 422
        assert not Intent.objects.exists()

    def test_an_international_domain_is_sent_in_ascii(self, api, bob, quay):
        send(bob, quay, email="jo@exämple.de")

        assert Intent.objects.get().payload["customer"]["email"] == "jo@xn--exmple-cua.de"

    def test_each_field_states_what_the_service_accepts(self, api, bob, quay):
        answer = send(bob, quay, email="jörg@exämple.de")
        page = text_of(answer)

        assert answer.status_code == 422
        assert not Intent.objects.exists()
        data = page[page.index('id="id_email_error"') :]
        assert "no letter with an accent" in data[: data.index("</p>")]

    def test_notes_have_their_limit(self, api, bob, quay):
        assert send(bob, quay, restaurant_note="a" * 1001).status_code == 422

    def test_a_time_that_is_gone_is_not_sent_and_the_guest_is_kept(self, api, bob, quay):
        api.reply("list_timeslots", (200, []))
        answer = send(bob, quay)

        assert answer.status_code == 422
        assert "not there any more" in text_of(answer)
        assert "jo@example.com" in text_of(answer)
        assert not Intent.objects.exists()

    def test_a_guest_who_is_expected_already_is_warned_about(self, api, bob, quay, harbour):
        guest = make_customer(harbour, email="JO@example.com")
        other = make_reservation(quay, customer=guest)
        answer = send(bob, quay)

        assert answer.status_code == 422
        assert "expected that evening already" in text_of(answer)
        assert f'<a href="{other.get_absolute_url()}">20:00 · 2 · {quay}</a>' in text_of(answer)
        assert send(bob, quay, anyway="on").status_code == 302

    def test_an_outage_keeps_every_choice(self, api, bob, quay, harbour):
        guest = make_customer(harbour, last_name="Caller", email="m@example.org", locale="fr")
        client = sign_in(bob)
        client.post(address(quay), {"guest": guest.uuid})
        for operation in ("list_party_sizes", "list_availabilities", "list_timeslots"):
            api.reply(operation, (503, {"message": "Service Unavailable"}))
        cache.clear()
        page = text_of(client.get(address(quay)))

        assert "your choices are kept" in page
        assert "Book for 4 people" in page
        assert "Maria Caller" in page
        typed = {"step": "confirm", "key": uuid4(), "guest": guest.uuid, "civility": "mrs"}
        assert client.post(address(quay), typed | {"customer_note": "Window"}).status_code == 302
        sent = Intent.objects.get().payload
        assert (sent["meal_date"], sent["party_size"]) == (TIME, 4)
        assert (sent["guest"], sent["customer_note"]) == (str(guest.pk), "Window")

    def test_an_outage_keeps_what_was_typed(self, api, bob, quay):
        api.reply("list_party_sizes", (503, {"message": "Service Unavailable"}))
        page = text_of(send(bob, quay, email="", customer_note="Window"))

        assert "Window" in page
        assert 'value="Martin"' in page
        assert "20:00" in page

    def test_guest_and_restaurant_are_named_before_and_after(self, api, bob, quay, harbour):
        guest = make_customer(harbour, email="m@example.org", locale="fr", civility="mrs")
        client = sign_in(bob)
        before = text_of(client.post(address(quay), {"guest": guest.uuid}))
        data = {"step": "confirm", "key": uuid4(), "guest": guest.uuid}
        after = text_of(client.post(address(quay), data, follow=True))

        for page in (before, after):
            named = page.partition('id="main"')[2]
            assert "<bdi>Maria Rossi</bdi>" in named
            assert "· Quay" in named
            assert "Sat 17 Jan, 20:00" in named

    def test_a_service_that_is_down_takes_the_intent_later(self, api, bob, quay):
        api.reply("list_timeslots", (503, {"message": "Service Unavailable"}))

        assert send(bob, quay).status_code == 302

    def test_an_unticked_newsletter_is_not_sent(self, api, bob, quay):
        send(bob, quay)
        assert "newsletter" not in Intent.objects.get().payload["customer"]

        send(bob, quay, newsletter="on", email="other@example.com")
        assert Intent.objects.latest("pk").payload["customer"]["newsletter"] is True


class TestAnswer:
    def result(self, user, quay, **fields):
        intent = make_intent(
            quay,
            action=actions.CREATE,
            uuid=None,
            payload={"meal_date": TIME, "party_size": 4, "customer": {"email": "jo@example.com"}},
            **fields,
        )
        return sign_in(user).get(f"/reservations/wishes/{intent.key}/")

    def answered(self, status):
        answer = recorded("create_reservation") | {"status": status}
        return str(answer).replace("'", '"').replace("None", "null").replace("False", "false")

    def test_it_works(self, bob, quay):
        page = self.result(bob, quay, state=State.DONE, answer=self.answered("RECORDED"))

        assert "Confirmed" in text_of(page)

    def test_a_request_is_not_called_confirmed(self, bob, quay):
        page = text_of(self.result(bob, quay, state=State.DONE, answer=self.answered("REQUESTED")))

        assert "Asked, not confirmed" in page
        assert "Confirmed" not in page

    @pytest.mark.parametrize(
        "answer", ['{"status": "\\ud83c\\u0000"}', "[1]", "NaN", "[" * 5000, ""]
    )
    def test_an_odd_answer_is_shown_all_the_same(self, bob, quay, answer):
        page = self.result(bob, quay, state=State.DONE, answer=answer)

        assert page.status_code == 200

    @pytest.mark.parametrize("status", [*sorted(vocabulary.STATUSES), "WAIT_LISTED", "onHold"])
    @pytest.mark.parametrize("language", ["en", "fr", "es"])
    def test_no_status_is_shown_as_the_service_spells_it(self, api, bob, quay, status, language):
        bob.language = language
        bob.save()
        known = {"status": status, "restaurantUuid": str(quay.uuid)}
        booked = recorded("create_reservation") | known
        api.reply("create_reservation", (200, booked))
        intent = make_intent(
            quay,
            action=actions.CREATE,
            uuid=None,
            payload={"meal_date": TIME, "party_size": 4, "customer": SENT},
        )
        engine.work(now=timezone.now())
        row = make_reservation(quay, uuid=booked["reservationUuid"], status=status)

        for address in (f"/reservations/wishes/{intent.key}/", row.get_absolute_url()):
            html = text_of(sign_in(bob).get(address))
            with override(language):
                assert str(notice_of(status).title) in unescape(html), address
            assert status not in html, address

    @pytest.mark.parametrize("status", sorted(ENDED))
    def test_a_booking_without_a_table_leads_to_other_times(self, bob, quay, status):
        page = text_of(self.result(bob, quay, state=State.DONE, answer=self.answered(status)))

        assert "There is no table" in page or "did not come" in page
        assert "Other times" in page
        assert "notice--good" not in page
        assert ">Book: Done<" not in page

    def test_an_unknown_end_is_a_question(self, bob, quay):
        page = text_of(self.result(bob, quay, state=State.ASKS))

        assert "Try again" in page
        assert "Confirmed" not in page

    def test_a_clash_shows_what_the_guest_has_that_evening(self, bob, quay, harbour):
        guest = make_customer(harbour, email="jo@example.com")
        other = make_reservation(quay, customer=guest)
        page = self.result(bob, quay, state=State.REFUSED, problem="DOUBLE_BOOKING")

        assert f'<a href="{other.get_absolute_url()}">20:00 · 2 · {quay}</a>' in text_of(page)

    def test_outsiders_find_nothing(self, charlie, quay):
        assert self.result(charlie, quay).status_code == 404
