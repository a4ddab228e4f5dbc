"""A good status with another thing inside is no answer, whatever was requested."""

import json
from datetime import date
from uuid import UUID, uuid4

import pytest

from partner import errors, testing
from partner.endpoints import ENDPOINTS
from partner.errors import Ambiguous, CircuitOpen, EndpointHeld, Foreign
from partner.limits.priorities import CallPriority
from partner.limits.throttle import ODD_ENOUGH, Throttle, budget
from partner.models import Budget
from partner.payloads.answers import CONTRACTS, missing_fields
from partner.payloads.bodies import NewCustomer
from partner.testing import FakeClock, FakeTransport, recorded

pytestmark = pytest.mark.django_db

OWN = UUID("0a9b1c2d-3e4f-4a5b-8c6d-7e8f90a1b2c3")
OTHER = UUID("4f1d2c3b-6a5e-4d7c-9b8a-1f2e3d4c5b6a")  # in test names: the same in every process
RESTAURANT = UUID("c1a5f2de-6b1e-4f57-9a3c-0c8d2b7e4f10")
DAY = date(2026, 12, 4)
KEYS = {"reservation": "reservationUuid", "customer": "customerUuid", "review": "reviewUuid"}
GUEST = NewCustomer(
    email="jo.martin@example.com",
    first_name="Jo",
    last_name="Martin",
    locale="fr_FR",
    civility="mx",
)


def test_every_endpoint_says_what_its_answer_must_be_about():
    """A new one has a line in `CONTRACTS` of `partner/payloads/answers.py`, or a reason above."""
    assert set(ENDPOINTS) == set(CONTRACTS) | NAMELESS
    assert not set(CONTRACTS) & NAMELESS


def good(payload):
    """A good status with this JSON inside, a bare string included."""
    return 200, json.dumps(payload)


def own(kind, **changes):
    return recorded(f"get_{kind}") | {KEYS[kind]: str(OWN)} | changes


def without(kind, *keys):
    return {key: value for key, value in own(kind).items() if key not in keys}


# Their answer repeats no identifier: rows of lists are read one by one, and reports have a status.
NAMELESS = {
    *("list_availabilities", "list_timeslots", "list_party_sizes", "list_offers"),
    *("list_reservations", "list_customers", "list_reviews"),
    *("report_call", "report_integration_status"),
}
# What stands in for the entity, by name: a function of the kind.
FOREIGN = {
    "a message": lambda kind: {"message": "Service temporarily unavailable"},
    "nothing": lambda kind: {},
    "errors": lambda kind: {"errors": [{"code": "E1"}]},
    "an error of the API": lambda kind: {"statusCode": 500, "error": "x", "data": {"code": "x"}},
    "another of its kind": lambda kind: own(kind, **{KEYS[kind]: str(OTHER)}),
    "an entity in a wrapper": lambda kind: {"data": own(kind)},
    "another kind": lambda kind: own("review" if kind == "reservation" else "reservation"),
    "no identifier": lambda kind: own(kind, **{KEYS[kind]: "unknown"}),
    "a list": lambda kind: [own(kind)],
    "a string": lambda kind: "Service temporarily unavailable",
    "null": lambda kind: None,
    "its identifier in a sentence": lambda kind: {"message": f"{OWN} is busy"},
}


def read(kind, payload, *, clock=None):
    transport = FakeTransport(clock=clock, **{f"get_{kind}": good(payload)})
    return getattr(testing.client(transport), kind)(OWN)


@pytest.mark.parametrize("kind", KEYS)
class TestReads:
    def test_it_works(self, kind):
        answer = read(kind, own(kind))

        assert answer.payload == own(kind)
        assert missing_fields(answer.drift) == ()

    @pytest.mark.parametrize("what", FOREIGN)
    def test_another_thing_is_refused(self, kind, what):
        with pytest.raises(Foreign) as refused:
            read(kind, FOREIGN[what](kind))

        assert "something else" in refused.value.sentence

    def test_the_case_of_an_identifier_does_not_matter(self, kind):
        assert read(kind, own(kind, **{KEYS[kind]: str(OWN).upper()})).entity is not None

    def test_another_persons_record_is_not_kept_as_evidence(self, kind):
        with pytest.raises(Foreign) as refused:
            read(kind, FOREIGN["another of its kind"](kind))

        assert str(OTHER) not in refused.value.body
        assert KEYS[kind] in refused.value.body

    def test_a_required_field_that_vanished_is_named(self, kind):
        dropped = {"reservation": "partySize", "customer": "notes", "review": "comment"}[kind]
        answer = read(kind, without(kind, dropped))

        assert missing_fields(answer.drift) == (dropped,)

    def test_null_is_an_answer_where_the_contract_allows_it(self, kind):
        may_be_null = {"reservation": "mealDate", "customer": "email", "review": "comment"}[kind]

        assert missing_fields(read(kind, own(kind, **{may_be_null: None})).drift) == ()

    def test_a_value_that_cannot_be_read_is_missing(self, kind):
        field = {"reservation": "status", "customer": "lastName", "review": "isValid"}[kind]

        assert missing_fields(read(kind, own(kind, **{field: {"odd": 1}})).drift) == (field,)


class TestGuests:
    """Only of a guest the contract does not promise the identifier."""

    def test_one_without_an_identifier_is_known_by_the_required_fields(self):
        assert read("customer", without("customer", "customerUuid")).payload["lastName"]

    @pytest.mark.parametrize("field", ["email", "notes", "creationDate", "lastUpdateDate"])
    def test_one_of_these_that_cannot_be_read_makes_nobody_a_stranger(self, field):
        answer = read("customer", without("customer", "customerUuid") | {field: [1]})

        assert missing_fields(answer.drift) == (field,)

    def test_without_one_of_these_nobody_knows_who_it_is(self):
        with pytest.raises(Foreign):
            read("customer", without("customer", "customerUuid", "notes"))


class TestLookUp:
    def look_up(self, payload):
        transport = FakeTransport(find_customer_by_phone=good(payload))
        return testing.client(transport).customer_by_phone(RESTAURANT, "+33199001234")

    def test_it_works(self):
        assert self.look_up(recorded("find_customer_by_phone")).entity.customer_uuid

    @pytest.mark.parametrize(
        "payload", [{}, {"message": "x"}, [], recorded("get_customer")], ids=str
    )
    def test_another_thing_is_not_a_caller(self, payload):
        with pytest.raises(Foreign):
            self.look_up(payload)

    def test_the_guest_with_another_number_is_not_the_caller(self):
        with pytest.raises(Foreign):
            self.look_up(recorded("find_customer_by_phone") | {"phone": "+33199005678"})


class TestWrites:
    """A write was carried out or not; an answer about something else does not say."""

    WRITES = {
        "create_reservation": lambda api: api.create_reservation(
            RESTAURANT, meal_date="2099-12-04T20:15:00+01:00", party_size=2, customer=GUEST
        ),
        "update_reservation": lambda api: api.update_reservation(
            OWN, meal_date="2099-12-04T20:15:00+01:00", party_size=2
        ),
        "cancel_reservation": lambda api: api.cancel_reservation(OWN),
        "reply_to_review": lambda api: api.reply_to_review(OWN, content="Thank you", language="en"),
        "override_availability": lambda api: api.override_availability(
            RESTAURANT, day=DAY, start_time="19:00", is_open=False
        ),
    }

    def send(self, operation, answer):
        self.WRITES[operation](testing.client(FakeTransport(**{operation: answer})))

    @pytest.mark.parametrize("operation", WRITES)
    def test_it_works(self, operation):
        self.send(operation, 200)

    @pytest.mark.parametrize("operation", WRITES)
    @pytest.mark.parametrize(
        "payload",
        [{}, {"message": "x"}, [], "x", {"reservationUuid": str(OTHER), "reviewUuid": str(OTHER)}],
        ids=str,
    )
    def test_its_end_must_be_looked_up(self, operation, payload):
        with pytest.raises(Ambiguous):
            self.send(operation, good(payload))

    @pytest.mark.parametrize("operation", WRITES)
    def test_no_content_is_a_success_where_nothing_else_can_be_known(self, operation):
        """Never of a booking, its change or its end: those can be read."""
        if operation in ("create_reservation", "update_reservation", "cancel_reservation"):
            with pytest.raises(Ambiguous):
                self.send(operation, (204, b""))
        else:
            self.send(operation, (204, b""))

    @pytest.mark.parametrize("operation", WRITES)
    @pytest.mark.parametrize("answer", [(200, b""), (204, b"<p>Away</p>"), (205, b"")], ids=str)
    def test_any_other_answer_without_json_is_none(self, operation, answer):
        with pytest.raises(Ambiguous):
            self.send(operation, answer)

    def test_a_booking_at_another_restaurant_is_not_the_one_that_was_made(self):
        facts = recorded("create_reservation") | {"restaurantUuid": str(OTHER)}

        with pytest.raises(Ambiguous):
            self.send("create_reservation", good(facts))


class TestLists:
    def customers(self, payload):
        api = testing.client(FakeTransport(list_customers=good(payload)))
        return list(api.customer_uuids(group=RESTAURANT, start=DAY, end=DAY))

    def reviews(self, payload):
        api = testing.client(FakeTransport(list_reviews=good(payload)))
        return list(api.review_uuids(restaurant=RESTAURANT, start=DAY, end=DAY.replace(day=5)))

    def test_an_empty_list_of_guests_is_a_list(self):
        assert self.customers({"data": [], "totalCount": 0, "page": 1, "limit": 100}) == []

    def test_an_empty_list_of_reviews_is_a_list(self):
        assert self.reviews({"data": [], "hasNext": False}) == []

    @pytest.mark.parametrize(
        "payload",
        [
            *({}, [], "x", {"message": "x"}, {"data": {}}, {"data": []}),
            *({"data": [], "errors": ["x"]}, {"data": [{"message": "x"}], "totalCount": 1}),
        ],
        ids=str,
    )
    def test_another_thing_is_no_list(self, payload):
        with pytest.raises(Foreign):
            self.customers(payload)


class TestCircuit:
    @pytest.fixture
    def clock(self):
        return FakeClock()

    @pytest.fixture
    def api(self, clock):
        odd = dict.fromkeys(("get_reservation", "get_review"), (200, {"message": "x"}))
        no_guests = {"data": [], "totalCount": 0, "page": 1, "limit": 100}
        transport = FakeTransport(clock=clock, **odd, list_customers=(200, no_guests))
        return testing.client(transport, priority=CallPriority.SWEEP)

    def read(self, api, number):
        for one in range(number):
            with pytest.raises(Foreign):
                api.review(uuid4()) if one % 2 else api.reservation(uuid4())

    def elsewhere(self, api):
        return list(api.customer_uuids(group=OWN, start=DAY, end=DAY))

    def note(self, throttle):
        for number in range(ODD_ENOUGH):
            throttle.note_odd(f"/{number}", of=f"operation {number % 2}")

    def test_a_large_share_of_odd_answers_opens_it(self, api):
        self.read(api, ODD_ENOUGH)

        with pytest.raises(CircuitOpen):
            self.elsewhere(api)

    def test_an_endpoint_that_alone_answers_so_holds_up_no_other(self, api, clock):
        self.read(api, 1)  # a single broken record of another makes no difference
        for _ in range(ODD_ENOUGH - 1):
            with pytest.raises(Foreign):
                api.review(uuid4())

        for _ in range(2):
            with pytest.raises(EndpointHeld):
                api.review(uuid4())
            assert self.elsewhere(api) == []
            clock.passed += 31
            with pytest.raises(Foreign):  # its probe
                api.review(uuid4())
        assert budget(api._calls._connection).odd_ago is not None

    def test_one_that_answers_again_is_held_no_longer(self, clock):
        one = Throttle(testing.connection(), clock=clock)
        for number in range(ODD_ENOUGH):
            one.note_odd(f"/{number}", of="get_review")
        one.note_answer(of="get_review")

        one.take(CallPriority.PERSON, give_up_at=clock.uptime(), of="get_review")

    def test_single_broken_records_do_not(self, api):
        for _ in range(40):
            with pytest.raises(Foreign):
                api.reservation(OWN)

        assert Budget.objects.get().open_until == 0

    def test_a_small_share_does_not(self, clock):
        one = Throttle(testing.connection(), clock=clock)
        for number in range(200):
            one.note_answer() if number % 4 else one.note_odd(f"/v1/reservations/{number}")

        assert Budget.objects.get().open_until == 0

    def test_a_probe_that_is_odd_again_keeps_it_open(self, api, clock):
        self.read(api, ODD_ENOUGH)
        clock.passed += 16
        self.read(api, 1)

        with pytest.raises(CircuitOpen):
            self.elsewhere(api)

    def test_the_probe_after_that_is_of_another_endpoint(self, api, clock):
        self.read(api, ODD_ENOUGH)
        clock.passed += 16
        self.read(api, 1)
        clock.passed += 31
        with pytest.raises(EndpointHeld):
            api.reservation(uuid4())

        assert self.elsewhere(api) == []

    def test_an_answer_that_was_under_way_does_not_close_it(self, clock):
        one = Throttle(testing.connection(), clock=clock)
        self.note(one)
        one.note_odd("/v1/reservations/late")
        one.note_answer()

        assert Budget.objects.get().open_until > 0

    def test_a_good_probe_closes_it_for_every_process(self, clock):
        connection = testing.connection()
        one, other = (Throttle(connection, clock=clock) for _ in range(2))
        self.note(one)
        clock.passed += 16
        other.take(CallPriority.PERSON, give_up_at=clock.uptime())
        other.note_answer()

        one.take(CallPriority.PERSON, give_up_at=clock.uptime())

    def test_a_screen_can_tell_since_when(self):
        connection = testing.connection()
        assert budget(connection).odd_ago is None
        self.note(Throttle(connection))

        assert budget(connection).odd_ago == pytest.approx(0, abs=5)

    @pytest.mark.parametrize("body", ["<html>Sorry</html>", "", json.dumps({"data": {}})])
    def test_pages_and_nothing_count_as_well(self, clock, body):
        odd = dict.fromkeys(("get_customer", "get_review"), (200, body))
        api = testing.client(FakeTransport(clock=clock, **odd))
        for number in range(ODD_ENOUGH):
            with pytest.raises(errors.Malformed):
                api.review(uuid4()) if number % 2 else api.customer(uuid4())

        with pytest.raises(CircuitOpen):
            api.reservation(uuid4())
