"""Every journey of a booking through our pages, compared with what the sandbox holds afterwards."""

import json
import re
from datetime import date, datetime, timedelta
from html import unescape
from urllib.parse import unquote
from uuid import UUID

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from outbox.models import Intent
from partner import factory
from partner.models import Token
from reservations.models import Reservation
from restaurants.testing import make_member, make_user, sign_in
from tests.contract.booking_pages import Funnel, after, day_in, find, latest, main_of, text_of
from tests.contract.places import carry, make_places

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
State = Intent.State
LARGE = 8  # in the sandbox every restaurant wants to decide about parties of this size
GUARDED_FROM = 6


@pytest.fixture(scope="module")
def the_sandbox(running_sandbox):
    """The sandbox of all these tests: every guest books once, so that none is in another's way."""
    running_sandbox.delete("faults")
    running_sandbox.post("limit", per_minute=0)
    running_sandbox.post("reset")
    yield running_sandbox
    assert running_sandbox.breaches() == {}


@pytest.fixture
def sandbox(the_sandbox):
    yield the_sandbox
    the_sandbox.delete("faults")


@pytest.fixture
def places(connect, sandbox):
    connect("full")
    sandbox.post("expire_tokens")  # each test has a database of its own, and so a token
    return make_places(sandbox.world)


@pytest.fixture
def lea(places):
    person = make_user("lea@example.org")
    make_member(person, places[0].group, "manager")
    return sign_in(person)


@pytest.fixture
def marc(places):
    person = make_user("marc@example.org")
    make_member(person, places[0], "staff")
    return sign_in(person)


@pytest.fixture
def funnel(lea, places):
    def funnel(place=places[0], *, in_days=3, size=2):
        return Funnel(lea, place, day=day_in(in_days), size=size)

    return funnel


@pytest.fixture
def truth(sandbox):
    def truth(uuid=None):
        found = sandbox.get(f"truth/reservation/{uuid or latest().result_uuid}")
        return found.get("payload") or found.get("answer") or found

    return truth


@pytest.fixture
def total(sandbox):
    def total():
        return sandbox.get("world")["counts"]["reservation"]

    return total


class TestBook:
    def test_it_works(self, funnel, truth):
        place = funnel()
        slot = place.times()[0]
        page = after(place.book(slot, restaurant_note="Window", customer_note="Cake"))

        assert "Confirmed" in page
        booked = truth()
        assert booked["mealDate"] == slot
        assert (booked["status"], booked["partySize"]) == ("RECORDED", 2)
        assert (booked["restaurantNote"], booked["customerNote"]) == ("Window", "Cake")

    def test_a_large_party_is_requested_and_not_confirmed(self, funnel, truth, lea):
        place, slot = free_time(funnel, size=LARGE)
        page = after(place.book(slot))

        assert "Asked, not confirmed" in page
        assert truth()["status"] == "REQUESTED"
        assert "Martin" in text_of(lea.get("/reservations/requests/"))

    def test_an_offer_is_booked_with_its_name_in_the_guests_language(self, funnel, truth):
        place = funnel()
        slot = place.times()[0]
        page = place.see(slot=slot).content.decode()
        offer = find(r"offer=([0-9a-f-]{36})", page)[1]
        after(place.book(slot, offer=offer))

        assert truth()["offerUuid"] == offer

    def test_an_offer_that_is_chosen_first_leads_to_its_days_and_times(
        self, funnel, lea, places, truth
    ):
        page = text_of(lea.get("/reservations/offers/", {"scope": places[0].uuid}))
        assert "Menu of the day, 2 courses" in page
        listed = factory.client().offers(places[0].uuid, locale="en").entity
        menu = next(one.uuid for one in listed if str(one.name).startswith("Menu of the day"))
        days = lea.get("/reservations/offers/days/", {"scope": places[0].uuid, "offer": menu})
        day = find(r"[?&]day=(\d{4}-\d\d-\d\d)", main_of(days))[1]
        place = funnel()
        place.state |= {"day": day, "offer": menu}
        slot = place.times()[0]
        after(place.book(slot, offer=menu))

        assert slot.startswith(day)
        assert (truth()["offerUuid"], truth()["mealDate"]) == (str(menu), slot)

    def test_a_time_that_needs_a_card_cannot_be_chosen(self, funnel, total):
        place, guarded = guarded_time(funnel)
        before = total()

        assert "from 6 people" in text_of(place.see(slot=guarded))
        assert place.book(guarded).status_code == 422
        assert total() == before

    def test_a_guarantee_that_only_the_service_knows_of_is_explained(self, funnel, sandbox):
        refusal = {"status": 400, "code": "PAYMENT_GUARANTEE_NOT_SUPPORTED"}
        sandbox.fault({"path": "create_reservation"}, **refusal)
        place = funnel()
        page = after(place.book(place.times()[0]))

        assert "needs a card guarantee" in page
        assert "Nothing was changed." in page
        assert latest().state == State.REFUSED

    def test_a_time_that_went_meanwhile_is_not_sent(self, funnel, total):
        place = funnel()
        slot = place.times()[0]
        place.see(slot=slot)
        switch(place, slot, is_open=False)
        before = total()
        answer = place.book(slot)

        assert answer.status_code == 422
        assert "not there any more" in text_of(answer)
        assert place.email in answer.content.decode()
        assert total() == before

    def test_a_time_that_goes_on_the_way_is_refused_with_other_times(self, funnel, total):
        place = funnel()
        slot = place.times()[0]
        answer = place.book(slot)
        switch(place, slot, is_open=False)
        before = total()
        page = after(answer)

        assert "no room" in page
        assert "Other times" in page
        assert total() == before

    def test_a_time_that_passes_at_midnight_is_not_sent(self, funnel, sandbox, total):
        place = funnel(in_days=1)
        slot = place.times()[0]
        late = datetime.fromisoformat(slot) + timedelta(seconds=30)
        seconds = (late - timezone.now()).total_seconds()
        sandbox.post("clock", advance_seconds=seconds)
        Token.objects.all().delete()  # it is too old there, and here
        before = total()
        with time_machine.travel(late):
            # A session lasts half a day, and the first time of tomorrow may be further ahead.
            place.client.force_login(User.objects.get(email="lea@example.org"))
            answer = place.book(slot)

            assert answer.status_code == 422
            assert Intent.objects.count() == 0
        sandbox.post("clock", offset_reset=True)
        assert total() == before

    def test_a_sibling_restaurant_takes_who_found_no_table(self, funnel, places, truth):
        page = nearby(unescape(funnel().see(near="on").content.decode()))
        scope, slot = find(r"scope=([0-9a-f-]{36})[^\"]*[?&]slot=([^&\"]+)", page).groups()
        assert UUID(scope) in {place.uuid for place in places[1:]}
        sibling = next(place for place in places if place.uuid == UUID(scope))
        after(funnel(sibling).book(unquote(slot)))

        assert truth()["restaurantUuid"] == scope

    def test_a_resent_form_is_one_booking(self, funnel, total):
        place = funnel()
        slot, key = place.times()[0], "0b7c2a2e-5f0c-4b53-8b7e-3d1f9a6c2f40"
        before = total()
        for _click in range(2):
            after(place.book(slot, key=key))

        assert total() == before + 1


def nearby(page):
    """The part of the page that names the sibling restaurants' times."""
    return page[page.index('id="near"') :]


def guarded_time(funnel):
    """A time that a large party cannot have without a card, unless it takes an offer."""
    return first_time(funnel, size=GUARDED_FROM, is_guarded=True)


def free_time(funnel, *, size):
    """A time that a party of this size can have without a card."""
    return first_time(funnel, size=size, is_guarded=False)


def first_time(funnel, *, size, is_guarded):
    for days in range(1, 14):
        place = funnel(size=size, in_days=days)
        for slot in raw_slots(place):
            if bool(slot.guarantee_for(size)) == is_guarded:
                return place, slot.datetime
    raise AssertionError("no such time in a fortnight")


def raw_slots(place):
    client = factory.client()
    scope, day, size = (place.state[name] for name in ("scope", "day", "size"))
    return client.timeslots(scope, day=day, party_size=size).entity


def switch(place, slot, *, is_open):
    local_time = slot[11:16]
    day = date.fromisoformat(slot[:10])
    factory.client().override_availability(
        place.state["scope"], day=day, start_time=local_time, end_time=local_time, is_open=is_open
    )


class TestChanges:
    """Change, note and cancel; each compared with what the sandbox holds."""

    @pytest.fixture
    def booked(self, funnel):
        place = funnel()
        after(place.book(place.times()[0], restaurant_note="Window"))
        uuid = latest().result_uuid
        assert uuid
        return Reservation.objects.get(uuid=uuid)

    def fill_in(self, client, address, **data):
        page = client.get(address).content.decode()
        hidden = dict(re.findall(r'name="(key|seen|slot|size)" value="([^"]*)"', page))
        return client.post(
            address.split("?")[0], {n: unescape(v) for n, v in hidden.items()} | data
        )

    def other_time(self, client, booked, *, size):
        address = f"/reservations/{booked.uuid}/change/?size={size}"
        page = unescape(client.get(address).content.decode())
        times = [unquote(text) for text in re.findall(r"[?&]slot=([^&\"]+)", page)]
        return next(text for text in times if text != booked.meal_date_text)

    def change(self, client, booked, *, size=2):
        slot = self.other_time(client, booked, size=size)
        query = f"?size={size}&day={slot[:10]}&slot={slot.replace('+', '%2B')}"
        return self.fill_in(client, f"/reservations/{booked.uuid}/change/{query}"), slot

    def test_a_change_leaves_the_note_alone(self, lea, booked, truth):
        answer, slot = self.change(lea, booked, size=3)
        page = after(answer)

        assert "Saved" in page
        now = truth(booked.uuid)
        assert (now["mealDate"], now["partySize"]) == (slot, 3)
        assert now["restaurantNote"] == "Window"

    def test_a_note_leaves_time_and_size_alone(self, lea, booked, truth):
        address = f"/reservations/{booked.uuid}/note/"
        before = truth(booked.uuid)
        after(self.fill_in(lea, address, note="Window\r\ntable"))
        assert truth(booked.uuid)["restaurantNote"] == "Window\ntable"

        after(self.fill_in(lea, address, note=""))
        now = truth(booked.uuid)
        assert now["restaurantNote"] is None
        assert now["mealDate"] == before["mealDate"]

    def test_a_cancellation_can_be_undone_and_then_made(self, lea, booked, truth):
        address = f"/reservations/{booked.uuid}/cancel/"
        self.fill_in(lea, address)
        lea.post(f"/reservations/changes/{latest().key}/undo/")
        carry()
        assert truth(booked.uuid)["status"] == "RECORDED"

        after(self.fill_in(lea, address, reason="Kitchen closed"))
        assert truth(booked.uuid)["status"] == "CANCELED"
        assert latest().state == State.DONE

    def test_the_second_of_two_people_sees_the_first_before_anything_is_sent(
        self, lea, marc, booked, truth
    ):
        first, slot = self.change(lea, booked)
        second, _slot = self.change(marc, booked, size=4)
        after(first)
        page = after(second)

        assert truth(booked.uuid)["partySize"] == 2
        assert f"Changed meanwhile: now {slot[11:16]}, 2 people. Your change was not sent." in page
        assert "Keep theirs" in page
        again = latest()
        after(marc.post(f"/reservations/changes/{again.key}/again/"))
        assert truth(booked.uuid)["partySize"] == 4

    def test_keeping_theirs_closes_the_question(self, lea, marc, booked, truth):
        first, _slot = self.change(lea, booked)
        second, _slot = self.change(marc, booked, size=4)
        after(first)
        after(second)
        page = after(marc.post(f"/reservations/changes/{latest().key}/keep/"))

        assert "Keep theirs" not in page
        assert truth(booked.uuid)["partySize"] == 2

    def test_a_form_from_before_a_colleagues_change_stops_at_once(self, lea, marc, booked, truth):
        slot = self.other_time(marc, booked, size=2)
        query = f"?size=4&day={slot[:10]}&slot={slot.replace('+', '%2B')}"
        page = marc.get(f"/reservations/{booked.uuid}/change/{query}").content.decode()
        hidden = dict(re.findall(r'name="(key|seen|slot|size)" value="([^"]*)"', page))
        first, _slot = self.change(lea, booked, size=3)
        after(first)
        data = {name: unescape(value) for name, value in hidden.items()}
        answer = marc.post(f"/reservations/{booked.uuid}/change/", data)

        assert answer.status_code == 422
        assert "Apply mine again" in text_of(answer)
        assert truth(booked.uuid)["partySize"] == 3


class TestSwitch:
    def test_it_works(self, lea, places, sandbox):
        day = day_in(4)
        about = {"day": day, "start": "19:00", "end": "20:00"}
        page = lea.get("/reservations/availability/", about | {"scope": places[0].uuid})
        key = find(r'name="key" value="([^"]+)"', page.content.decode())[1]
        address = f"/reservations/availability/?scope={places[0].uuid}"
        answer = lea.post(address, about | {"key": key, "is_open": "no"})
        after(answer)

        slots = factory.client().timeslots(places[0].uuid, day=day).entity
        local_times = [(slot.datetime or "")[11:16] for slot in slots]
        assert local_times
        assert not [local_time for local_time in local_times if "19:00" <= local_time <= "20:00"]
        assert latest().state == State.DONE


def test_what_was_sent_is_kept_character_for_character(funnel):
    place = funnel()
    after(place.book(place.times()[0]))

    assert json.loads(latest().answer)["reservationUuid"] == str(latest().result_uuid)
