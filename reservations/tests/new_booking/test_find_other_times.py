"""Free tables near the wanted time, on other days, at sibling restaurants, or without a slot."""

from datetime import timedelta
from urllib.parse import quote

import pytest
from django.core.cache import cache

from customers.testing import make_customer
from outbox.models import Intent
from partner.testing import FULL_SCOPES, FakeTransport, speak_through
from reservations.testing import DINNER, make_reservation
from reservations.tests.new_booking.steps import MENU, TIME, look, send, slot, text_of
from restaurants.testing import sign_in

UNRESTRICTED = f"{FULL_SCOPES} svc-restaurant:unrestricted-reservations"
NEW = "/reservations/new/"


pytestmark = pytest.mark.usefixtures("before_dinner")


@pytest.fixture
def answers(db):
    days = [{"date": f"2026-01-{day}", "hasNormalStock": day != 17} for day in (17, 18, 20)]
    return FakeTransport(
        list_party_sizes=(200, [2, 4, 9]),
        list_availabilities=(200, days),
        list_timeslots=(
            200,
            [slot(f"2026-01-17T{local_time}:00+01:00") for local_time in ("19:00", "21:30")],
        ),
        list_offers=(200, [{"uuid": str(MENU), "name": "Menu dégustation"}]),
    )


@pytest.fixture
def api(answers):
    speak_through(answers)
    return answers


def funnel_of(response):
    """The choices of the page, without the bars around them."""
    return text_of(response).partition('id="booking"')[2]


class TestNear:
    def test_a_time_that_is_full_leads_to_the_closest(self, api, bob, quay):
        page = text_of(look(bob, quay, slot="", want="20:00"))

        assert "20:00 cannot be had for 4." in page
        assert page.index("Closest:") < page.index("19:00")

    def test_a_time_that_is_listed_twice_is_shown_once(self, api, bob, quay):
        at_seven = "2026-01-17T19:00:00+01:00"
        once = funnel_of(look(bob, quay, slot="")).count("19:00")
        api.reply(
            "list_timeslots", (200, [slot(at_seven), slot(at_seven), slot("2026-01-17T18:00:00Z")])
        )
        cache.clear()

        assert funnel_of(look(bob, quay, slot="")).count("19:00") == once > 0

    def test_a_full_day_leads_to_the_next_free_one(self, api, bob, quay):
        api.reply("list_timeslots", (200, []))
        page = text_of(look(bob, quay, slot=""))

        assert "Next days with room:" in page
        assert "Sun 18 Jan" in page

    def test_the_next_days_are_those_after_the_chosen_one(self, api, bob, quay):
        api.reply("list_timeslots", (200, []))
        page = text_of(look(bob, quay, slot="", day="2026-01-19"))
        next_days = page.partition("Next days with room:")[2].partition("</div>")[0]

        assert "Tue 20 Jan" in next_days
        assert "Sun 18 Jan" not in next_days

    @pytest.mark.parametrize("stock", [(True, False), (False, True), (None, True), ("unstated",)])
    def test_a_day_that_is_listed_twice_is_free_when_either_entry_is(self, api, bob, quay, stock):
        """And one that is listed without a word of its stock."""
        days = [{"date": "2026-01-18", "hasNormalStock": one} for one in stock]
        bare = [{"date": "2026-01-18"}]
        api.reply("list_availabilities", (200, bare if "unstated" in stock else days))
        api.reply("list_timeslots", (200, []))

        page = text_of(look(bob, quay, slot=""))

        assert "Next days with room:" in page
        assert "Sun 18 Jan" in page.partition("Next days with room:")[2]

    @pytest.mark.parametrize(
        "text", [TIME, "2026-01-17T19:00:00Z", "2026-01-17T20:00:00.000+01:00"]
    )
    def test_a_slots_text_comes_back_as_it_was(self, api, bob, quay, text):
        api.reply("list_timeslots", (200, [slot(text)]))
        link = f"slot={quote(text, safe='')}"

        assert link in text_of(look(bob, quay, slot=""))
        assert send(bob, quay, state={"slot": quote(text, safe="")}).status_code == 302
        assert Intent.objects.get().payload["meal_date"] == text


class TestAnywhere:
    def page(self, user, **params):
        return sign_in(user).get("/reservations/new/anywhere/", params)

    def test_it_works(self, api, alice, harbour, quay, loft):
        page = text_of(self.page(alice, group=harbour.uuid, size=4, day="2026-01-17"))

        assert "Quay" in page
        assert f"scope={loft.uuid}" in page
        assert f"slot={quote('2026-01-17T19:00:00+01:00', safe='')}" in page

    def test_nothing_is_requested_before_a_size_is_chosen(self, api, alice, harbour):
        self.page(alice, group=harbour.uuid)

        assert api.requests == []

    def test_only_restaurants_within_reach_are_requested(self, api, bob, harbour, loft, cellar):
        page = text_of(self.page(bob, group=harbour.uuid, size=4))

        assert "Loft" not in page
        assert "Cellar" not in page

    def test_a_service_that_is_down_is_requested_once(self, api, alice, harbour):
        api.reply("list_timeslots", (503, {"message": "Service Unavailable"}))
        page = text_of(self.page(alice, group=harbour.uuid, size=4))

        assert "The service is unavailable." in page


class TestOfferFirst:
    """An offer that is chosen before size, day and time narrows all three."""

    chosen = {"offer": MENU}  # noqa: RUF012  # read only

    @pytest.fixture
    def narrowed(self, api):
        api.reply("list_timeslots", (200, [slot(TIME, offers=[str(MENU)])]))
        days = [{"date": f"2026-01-{day}", "hasNormalStock": True} for day in (17, 18)]
        days[1]["offerList"] = [str(MENU)]
        api.reply("list_availabilities", (200, days))
        return api

    def test_sizes_days_and_times_are_requested_for_the_offer(self, narrowed, bob, quay):
        look(bob, quay, **self.chosen)

        times = ["list_timeslots"] * 2  # of the evening, and of its night
        for operation in ("list_party_sizes", "list_availabilities", *times):
            assert all(f"offerUuid={MENU}" in one.path for one in narrowed.sent(operation))
        requested = sorted(one.operation for one in narrowed.requests if "offerUuid" in one.path)
        assert requested == ["list_availabilities", "list_party_sizes", *times]

    def test_without_an_offer_nothing_is_narrowed(self, api, bob, quay):
        look(bob, quay)

        assert not [request for request in api.requests if "offerUuid" in request.path]

    def test_a_day_without_the_offer_is_not_free(self, narrowed, bob, quay):
        page = funnel_of(look(bob, quay, slot="", day="2026-01-19", **self.chosen))
        days = page.partition('class="chips days"')[2]
        strip = {
            day: days.partition(f"day=2026-01-{day}")[2].partition("</a>")[0] for day in (17, 18)
        }

        assert "nothing free" in strip[17]
        assert "nothing free" not in strip[18]

    def test_it_is_kept_through_every_choice_and_can_be_taken_away(self, narrowed, bob, quay):
        page = funnel_of(look(bob, quay, slot="", **self.chosen))

        assert "Only the sizes, days and times of this offer are shown." in page
        assert "Menu dégustation" in page
        for choice in ("&amp;size=2", "&amp;day=2026-01-18", f"&amp;slot={quote(TIME, safe='')}"):
            link = page.partition(choice)[0].rpartition('href="')[2]
            assert f"offer={MENU}" in link
        without = page.partition("Without this offer")[0].rpartition("<a ")[2]
        assert "offer=" not in without

    def test_a_time_that_this_offer_guards_is_not_sold_though_others_are(self, narrowed, bob, quay):
        rule = {"guaranteeType": "prepayment", "amount": 45, "offerUuid": str(MENU)}
        guarded = slot(TIME, offers=[str(MENU)], guaranteeRequirementList=[rule])
        narrowed.reply("list_timeslots", (200, [guarded]))
        page = funnel_of(look(bob, quay, slot="", **self.chosen))

        assert "Prepayment of 45 EUR" in page
        assert "&amp;slot=" not in page

    def test_it_is_booked_with_the_offer(self, narrowed, bob, quay):
        assert send(bob, quay, state=self.chosen).status_code == 302
        assert Intent.objects.get().payload["offer_uuid"] == str(MENU)

    def test_nothing_for_it_says_so_of_the_offer(self, narrowed, bob, quay):
        narrowed.reply("list_party_sizes", (200, []))
        page = funnel_of(look(bob, quay, size="", slot="", **self.chosen))

        assert "This offer cannot be booked in this fortnight." in page

    def test_times_are_shown_though_its_words_cannot_be_read(self, narrowed, bob, quay):
        narrowed.reply("list_offers", (403, {"message": "Forbidden"}))
        page = funnel_of(look(bob, quay, slot="", **self.chosen))

        assert "20:00" in page
        assert "Chosen offer" in page


class TestWithoutSlot:
    free = {"free": "on", "want": "22:45", "slot": ""}  # noqa: RUF012  # read only

    def test_it_works(self, answers, bob, quay):
        speak_through(answers, scopes=UNRESTRICTED)
        page = text_of(look(bob, quay, **self.free))
        assert "without looking at its own stock" in page
        assert "Book for 4 people" in page

        assert send(bob, quay, state=self.free).status_code == 302
        submit = Intent.objects.get().payload
        assert submit["meal_date"] == "2026-01-17T22:45:00+01:00"
        assert submit["without_slot"] is True
        assert answers.requests == []

    def test_without_the_scope_there_is_no_such_switch(self, api, bob, quay):
        page = text_of(look(bob, quay, **self.free))

        assert "without looking at its own stock" not in page
        assert "Book without a published time" not in page
        assert send(bob, quay, state=self.free).status_code == 422
        assert not Intent.objects.exists()

    def test_it_is_never_the_default(self, answers, bob, quay):
        speak_through(answers, scopes=UNRESTRICTED)

        assert "without looking at its own stock" not in text_of(look(bob, quay))
        assert "Book without a published time" in text_of(look(bob, quay))

    def test_a_past_time_is_not_sent(self, answers, bob, quay):
        speak_through(answers, scopes=UNRESTRICTED)
        past = self.free | {"want": "12:00"}

        assert send(bob, quay, state=past).status_code == 422


class TestGuest:
    def test_offers_are_in_the_guests_language(self, api, bob, quay, harbour):
        api.reply("list_timeslots", (200, [slot(TIME, offers=[str(MENU)])]))
        guest = make_customer(harbour, email="m@example.org", locale="fr_FR", civility="mrs")
        sign_in(bob).post(
            f"{NEW}?scope={quay.uuid}&size=4&slot={quote(TIME)}&day=2026-01-17",
            {"guest": guest.uuid},
        )

        assert "locale=fr_FR" in str(api.sent("list_offers")[-1])

    def test_a_booking_on_its_way_counts_for_the_evening(self, api, bob, quay):
        api.reply("list_timeslots", (200, [slot(TIME)]))
        send(bob, quay)
        answer = send(bob, quay)

        assert answer.status_code == 422
        assert "expected that evening already" in text_of(answer)
        assert Intent.objects.count() == 1

    def test_the_evening_is_shown_beside_with_the_new_party(self, api, bob, quay):
        api.reply("list_timeslots", (200, [slot(TIME)]))
        make_reservation(quay, party_size=6)
        page = text_of(look(bob, quay))

        assert "At 20:00: 6 covers arrive already." in page
        assert "that-evening__ghost" in page


class TestCounter:
    def test_it_works(self, bob, quay):
        make_reservation(quay, status="REQUESTED", meal_at=DINNER + timedelta(days=2))

        assert 'href="/reservations/requests/"' in text_of(sign_in(bob).get(NEW))

    def test_nothing_to_decide_is_not_counted(self, bob, quay):
        make_reservation(quay, status="REQUESTED", meal_at=DINNER - timedelta(days=1))

        assert "/reservations/requests/" not in text_of(sign_in(bob).get("/reservations/new/"))

    def test_other_restaurants_are_not_counted(self, charlie, quay):
        make_reservation(quay, status="REQUESTED", meal_at=DINNER + timedelta(days=2))

        assert "/reservations/requests/" not in text_of(sign_in(charlie).get("/reservations/new/"))
