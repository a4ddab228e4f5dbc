"""Every endpoint of the contract, called over real sockets, without one breach of its rules."""

import io
import re
from datetime import date, datetime, timedelta
from uuid import UUID, uuid4

import pytest
import yaml
from PIL import Image

from partner import factory
from partner.endpoints import ENDPOINTS
from partner.errors import (
    Conflict,
    InvalidRequest,
    MissingScope,
    NotFound,
    NotOurs,
    PartnerError,
    Refused,
)
from partner.models import PosIdentity, TokenRequest
from partner.payloads.bodies import NewCustomer
from partner_sandbox.control import description

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture
def api(connect):
    connect("full")
    return factory.client()


@pytest.fixture
def group(sandbox):
    return sandbox.world["groups"][0]


@pytest.fixture
def restaurant(group):
    return UUID(group["restaurants"][0]["uuid"])


@pytest.fixture
def today(sandbox):
    return date.fromisoformat(sandbox.world["anchor"])


def guest(**changes) -> NewCustomer:
    facts = {
        "email": "contract@example.com",
        "first_name": "Jo",
        "last_name": "Martin",
        "locale": "fr_FR",
        "civility": "mx",
        "phone": "+33639981234",
    }
    return NewCustomer(**facts | changes)


def test_client_and_sandbox_call_every_endpoint_by_the_same_verb_and_path():
    """Both were written from the contract, each by itself."""
    described = yaml.safe_load(description.FILE.read_text())["paths"]
    of_the_sandbox = {
        (verb.upper(), re.sub(r"{\w+}", "{}", path.removeprefix("/api").removeprefix("/pos")))
        for path, verbs in described.items()
        for verb in verbs
        if verb != "parameters" and not path.startswith("/auth")
    }

    assert of_the_sandbox == {(one.method, one.path) for one in ENDPOINTS.values()}


def free_slot(api, restaurant, today):
    for ahead in range(1, 15):
        day = today + timedelta(days=ahead)
        for slot in api.timeslots(restaurant, day=day, party_size=2).entity:
            if slot.has_normal_stock and not slot.guarantee_for(2):
                return slot.datetime
    raise AssertionError("no free slot in two weeks")


def test_booking_flow(api, restaurant, today):
    days = api.availabilities(restaurant, start=today, end=today + timedelta(days=7))
    sizes = api.party_sizes(restaurant, start=today, end=today + timedelta(days=7))
    offers = api.offers(restaurant, locale="fr_FR")
    slot = free_slot(api, restaurant, today)

    booked = api.create_reservation(restaurant, meal_date=slot, party_size=2, customer=guest())
    uuid = booked.entity.reservation_uuid
    updated = api.update_reservation(
        uuid, meal_date=slot, party_size=2, restaurant_note="By the window"
    )
    cancelled = api.cancel_reservation(uuid)

    assert days.entity
    assert sizes.entity
    assert offers.entity
    assert booked.entity.status in ("RECORDED", "REQUESTED")
    assert updated.entity.restaurant_note == "By the window"
    assert cancelled.entity.status == "CANCELED"
    with pytest.raises(Conflict) as again:
        api.cancel_reservation(uuid)
    assert again.value.code == "DOUBLE_CANCELLATION"
    for answer in (days, sizes, offers, booked, updated, cancelled):
        assert answer.drift == ()


def test_reads_narrowed_by_an_offer(api, restaurant, today):
    end = today + timedelta(days=7)
    every_day = api.availabilities(restaurant, start=today, end=end).entity
    for offer in api.offers(restaurant, locale="en").entity:
        days = api.availabilities(restaurant, start=today, end=end, offer_uuid=offer.uuid)
        sizes = api.party_sizes(restaurant, start=today, end=end, offer_uuid=offer.uuid)
        expected = [day.date for day in every_day if offer.uuid in (day.offer_list or ())]

        assert [day.date for day in days.entity] == expected
        assert bool(sizes.entity) == bool(expected)
        for day in expected[:1]:
            slots = api.timeslots(restaurant, day=day, offer_uuid=offer.uuid)
            assert slots.entity
            assert all(offer.uuid in slot.offers for slot in slots.entity)
            assert slots.drift == ()
        assert days.drift == sizes.drift == ()


def test_override(api, restaurant, today):
    answer = api.override_availability(
        restaurant, day=today + timedelta(days=3), start_time="19:00", is_open=False
    )

    assert answer.entity.is_open is False
    assert answer.drift == ()


def test_data(api, group, restaurant, today):
    start, end = today - timedelta(days=3), today + timedelta(days=3)

    reservations = list(
        api.reservation_uuids(restaurant=restaurant, start=start, end=end, by="mealDate", limit=20)
    )
    customers = list(api.customer_uuids(group=group["uuid"], start=start, end=end, limit=50))
    reservation = api.reservation(reservations[0])
    customer = api.customer(customers[0])

    assert len(reservations) == len(set(reservations)) > 20
    assert reservation.entity.restaurant_uuid == restaurant
    assert reservation.drift == ()
    assert customer.entity.customer_uuid == customers[0]
    assert customer.drift == ()


def test_reviews(api, restaurant, today):
    uuids = list(
        api.review_uuids(restaurant=restaurant, start=today - timedelta(days=90), end=today)
    )

    commented = api.review_uuids(
        restaurant=restaurant,
        start=today - timedelta(days=90),
        end=today,
        with_comment_only=True,
    )
    reviews = [api.review(uuid) for uuid in uuids[:10]]
    assert [uuid for uuid in commented if uuid in set(uuids[:10])] == [
        review.entity.review_uuid for review in reviews if review.entity.comment
    ]
    published = next(
        r.entity
        for r in reviews
        if r.entity.comment and r.entity.comment.publication_status == "PUBLISHED"
    )
    reply = api.reply_to_review(published.review_uuid, content="Thank you.", language="en")

    assert all(review.drift == () for review in reviews)
    assert reply.entity.restaurant_reply.publication_status == "NOT_REVIEWED"


def test_phone(api, restaurant, today):
    slot = free_slot(api, restaurant, today)
    api.create_reservation(restaurant, meal_date=slot, party_size=2, customer=guest())

    match = api.customer_by_phone(restaurant, "+33639981234")
    call = api.report_call(
        restaurant, status="incoming", caller_id="0639981234", at=datetime.now().astimezone()
    )
    milestone = api.report_integration_status(restaurant, status="HardwareInTransit")

    assert match.entity.next_reservations
    assert match.drift == call.drift == milestone.drift == ()
    with pytest.raises(NotFound) as unknown:
        api.customer_by_phone(restaurant, "+33639989999")
    assert unknown.value.code == "PHONE_NUMBER_NOT_FOUND"


def test_logo(api, sandbox):
    pos = sandbox.world["pos"]
    identity = PosIdentity.objects.create(
        base_url=sandbox.world["pos_base_url"], api_key=pos["api_key"], uuid=pos["uuid"]
    )
    picture = io.BytesIO()
    Image.new("RGBA", (400, 200), "teal").save(picture, "PNG")

    answer = api.upload_logo(identity, png=picture.getvalue())
    identity.api_key = "wrong"
    with pytest.raises(NotOurs):
        api.upload_logo(identity, png=picture.getvalue())

    assert answer.entity.logo_path
    assert answer.drift == ()


def test_one_token_serves_all_of_it(api, group, restaurant):
    for _ in range(3):
        factory.client().offers(restaurant, locale="en")

    assert TokenRequest.objects.count() == 1


class TestRefusals:
    def test_what_belongs_to_others_is_not_ours(self, api, sandbox, today):
        stranger = sandbox.world["other_groups"][0]["restaurants"][0]["uuid"]

        with pytest.raises(NotOurs) as refused:
            api.offers(stranger, locale="en")

        assert refused.value.sentence
        assert TokenRequest.objects.count() == 1

    def test_a_missing_scope_is_requested_once(self, connect, restaurant):
        connect("limited")
        api = factory.client()
        for _ in range(2):
            with pytest.raises(MissingScope) as refused:
                api.offers(restaurant, locale="en")

        assert "svc-restaurant:offers" in refused.value.scopes

    def test_full_access_does_not_open_the_override(self, connect, restaurant, today):
        connect("stranger")

        with pytest.raises(MissingScope):
            factory.client().override_availability(
                restaurant, day=today, start_time="19:00", is_open=False
            )

    def test_what_does_not_exist_is_not_found(self, api):
        for ask in (api.reservation, api.customer, api.review):
            with pytest.raises((NotFound, NotOurs)):
                ask(uuid4())

    def test_a_taken_slot(self, api, restaurant, today):
        with pytest.raises(Refused) as refused:
            api.create_reservation(
                restaurant,
                meal_date=f"{today + timedelta(days=2)}T04:05:00+01:00",
                party_size=2,
                customer=guest(),
            )

        assert refused.value.code == "NO_AVAILABILITY"
        assert refused.value.sentence.endswith("Nothing was changed.")

    def test_a_double_booking(self, api, restaurant, today):
        slot = free_slot(api, restaurant, today)
        api.create_reservation(restaurant, meal_date=slot, party_size=2, customer=guest())

        with pytest.raises(PartnerError) as refused:
            api.create_reservation(restaurant, meal_date=slot, party_size=2, customer=guest())

        assert refused.value.code in ("DOUBLE_BOOKING", "NO_AVAILABILITY")

    def test_what_is_wrong_never_leaves(self, api, sandbox, restaurant):
        before = sandbox.requests_to("create_reservation")

        with pytest.raises(InvalidRequest):
            api.create_reservation(restaurant, meal_date="tonight", party_size=2, customer=guest())

        assert sandbox.requests_to("create_reservation") == before
