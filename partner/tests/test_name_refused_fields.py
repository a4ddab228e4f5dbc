"""A refusal of a field names it in words of people, however the service spells it."""

from datetime import UTC, date, datetime
from uuid import uuid4

import pytest

from partner.payloads import bodies
from partner.wording import words

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GUEST = {
    "email": "jo@example.org",
    "first_name": "Jo",
    "last_name": "Martin",
    "phone": "+33199001234",
}
BODIES = {
    "create": bodies.new_reservation(
        meal_date="2026-01-17T20:00:00+01:00",
        party_size=4,
        customer=bodies.NewCustomer(**GUEST, locale="fr_FR", civility="mx", newsletter=True),
        offer_uuid=uuid4(),
        customer_note="By the window",
        restaurant_note="Cake",
        now=NOW,
    ),
    "update": bodies.reservation_update(
        meal_date="2026-01-17T20:00:00+01:00", party_size=4, restaurant_note="Cake"
    ),
    "override": bodies.override(
        day=date(2026, 1, 17), start_time="19:00", end_time="21:00", is_open=False
    ),
    "reply": bodies.reply(content="Thank you.", language="en"),
    "milestone": bodies.milestone(restaurant_uuid=uuid4(), status="LeadReceived"),
}


def names_in(body, above=()):
    """The path of every field of a body, the objects included."""
    for name, value in body.items():
        yield (*above, name)
        if isinstance(value, dict):
            yield from names_in(value, (*above, name))


def codes_of(path):
    """The spellings that the contract leaves open: with underscores or without, whole or inner."""
    for parts in (path, path[-1:]):
        spelt = ["".join(f"_{c}" if c.isupper() else c for c in part).upper() for part in parts]
        yield f"INVALID_{'_'.join(spelt)}"
        yield f"INVALID_{''.join(spelt).replace('_', '')}"


FIELDS = sorted({path for body in BODIES.values() for path in names_in(body)})


@pytest.mark.parametrize("path", FIELDS, ids=".".join)
def test_every_field_that_we_send_has_a_name(path):
    found = {words.field_of(code) for code in codes_of(path)}
    sentences = {words.sentence(code, kind="refused", is_read=False) for code in codes_of(path)}

    assert len(found) == 1
    assert "" not in found
    assert len(sentences) == 1
    assert "the field" not in sentences.pop()


def test_an_unknown_field_is_named_as_it_is_spelt():
    sentence = words.sentence("INVALID_TABLE_NUMBER", kind="refused", is_read=False)

    assert sentence == "The service did not accept the field “table number”. Nothing was changed."


def test_any_other_code_names_no_field():
    assert words.field_of("NO_AVAILABILITY") == ""
    assert not words.is_about_a_field("NO_AVAILABILITY")
