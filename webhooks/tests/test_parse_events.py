"""What the bytes of a delivery may say, and what makes them odd."""

import json

import pytest
from django.test import SimpleTestCase

from webhooks.events import KNOWN, OddDelivery, UnknownEvent, WebhookEvent, parse
from webhooks.testing import FIXTURES, payload

RESERVATION = "7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33"


class TestParseEvents(SimpleTestCase):
    def test_it_works(self):
        event = parse(payload("reservationUpdated"))

        assert isinstance(event, WebhookEvent)
        assert (event.entity_type, event.event_type) == ("reservation", "reservationUpdated")
        assert str(event.uuid) == RESERVATION
        assert str(event.restaurant_uuid) == "11111111-0000-4000-8000-000000000011"

    def test_every_known_type_has_a_recorded_payload(self):
        recorded = {path.stem for path in FIXTURES.glob("*.json")}

        assert set.union(*KNOWN.values()) <= recorded

    def test_it_reads_every_recorded_payload(self):
        for path in FIXTURES.glob("*.json"):
            event = parse(path.read_bytes())

            assert isinstance(event, WebhookEvent), path.name
            assert event.event_type in KNOWN[event.entity_type]

    def test_an_older_payload_names_no_group_and_no_restaurant(self):
        event = parse(payload("older_payload"))

        assert isinstance(event, WebhookEvent)
        assert (event.group_uuid, event.restaurant_uuid) == (None, None)

    def test_null_is_as_good_as_absent(self):
        event = parse(json.dumps(json.loads(payload()) | {"groupUuid": None, "more": [1]}).encode())

        assert isinstance(event, WebhookEvent)
        assert event.group_uuid is None

    def test_an_empty_id_is_as_good_as_absent(self):
        event = parse(payload(groupUuid="", restaurantUuid=""))

        assert isinstance(event, WebhookEvent)
        assert (event.group_uuid, event.restaurant_uuid) == (None, None)

    def test_an_endless_number_beside_it_spoils_nothing(self):
        more = b'{"version": ' + b"9" * 5_000 + b", "

        assert isinstance(parse(more + payload()[1:]), WebhookEvent)

    def test_it_takes_capitals_in_an_id(self):
        event = parse(payload(uuid=RESERVATION.upper()))

        assert isinstance(event, WebhookEvent)
        assert str(event.uuid) == RESERVATION

    def test_an_unknown_entity_type_is_no_error(self):
        assert parse(b'{"entityType": "menu", "eventType": "menuChanged"}') == UnknownEvent(
            entity_type="menu", event_type="menuChanged"
        )

    def test_an_unknown_event_type_is_no_error(self):
        assert isinstance(parse(payload(eventType="reservationSeated")), UnknownEvent)

    def test_an_event_type_of_another_entity_is_unknown(self):
        assert isinstance(parse(payload(eventType="customerUpdated")), UnknownEvent)

    def test_words_are_storable(self):
        unknown = parse(b'{"entityType": "a\\u0000b", "eventType": "\\ud800"}')

        assert (unknown.entity_type, unknown.event_type) == ("a\ufffdb", "\ufffd")


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "no_json"),
        (b"{", "no_json"),
        (b"\xff\xfe\xfa", "no_json"),
        (b"[" * 60_000, "no_json"),
        (b"9" * 5_000, "no_object"),
        (b"[]", "no_object"),
        (b'"reservation"', "no_object"),
        (b"{}", "no_words"),
        (b'{"entityType": 5, "eventType": "x"}', "no_words"),
        (b'{"entityType": "reservation", "eventType": {}}', "no_words"),
        (payload(uuid=None), "no_uuid"),
        (payload(uuid="7a2f8f0e"), "bad_uuid"),
        (payload(uuid=7), "bad_uuid"),
        (payload(uuid=["a"]), "bad_uuid"),
        (payload(uuid=RESERVATION + "\0"), "bad_uuid"),
        (payload(uuid="{" + RESERVATION + "}"), "bad_uuid"),
        (payload(uuid=RESERVATION.replace("-", "")), "bad_uuid"),
        (payload(uuid="../customers"), "bad_uuid"),
        (payload(groupUuid="mine"), "bad_uuid"),
        (payload(uuid=""), "no_uuid"),
    ],
)
def test_it_says_what_is_odd(raw, reason):
    with pytest.raises(OddDelivery) as odd:
        parse(raw)

    assert odd.value.reason == reason
