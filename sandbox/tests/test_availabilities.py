from datetime import date
from typing import Any

import pytest

from cast import NOBODY, SATURDAY, TODAY, TOMORROW, Cast
from partner_sandbox.entities import availability
from partner_sandbox.entities.availability import local_instant
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.world.plans import blueprint

RANGE = {"startDate": TODAY, "endDate": "2026-10-27"}
READS = {
    "availabilities": RANGE,
    "timeslots": {"date": TOMORROW},
    "partySizes": RANGE,
    "offers": {"locale": "fr_FR"},
}
EVERY_READ = pytest.mark.parametrize("what", READS)


def read(cast: Cast, what: str, place: str = "", **query: Any) -> Any:
    path = f"restaurants/{place or cast.mirabeau['uuid']}/{what}"
    return cast.full("GET", path, **{**READS[what], **query})


def restaurant(cast: Cast, number: int) -> SandboxRestaurant:
    return cast.service.directory.restaurants[number]


class TestEveryRead:
    @EVERY_READ
    def test_it_is_a_top_level_array(self, cast: Cast, what: str) -> None:
        answer = read(cast, what)

        assert answer.status == 200
        assert isinstance(answer.json, list)
        assert answer.json

    @EVERY_READ
    def test_unknown_404_foreign_401_malformed_400(self, cast: Cast, what: str) -> None:
        assert read(cast, what, NOBODY).code == "RESTAURANT_NOT_FOUND"
        assert read(cast, what, cast.other["restaurants"][0]["uuid"]).status == 401
        assert read(cast, what, "abc").code == "INVALID_ID"

    @EVERY_READ
    def test_each_parameter_is_required(self, cast: Cast, what: str) -> None:
        for missing in READS[what]:
            query = {k: v for k, v in READS[what].items() if k != missing}
            path = f"restaurants/{cast.mirabeau['uuid']}/{what}"
            assert cast.full("GET", path, **query).status == 400

    @pytest.mark.parametrize("what", ["availabilities", "timeslots"])
    @pytest.mark.parametrize(
        ("size", "status"), [("0", 400), ("-2", 400), ("x", 400), ("1", 200), ("2.5", 200)]
    )
    def test_party_size_is_a_number_above_0(
        self, cast: Cast, what: str, size: str, status: int
    ) -> None:
        assert read(cast, what, partySize=size).status == status

    @pytest.mark.parametrize("what", ["availabilities", "timeslots", "partySizes"])
    def test_an_offer_keeps_only_where_it_runs(self, cast: Cast, what: str) -> None:
        offer = read(cast, "offers").json[0]["uuid"]

        assert read(cast, what, offerUuid="x").code == "INVALID_OFFER_UUID"
        assert read(cast, what, offerUuid=NOBODY).json == []
        assert len(read(cast, what, offerUuid=offer).json) <= len(read(cast, what).json)


class TestNarrowedByOffer:
    """`offerUuid` keeps exactly the days, times and sizes at which that offer can be booked."""

    @pytest.fixture(params=["Menu of the day", "Group menu", "20% off"])
    def offer(self, cast: Cast, request: pytest.FixtureRequest) -> str:
        offers = read(cast, "offers", locale="en_GB").json
        return next(str(o["uuid"]) for o in offers if o["name"].startswith(request.param))

    def test_days_are_those_that_list_it(self, cast: Cast, offer: str) -> None:
        every = read(cast, "availabilities").json

        assert read(cast, "availabilities", offerUuid=offer).json == [
            day for day in every if offer in (day["offerList"] or ())
        ]

    def test_times_are_those_that_list_it(self, cast: Cast, offer: str) -> None:
        for day in ("2026-10-22", "2026-10-23", SATURDAY):
            every = read(cast, "timeslots", date=day).json
            assert read(cast, "timeslots", date=day, offerUuid=offer).json == [
                slot for slot in every if offer in (slot["offers"] or ())
            ]

    def test_sizes_are_those_of_some_time(self, cast: Cast, offer: str) -> None:
        days = [day["date"] for day in read(cast, "availabilities", offerUuid=offer).json]
        narrowed = {"startDate": days[0], "endDate": days[-1], "offerUuid": offer}
        sizes = read(cast, "partySizes", **narrowed).json

        assert sizes
        for size in range(1, 15):
            times = [read(cast, "timeslots", date=d, offerUuid=offer, partySize=size) for d in days]
            assert (size in sizes) == any(answer.json for answer in times)

    def test_what_is_found_can_be_booked(self, cast: Cast, offer: str) -> None:
        days = read(cast, "availabilities", offerUuid=offer).json
        range_ = {"startDate": days[0]["date"], "endDate": days[0]["date"], "offerUuid": offer}
        size = read(cast, "partySizes", **range_).json[0]
        slots = read(cast, "timeslots", date=days[0]["date"], offerUuid=offer, partySize=size).json
        unguarded = [
            slot
            for slot in slots
            if not any(rule.get("offerUuid") == offer for rule in slot["guaranteeRequirementList"])
        ]
        answer = cast.book(mealDate=unguarded[0]["datetime"], partySize=size, offerUuid=offer)

        assert answer.status == 200
        assert answer.json["offerUuid"] == offer


class TestAvailabilities:
    def test_a_span_of_more_than_400_days_is_refused(self, cast: Cast) -> None:
        query = {"startDate": "2026-10-21", "endDate": "2027-11-25"}

        assert read(cast, "availabilities", **query).code == "INVALID_END_DATE"
        assert read(cast, "availabilities", **query | {"endDate": "2027-11-24"}).status == 200

    def test_there_is_one_entry_per_day(self, cast: Cast) -> None:
        days = [entry["date"] for entry in read(cast, "availabilities").json]

        assert days == [f"2026-10-{day}" for day in range(21, 28)]

    def test_a_day_that_is_over_has_nothing(self, cast: Cast) -> None:
        past = read(cast, "availabilities", startDate="2026-10-20", endDate="2026-10-20").json

        assert past == [{"date": "2026-10-20", "hasNormalStock": False, "offerList": None}]

    def test_a_reversed_range_is_empty(self, cast: Cast) -> None:
        assert read(cast, "availabilities", endDate="2026-10-01").json == []

    def test_it_agrees_with_the_slots(self, cast: Cast) -> None:
        for entry in read(cast, "availabilities", partySize=4).json:
            slots = cast.slots(entry["date"], partySize=4)
            assert entry["hasNormalStock"] == any(s["hasNormalStock"] for s in slots)
            offers = {offer for s in slots for offer in s["offers"] or ()}
            assert set(entry["offerList"] or ()) == offers


class TestTimeslots:
    def test_a_day_is_the_restaurants_own(self, cast: Cast) -> None:
        for place, offset in ((cast.mirabeau, "+02:00"), (cast.saltmarsh, "+01:00")):
            for slot in cast.slots(TOMORROW, place):
                assert slot["datetime"].startswith(TOMORROW)
                assert slot["datetime"].endswith(offset)

    def test_tables_after_midnight_belong_to_the_next_date(self, cast: Cast) -> None:
        early = [s["datetime"] for s in cast.slots("2026-10-25") if s["datetime"][11:13] == "00"]

        assert early[0] == "2026-10-25T00:00:00+02:00"

    def test_the_offset_changes_within_the_night(self, cast: Cast) -> None:
        offsets = {
            slot["datetime"][11:13]: slot["datetime"][19:] for slot in cast.slots("2026-10-25")
        }

        assert offsets["00"] == "+02:00"
        assert offsets["20"] == "+01:00"

    def test_slots_of_today_that_are_over_are_gone(self, cast: Cast) -> None:
        cast.clock.set(local_instant(restaurant(cast, 1), date(2026, 10, 21), 20 * 60) or 0)
        cast.full.ask_token()

        assert min(slot["datetime"] for slot in cast.slots(TODAY)) >= f"{TODAY}T20:00"

    def test_the_guarantees_are_listed_when_the_flag_is_set(self, cast: Cast) -> None:
        slots = cast.slots(SATURDAY)

        assert any(slot["hasPaymentGuaranteeRequirement"] for slot in slots)
        for slot in slots:
            flag = slot["hasPaymentGuaranteeRequirement"]
            assert flag == bool(slot["guaranteeRequirementList"])

    @pytest.mark.parametrize(
        ("day", "minute", "exists"),
        [
            (date(2027, 3, 28), 119, True),
            (date(2027, 3, 28), 120, False),  # 02:00 to 02:59 are skipped
            (date(2027, 3, 28), 179, False),
            (date(2027, 3, 28), 180, True),
            (date(2026, 10, 25), 150, True),  # 02:30 comes twice and is one slot
        ],
    )
    def test_an_hour_that_is_skipped_has_no_slot(
        self, cast: Cast, day: date, minute: int, exists: bool
    ) -> None:
        assert (local_instant(restaurant(cast, 1), day, minute) is not None) is exists

    def test_an_island_with_three_quarters_of_an_hour(self) -> None:
        island = next(
            place
            for place in blueprint("chain", 1).restaurants
            if place.timezone == "Pacific/Chatham"
        )
        slots = availability.regular_slots(island, date(2026, 9, 29))

        assert {slot.text[19:] for slot in slots} == {"+13:45"}


class TestGuaranteesOfASlot:
    @pytest.mark.parametrize("size", [1, 5, 8])
    def test_they_are_those_of_what_it_lists(self, cast: Cast, size: int) -> None:
        """An offer that this size cannot have brings no rule either."""
        days = [f"2026-10-{day}" for day in range(22, 29)]
        places = (cast.mirabeau, cast.octave)
        slots = [
            s for day in days for place in places for s in cast.slots(day, place, partySize=size)
        ]

        for slot in slots:
            rules = slot["guaranteeRequirementList"]
            assert {rule.get("offerUuid") for rule in rules} <= {None, *(slot["offers"] or ())}
            assert slot["hasPaymentGuaranteeRequirement"] == bool(rules)


class TestPartySizes:
    def test_it_may_have_holes(self, cast: Cast) -> None:
        sizes = read(cast, "partySizes").json

        assert sizes == sorted(sizes)
        assert sizes != list(range(sizes[0], sizes[-1] + 1))

    def test_every_size_can_be_had_somewhere(self, cast: Cast) -> None:
        for size in read(cast, "partySizes", startDate=TOMORROW, endDate=TOMORROW).json:
            assert cast.slots(TOMORROW, partySize=size)


class TestOffers:
    def test_an_offer_has_four_fields_in_the_requested_language(self, cast: Cast) -> None:
        french = read(cast, "offers", locale="fr").json
        english = read(cast, "offers", locale="en_GB").json

        assert set(french[0]) == {"uuid", "name", "description", "price"}
        assert french[0]["name"] != english[0]["name"]

    def test_an_unknown_language_gets_the_houses_own(self, cast: Cast) -> None:
        assert read(cast, "offers", locale="xx").json == read(cast, "offers", locale="fr").json

    @pytest.mark.parametrize(
        ("locale", "status"),
        [("fr", 200), ("fra", 200), ("fr_FR", 200), ("fr-FR", 400), ("fr_fr", 400), ("f", 400)],
    )
    def test_the_locale_has_its_pattern(self, cast: Cast, locale: str, status: int) -> None:
        assert read(cast, "offers", locale=locale).status == status


class TestOverride:
    def override(self, cast: Cast, **body: Any) -> Any:
        path = f"restaurants/{cast.mirabeau['uuid']}/availabilities/override"
        return cast.full("PUT", path, {"date": TOMORROW, "startTime": "19:00", **body})

    def local_times(self, cast: Cast) -> list[str]:
        return [slot["datetime"][11:16] for slot in cast.slots(TOMORROW, partySize=1)]

    def test_it_closes_by_default_and_echoes_the_start(self, cast: Cast) -> None:
        assert "19:00" in self.local_times(cast)

        answer = self.override(cast)

        assert answer.json == {
            "restaurantUuid": cast.mirabeau["uuid"],
            "date": TOMORROW,
            "startTime": "19:00",
            "endTime": "19:00",
            "isOpen": False,
        }
        assert "19:00" not in self.local_times(cast)
        assert "19:15" in self.local_times(cast)

    def test_the_slot_at_the_end_is_included(self, cast: Cast) -> None:
        before = self.local_times(cast)
        self.override(cast, endTime="19:30")

        assert self.local_times(cast) == [w for w in before if w not in ("19:00", "19:15", "19:30")]

    def test_open_brings_back_what_was_closed(self, cast: Cast) -> None:
        before = self.local_times(cast)
        self.override(cast, endTime="21:00")
        self.override(cast, endTime="21:00", isOpen=True)

        assert self.local_times(cast) == before

    def test_open_can_add_slots_outside_the_services(self, cast: Cast) -> None:
        self.override(cast, startTime="16:00", endTime="16:15", isOpen=True)

        assert {"16:00", "16:15"} <= set(self.local_times(cast))
        assert cast.book(mealDate=f"{TOMORROW}T16:15:00+02:00").status == 200

    def test_a_closed_slot_cannot_be_booked(self, cast: Cast) -> None:
        self.override(cast)

        answer = cast.book(mealDate=f"{TOMORROW}T19:00:00+02:00")

        assert answer.code == "NO_AVAILABILITY"

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            ({"date": "24.12."}, "INVALID_DATE"),
            ({"startTime": "24:00"}, "INVALID_START_TIME"),
            ({"startTime": "7:00"}, "INVALID_START_TIME"),
            ({"endTime": "18:45"}, "INVALID_END_TIME"),
            ({"endTime": None}, "INVALID_END_TIME"),
            ({"isOpen": "yes"}, "INVALID_IS_OPEN"),
            ({"covers": 12}, "INVALID_COVERS"),
        ],
    )
    def test_its_fields(self, cast: Cast, body: Any, code: str) -> None:
        answer = self.override(cast, **body)

        assert (answer.status, answer.code) == (400, code)

    def test_unknown_and_foreign(self, cast: Cast) -> None:
        body = {"date": TOMORROW, "startTime": "19:00"}
        for place, status in ((NOBODY, 404), (cast.other["restaurants"][0]["uuid"], 401)):
            path = f"restaurants/{place}/availabilities/override"
            assert cast.full("PUT", path, body).status == status
