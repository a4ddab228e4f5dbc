"""One test per endpoint: what is sent, and what comes back."""

import io
import json
from datetime import UTC, date, datetime
from uuid import UUID

import pytest
from PIL import Image

from partner import factory, testing
from partner.client import Client
from partner.endpoints import ENDPOINTS
from partner.errors import InvalidRequest, Malformed, NotFound, Refused
from partner.payloads.bodies import NewCustomer
from partner.testing import FakeTransport, recorded

pytestmark = pytest.mark.django_db

RESTAURANT = UUID("c1a5f2de-6b1e-4f57-9a3c-0c8d2b7e4f10")
GROUP = UUID("9d5b1c77-2d0e-4a86-8b0c-1e2f3a4b5c6d")
RESERVATION = UUID("7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33")
CUSTOMER = UUID("e0d0c0f5-0c3a-4a45-9a7c-5a1b3c2d4e5f")
REVIEW = UUID("2f9f2a38-1f1e-4d0b-8a2c-7c3f6b5a4e21")
OFFER = UUID("5b0e0a52-0f3c-4b0e-9a5d-6f0d3a1c7e11")
DAY, NEXT_DAY = date(2026, 12, 4), date(2026, 12, 5)


def sent(transport: FakeTransport) -> tuple[str, str]:
    request = transport.requests[-1]
    return request.method, request.path


def test_it_works():
    transport = FakeTransport(get_reservation=200)

    answer = testing.client(transport).reservation(RESERVATION)

    assert sent(transport) == ("GET", f"/v1/reservations/{RESERVATION}")
    assert transport.headers[0]["Authorization"] == f"Bearer {testing.ACCESS_TOKEN}"
    assert transport.headers[0]["User-Agent"].startswith("Couvert/")
    assert json.loads(answer.raw) == answer.payload == recorded("get_reservation")
    assert answer.entity.reservation_uuid == RESERVATION
    assert answer.drift == ()
    assert answer.started_at == transport.clock.now()


def test_every_endpoint_of_the_contract_has_a_method():
    assert len(ENDPOINTS) == 19


class TestBookingFlow:
    def test_availabilities(self):
        transport = FakeTransport(list_availabilities=200)

        days = testing.client(transport).availabilities(
            RESTAURANT, start=DAY, end=NEXT_DAY, party_size=2
        )

        assert sent(transport)[1] == (
            f"/v1/restaurants/{RESTAURANT}/availabilities"
            "?startDate=2026-12-04&endDate=2026-12-05&partySize=2"
        )
        assert [day.has_normal_stock for day in days.entity] == [True, False, False]

    def test_timeslots(self):
        transport = FakeTransport(list_timeslots=200)

        slots = testing.client(transport).timeslots(RESTAURANT, day=DAY, offer_uuid=OFFER)

        assert sent(transport)[1] == (
            f"/v1/restaurants/{RESTAURANT}/timeslots?date=2026-12-04&offerUuid={OFFER}"
        )
        assert slots.entity[1].datetime == "2026-12-04T20:15:00+01:00"

    def test_party_sizes(self):
        transport = FakeTransport(list_party_sizes=[200, (200, [1, "2", 0, True, 4.0, 4.5])])
        client = testing.client(transport)

        assert client.party_sizes(RESTAURANT, start=DAY, end=DAY).entity == (1, 2, 3, 9, 10)
        odd = client.party_sizes(RESTAURANT, start=DAY, end=DAY)
        assert odd.entity == (1, 4)
        assert len(odd.drift) == 1

    def test_offers(self):
        transport = FakeTransport(list_offers=200)

        offers = testing.client(transport).offers(RESTAURANT, locale="fr_FR")

        assert sent(transport)[1].endswith("/offers?locale=fr_FR")
        assert offers.entity[0].uuid == OFFER

    def test_override(self):
        transport = FakeTransport(override_availability=200)

        answer = testing.client(transport).override_availability(
            RESTAURANT, day=date(2026, 12, 24), start_time="19:00", is_open=False
        )

        assert sent(transport)[0] == "PUT"
        assert transport.bodies("override_availability") == [
            {"date": "2026-12-24", "startTime": "19:00", "isOpen": False}
        ]
        assert answer.entity.is_open is False

    def test_create_sends_the_slot_unchanged(self):
        clock = testing.FakeClock(datetime(2026, 11, 20, tzinfo=UTC))
        transport = FakeTransport(clock=clock, create_reservation=200)
        guest = NewCustomer(
            email="jo.martin@example.com",
            first_name="Jo",
            last_name="Martin",
            locale="fr_FR",
            civility="mx",
        )

        answer = testing.client(transport).create_reservation(
            RESTAURANT, meal_date="2026-12-04T20:15:00+01:00", party_size=4, customer=guest
        )

        [body] = transport.bodies("create_reservation")
        assert body["mealDate"] == "2026-12-04T20:15:00+01:00"
        assert transport.headers[0]["Content-Type"] == "application/json"
        assert answer.entity.status == "RECORDED"

    def test_update(self):
        transport = FakeTransport(update_reservation=200)

        testing.client(transport).update_reservation(
            RESERVATION, meal_date="2026-12-04T20:15:00+01:00", party_size=4, restaurant_note=None
        )

        assert transport.bodies("update_reservation") == [
            {"mealDate": "2026-12-04T20:15:00+01:00", "partySize": 4, "restaurantNote": None}
        ]

    def test_cancel_sends_no_body(self):
        transport = FakeTransport(cancel_reservation=200)

        answer = testing.client(transport).cancel_reservation(str(RESERVATION))

        assert sent(transport) == ("PATCH", f"/v1/reservations/{RESERVATION}/cancel")
        assert transport.requests[0].body is None
        assert answer.entity.status == "CANCELED"


class TestData:
    def test_reservations(self):
        transport = FakeTransport(list_reservations=200)

        found = list(testing.client(transport).reservation_uuids(group=GROUP, start=DAY, end=DAY))

        assert found == [RESERVATION]
        assert sent(transport)[1] == (
            f"/v1/reservations?startDate=2026-12-04&endDate=2026-12-04&groupUuid={GROUP}"
            "&filterBy=updatedDate&limit=10000&page=1"
        )

    def test_reservations_need_a_group_or_a_restaurant(self):
        with pytest.raises(InvalidRequest):
            testing.client(FakeTransport()).reservation_uuids(start=DAY, end=DAY)

    def test_a_reservation_that_is_gone(self):
        with pytest.raises(NotFound):
            testing.client(FakeTransport(get_reservation=404)).reservation(RESERVATION)

    def test_customers(self):
        transport = FakeTransport(list_customers=200)

        found = list(testing.client(transport).customer_uuids(group=GROUP, start=DAY, end=DAY))

        assert found == [CUSTOMER]

    def test_customer(self):
        transport = FakeTransport(get_customer=200)

        assert testing.client(transport).customer(CUSTOMER).entity.first_name == "Jo"


class TestReviewFlow:
    def test_reviews(self):
        transport = FakeTransport(list_reviews=200)

        found = list(
            testing.client(transport).review_uuids(restaurant=RESTAURANT, start=DAY, end=NEXT_DAY)
        )

        assert found == [REVIEW]
        assert "limit=100&page=1" in sent(transport)[1]

    def test_whoever_holds_a_lease_may_renew_it_before_each_page(self):
        pages = [
            (200, {"data": [str(uuid)], "hasNext": uuid == REVIEW}) for uuid in (REVIEW, OFFER)
        ]
        transport = FakeTransport(list_reviews=pages * 2)
        client, sent_before = testing.client(transport), []
        client.before_page = lambda: sent_before.append(len(transport.requests))

        listed = client.review_uuids(restaurant=RESTAURANT, start=DAY, end=NEXT_DAY)

        assert list(listed) == [REVIEW, OFFER]
        assert sent_before == [0, 1, 2, 3]

    def test_review(self):
        transport = FakeTransport(get_review=200)

        review = testing.client(transport).review(REVIEW).entity

        assert review.comment
        assert review.comment.publication_status == "PUBLISHED"

    def test_reply(self):
        transport = FakeTransport(reply_to_review=[200, 400])
        client = testing.client(transport)

        client.reply_to_review(REVIEW, content="Thank you.", language="en")
        with pytest.raises(Refused) as refused:
            client.reply_to_review(REVIEW, content="Thank you.", language="en")

        assert transport.bodies("reply_to_review")[0] == {
            "content": "Thank you.",
            "language": "en",
        }
        assert refused.value.code == "REVIEW_HAS_NO_PUBLISHED_COMMENT"
        assert refused.value.sentence.endswith("Your draft is kept.")


class TestPhone:
    def test_look_up(self):
        transport = FakeTransport(find_customer_by_phone=200)

        match = testing.client(transport).customer_by_phone(RESTAURANT, "+33199001234").entity

        assert sent(transport)[1].endswith("/customers/phone/%2B33199001234")
        assert match.next_reservations
        assert match.next_reservations[0].status == "RECORDED"

    def test_a_local_number_is_refused_before_it_leaves(self):
        transport = FakeTransport()

        with pytest.raises(InvalidRequest):
            testing.client(transport).customer_by_phone(RESTAURANT, "0199001234")

    def test_report_call(self):
        transport = FakeTransport(report_call=200)

        testing.client(transport).report_call(
            RESTAURANT, status="incoming", caller_id="0199001234", at=datetime.now(UTC)
        )

        assert transport.bodies("report_call")[0]["marketplaceID"] == str(RESTAURANT)

    def test_report_integration_status(self):
        transport = FakeTransport(report_integration_status=200)

        answer = testing.client(transport).report_integration_status(
            RESTAURANT, status="HardwareInTransit"
        )

        assert answer.entity.status_code == 200


def png(width=300, height=100, **options) -> bytes:
    written = io.BytesIO()
    Image.new("RGBA", (width, height), "teal").save(written, "PNG", **options)
    return written.getvalue()


class TestLogo:
    def test_it_works(self):
        transport = FakeTransport(upload_logo=200)
        identity = testing.pos_identity()
        identity.refresh_from_db()

        answer = testing.client(transport).upload_logo(identity, png=png())

        [request] = transport.requests
        assert request.path == f"/v1/{identity.uuid}/logo"
        assert request.content_type.startswith("multipart/form-data; boundary=")
        assert b'name="logo"; filename="logo.png"' in (request.body or b"")
        assert transport.headers[0]["X-Api-Key"] == "api-key-for-tests"
        assert "Authorization" not in transport.headers[0]
        assert answer.entity.logo_path == "/logos/1.png"

    @pytest.mark.parametrize(
        "data",
        [
            png(width=299),
            png(width=2001),
            png(height=2001),
            png() + b"x" * 100 * 1024,
            png() + b"<script>alert(1)</script>",
            png()[:200],
            b"\x89PNG\r\n\x1a\n" + b"0" * 50,
            b"GIF89a",
            b"",
            png(save_all=True, append_images=[Image.new("RGBA", (300, 100), "red")]),
        ],
        ids=[
            "narrow",
            "wide",
            "high",
            "heavy",
            "hidden",
            "cut",
            "damaged",
            "gif",
            "empty",
            "animated",
        ],
    )
    def test_others_are_refused_before_they_leave(self, data):
        with pytest.raises(InvalidRequest) as refused:
            testing.client(FakeTransport()).upload_logo(testing.pos_identity(), png=data)

        assert refused.value.field == "logo"


def test_an_answer_of_the_wrong_shape_is_malformed():
    transport = FakeTransport(
        get_reservation=(200, []), list_offers=(200, {"data": []}), list_customers=(200, {})
    )
    client = testing.client(transport)

    with pytest.raises(Malformed):
        client.reservation(RESERVATION)
    with pytest.raises(Malformed):
        client.offers(RESTAURANT, locale="fr")
    with pytest.raises(Malformed):
        list(client.customer_uuids(group=GROUP, start=DAY, end=DAY))


def test_an_operator_can_get_any_path():
    transport = FakeTransport(get=(200, {"data": []}))

    assert testing.client(transport).get("/v1/reviews?page=1").payload == {"data": []}


def test_an_unexpected_request_fails_the_test():
    with pytest.raises(AssertionError, match="get_customer"):
        testing.client(FakeTransport()).customer(CUSTOMER)


def test_the_default_client_uses_the_active_connection():
    testing.connection()

    assert isinstance(factory.client(), Client)
