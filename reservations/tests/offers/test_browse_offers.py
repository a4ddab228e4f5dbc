"""Offers by themselves: what is on sale, on which days, for how many, and what is not known."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
import time_machine

from partner.testing import FULL_SCOPES, FakeTransport, speak_through
from reservations.testing import DINNER, make_reservation
from reservations.tests.new_booking.steps import slot, text_of
from restaurants.testing import sign_in

MENU = UUID("5b0e0a52-0f3c-4b0e-9a5d-6f0d3a1c7e11")
DISCOUNT = UUID("0b7c2a2e-5f0c-4b53-8b7e-3d1f9a6c2f40")
OFFERS = "/reservations/offers/"
DAYS = "/reservations/offers/days/"
SIZES = "/reservations/offers/sizes/"
DOWN = (503, {"message": "Service Unavailable"})
TIME = "2026-01-20T20:00:00+01:00"
LISTED: list[dict[str, object]] = [
    {"uuid": str(MENU), "name": "Tasting menu", "description": "Without drinks", "price": 65},
    {"uuid": str(DISCOUNT), "name": "20% off the bill", "description": None, "price": None},
]


def on_sale(day, *offers):
    return {"date": day, "hasNormalStock": True, "offerList": [str(one) for one in offers]}


def only_in_french(request):
    nameless = (200, [{"uuid": str(MENU), "price": 65}])
    return nameless if "locale=fr" in request.path else DOWN


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture
def answers(db):
    return FakeTransport(
        list_offers=(200, LISTED),
        list_availabilities=(200, [on_sale("2026-01-20", MENU), on_sale("2026-01-22", MENU)]),
        list_party_sizes=(200, [1, 2, 3, 6]),
        list_timeslots=(200, [slot(TIME, offers=[str(MENU)])]),
    )


@pytest.fixture
def api(answers):
    speak_through(answers)
    return answers


def see(user, quay, path=OFFERS, **params):
    page = text_of(sign_in(user).get(path, {"scope": quay.uuid} | params))
    return page.partition("<main")[2].partition("</main>")[0] or page


class TestList:
    def test_an_offer_has_its_words_price_and_days(self, api, bob, quay):
        page = see(bob, quay)

        assert "Tasting menu" in page
        assert "Without drinks" in page
        assert "65.00 EUR" in page
        assert "Tue, Thu · 2 days · next Tue 20 January" in page

    @pytest.mark.parametrize("price", [10**12, 10**30, -(10**30), 1e300], ids=str)
    def test_a_price_that_no_page_can_round_is_not_known(self, api, bob, quay, price):
        api.reply("list_offers", (200, [LISTED[0] | {"price": price}]))
        page = see(bob, quay)

        assert "Tasting menu" in page
        assert "EUR" not in page

    def test_an_offer_without_a_free_day_says_so(self, api, bob, quay):
        page = see(bob, quay)

        assert "20% off the bill" in page
        assert "No day free" in page

    def test_kind_discount_and_card_are_those_of_its_bookings(self, api, bob, quay):
        make_reservation(quay, offer_uuid=DISCOUNT, offer_type="promotion", offer_discount=20)
        make_reservation(
            quay, offer_uuid=MENU, offer_type="presetMenu", offer_menu_type="card_brand"
        )
        page = see(bob, quay)

        assert "Promotion" in page
        assert "−20 %" in page
        assert "Holders of one brand of card only" in page

    def test_the_latest_booking_tells_the_kind(self, api, bob, quay):
        for days, kind in ((0, "brunch"), (-3, "generic")):
            at = DINNER + timedelta(days=days)
            make_reservation(
                quay,
                meal_at=at,
                offer_uuid=MENU,
                offer_type="presetMenu",
                offer_menu_type=kind,
            )
        page = see(bob, quay)

        assert "Brunch" in page
        assert "Set menu" not in page

    def test_bookings_of_other_restaurants_tell_nothing(self, api, bob, quay, cellar, loft):
        for place in (cellar, loft):
            make_reservation(place, offer_uuid=DISCOUNT, offer_type="promotion", offer_discount=33)

        assert "33" not in see(bob, quay)

    def test_an_offer_on_sale_that_is_not_listed_is_shown(self, api, bob, quay):
        hidden = uuid4()
        api.reply("list_availabilities", (200, [on_sale("2026-01-20", hidden)]))

        assert f"Offer {str(hidden)[:8]}" in see(bob, quay)

    def test_it_leads_to_the_days_and_to_a_booking(self, api, bob, quay):
        page = see(bob, quay)

        assert f"{DAYS}?scope={quay.uuid}&amp;offer={MENU}" in page
        assert f"/reservations/new/?scope={quay.uuid}&amp;offer={MENU}&amp;day=2026-01-20" in page

    def test_nothing_on_sale_is_an_empty_page(self, api, bob, quay):
        api.reply("list_offers", (200, []))
        api.reply("list_availabilities", (200, []))

        assert "No offer on sale" in see(bob, quay)

    def test_an_outage_says_what_is_not_known_and_shows_what_bookings_tell(self, api, bob, quay):
        api.reply("list_offers", DOWN)
        names = {"en_GB": "Menu of the chef"}
        make_reservation(quay, offer_uuid=MENU, offer_type="presetMenu", offer_name=names)
        page = see(bob, quay)

        assert "The service is unavailable." in page
        assert "Menu of the chef" in page
        assert "Whether they are on sale now is not known." in page
        assert "No offer on sale" not in page
        assert api.sent("list_availabilities") == []

    def test_unknown_days_are_not_called_free_or_full(self, api, bob, quay):
        api.reply("list_availabilities", DOWN)
        page = see(bob, quay)

        assert "Tasting menu" in page
        assert "Not known now" in page
        assert "No day free" not in page

    def test_without_the_scope_nothing_is_requested_and_days_are_shown(self, answers, bob, quay):
        speak_through(answers, scopes="svc-restaurant:availabilities")
        page = see(bob, quay)

        assert "svc-restaurant:offers" in page
        assert answers.sent("list_offers") == []
        assert f"Offer {str(MENU)[:8]}" in page

    def test_without_a_connection_it_says_so(self, bob, quay):
        assert "No connection to the service is set up." in see(bob, quay)

    def test_without_the_right_it_is_closed(self, bob, quay, without_right):
        without_right("reservations.view_reservation")

        assert sign_in(bob).get(OFFERS).status_code == 403

    def test_restaurants_out_of_reach_are_not_requested(self, api, charlie, quay, cellar):
        page = see(charlie, quay)

        assert "Quay" not in page
        assert all(str(cellar.uuid) in request.path for request in api.requests)

    def test_who_may_not_book_is_not_led_to_a_booking(self, api, bob, quay, without_right):
        without_right("reservations.change_reservation")

        assert "/reservations/new/" not in see(bob, quay)


class TestLanguage:
    def params(self, api):
        return [request.path.split("locale=")[1] for request in api.sent("list_offers")]

    def test_it_is_requested_in_the_readers_language(self, api, bob, quay):
        bob.language = "fr"
        bob.save()
        see(bob, quay)

        assert self.params(api) == ["fr"]

    def test_missing_texts_are_requested_in_english(self, api, bob, quay):
        bob.language = "fr"
        bob.save()
        nameless = [{**offer, "name": None} for offer in LISTED]
        api.reply("list_offers", [(200, nameless), (200, LISTED)])

        assert "Tasting menu" in see(bob, quay)
        assert self.params(api) == ["fr", "en"]

    def test_a_language_that_is_refused_is_no_outage(self, api, bob, quay):
        bob.language = "fr"
        bob.save()
        refusal = {"statusCode": 400, "error": "Bad Request", "data": {"code": "INVALID_LOCALE"}}
        api.reply("list_offers", [(400, refusal), (200, LISTED)])

        assert "Tasting menu" in see(bob, quay)

    def test_offers_are_kept_when_the_second_language_fails(self, api, bob, quay):
        bob.language = "fr"
        bob.save()
        api.reply("list_offers", only_in_french)

        assert "65,00 EUR" in see(bob, quay)


class TestDays:
    def page(self, user, quay, **params):
        return see(user, quay, DAYS, **({"offer": MENU} | params))

    def test_every_read_is_narrowed_by_the_offer(self, api, bob, quay):
        self.page(bob, quay, size=2, day="2026-01-20")

        times = ["list_timeslots"] * 2  # of the evening, and of its night
        for operation in ("list_party_sizes", "list_availabilities", *times):
            assert all(f"offerUuid={MENU}" in one.path for one in api.sent(operation))
        narrowed = sorted(one.operation for one in api.requests if "offerUuid" in one.path)
        assert narrowed == ["list_availabilities", "list_party_sizes", *times]
        for operation in ("list_availabilities", "list_timeslots"):
            assert "partySize=2" in api.sent(operation)[0].path

    def test_after_midnight_the_evening_can_still_be_chosen(self, api, bob, quay):
        """For the service its date is past: what is left of it is listed with the next one."""
        night = "2026-01-18T00:30:00+01:00"
        api.reply("list_availabilities", (200, [on_sale("2026-01-18", MENU)]))
        api.reply("list_timeslots", (200, [slot(night, offers=[str(MENU)])]))
        with time_machine.travel("2026-01-17T23:10:00Z", tick=False):
            page = self.page(bob, quay, size=2)
            assert "startDate=2026-01-18" in api.sent("list_availabilities")[0].path
            assert "day=2026-01-17" in page

            assert "00:30" in self.page(bob, quay, size=2, day="2026-01-17")

    def test_only_days_with_the_offer_can_be_chosen(self, api, bob, quay):
        days = [on_sale("2026-01-20", MENU), on_sale("2026-01-21", DISCOUNT)]
        api.reply("list_availabilities", (200, days))
        page = self.page(bob, quay)

        assert "day=2026-01-20" in page
        assert "day=2026-01-21" not in page

    @pytest.mark.parametrize("last", [MENU, DISCOUNT])
    def test_a_day_that_is_listed_twice_has_what_both_entries_have(self, api, bob, quay, last):
        first = DISCOUNT if last == MENU else MENU
        days = [on_sale("2026-01-20", first), on_sale("2026-01-20", last)]
        api.reply("list_availabilities", (200, days))

        assert "day=2026-01-20" in self.page(bob, quay)
        assert "day=2026-01-20" in self.page(bob, quay, offer=DISCOUNT)

    def test_a_time_leads_to_a_booking_with_the_offer(self, api, bob, quay):
        page = self.page(bob, quay, size=2, day="2026-01-20")
        chosen = f"scope={quay.uuid}&amp;offer={MENU}&amp;size=2&amp;day=2026-01-20"

        assert (
            f"/reservations/new/?{chosen}&amp;slot={TIME.replace(':', '%3A').replace('+', '%2B')}"
            in page
        )

    def test_a_time_of_the_offer_that_needs_a_card_is_explained(self, api, bob, quay):
        rule = {"guaranteeType": "prepayment", "amount": 45, "offerUuid": str(MENU)}
        api.reply(
            "list_timeslots",
            (200, [slot(TIME, offers=[str(MENU)], guaranteeRequirementList=[rule])]),
        )
        page = self.page(bob, quay, size=2, day="2026-01-20")

        assert "Prepayment of 45 EUR" in page
        assert "&amp;slot=" not in page

    def test_a_time_without_the_offer_cannot_be_booked(self, api, bob, quay):
        api.reply("list_timeslots", (200, [slot(TIME)]))
        page = self.page(bob, quay, size=2, day="2026-01-20")

        assert "Not with this offer." in page
        assert "&amp;slot=" not in page

    def test_no_day_is_reported_in_words(self, api, bob, quay):
        api.reply("list_availabilities", (200, []))

        assert "No day of these weeks is free for this offer." in self.page(bob, quay)

    @pytest.mark.parametrize("operation", ["list_party_sizes", "list_availabilities"])
    def test_an_outage_is_one_sentence_and_one_request(self, api, bob, quay, operation):
        api.reply(operation, DOWN)
        page = self.page(bob, quay, size=2, day="2026-01-20")

        assert "The service is unavailable." in page
        assert "No day of these weeks" not in page
        assert api.sent("list_timeslots") == []
        assert api.sent("list_offers") == []

    def test_unknown_times_are_not_called_taken(self, api, bob, quay):
        api.reply("list_timeslots", DOWN)
        page = self.page(bob, quay, size=2, day="2026-01-20")

        assert "The service is unavailable." in page
        assert "No times for" not in page

    def test_later_weeks_begin_on_a_monday(self, api, bob, quay):
        self.page(bob, quay, start="2026-02-18")

        [request] = api.sent("list_availabilities")
        assert "startDate=2026-02-18" in request.path
        assert "endDate=2026-03-22" in request.path

    @pytest.mark.parametrize("params", [{"offer": "x"}, {"offer": ""}, {"scope": "x"}])
    def test_an_address_without_offer_or_restaurant_is_not_found(self, bob, quay, params):
        known = {"scope": quay.uuid, "offer": MENU}

        assert sign_in(bob).get(DAYS, known | params).status_code == 404

    @pytest.mark.parametrize("path", [DAYS, SIZES])
    def test_outsiders_find_nothing(self, api, charlie, quay, path):
        params = {"scope": quay.uuid, "offer": MENU}

        assert sign_in(charlie).get(path, params).status_code == 404
        assert api.requests == []


class TestSizes:
    def test_they_are_runs_with_holes(self, api, bob, quay):
        assert "1–3, 6" in see(bob, quay, SIZES, offer=MENU)

    def test_an_outage_is_not_called_no_size(self, api, bob, quay):
        api.reply("list_party_sizes", DOWN)

        assert "The service is unavailable." in see(bob, quay, SIZES, offer=MENU)


class TestFullScopes:
    def test_full_access_reads_offers(self, answers, bob, quay):
        speak_through(answers, scopes=FULL_SCOPES)

        assert "Tasting menu" in see(bob, quay)
