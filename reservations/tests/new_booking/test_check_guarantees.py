"""Which choice of a slot needs a card that cannot be taken here."""

from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partner.payloads.reading import read
from partner.schemas import Timeslot
from reservations.guarantees import CheckResult, any_choice, check_choice

MENU = UUID("5b0e0a52-0f3c-4b0e-9a5d-6f0d3a1c7e11")
IMPRINT = {
    "guaranteeType": "imprint",
    "amount": 20,
    "minimumCancellationHours": 24,
    "minimumPartySize": 6,
}
PREPAID_MENU = {
    "guaranteeType": "prepayment",
    "amount": 45,
    "minimumCancellationHours": 48,
    "minimumPartySize": 0,
    "offerUuid": str(MENU),
}


def slot(*rules, **changes):
    known = {
        "datetime": "2026-12-04T20:00:00+01:00",
        "offers": [str(MENU)],
        "hasNormalStock": True,
        "hasPaymentGuaranteeRequirement": bool(rules),
        "guaranteeRequirementList": list(rules),
    }
    return read(Timeslot, known | changes)[0]


def test_it_works():
    assert check_choice(slot(), party_size=2).is_free


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("imprint", "Card imprint of"),
        ("prepayment", "Prepayment of"),
        ("bank_transfer", "Bank transfer of"),
        (None, "Card guarantee of"),
    ],
)
def test_a_new_kind_of_guarantee_is_not_called_an_imprint(word, shown):
    rule = slot(IMPRINT | {"guaranteeType": word})

    assert check_choice(rule, party_size=6).reason.startswith(shown)


def test_a_rule_for_large_parties_leaves_small_ones_alone():
    assert check_choice(slot(IMPRINT), party_size=5).is_free
    assert check_choice(slot(IMPRINT), party_size=6).result is CheckResult.NEEDS_GUARANTEE


def test_a_rule_of_an_offer_leaves_the_normal_stock_alone():
    assert check_choice(slot(PREPAID_MENU), party_size=2).is_free
    assert (
        check_choice(slot(PREPAID_MENU), party_size=2, offer=MENU).result
        is CheckResult.NEEDS_GUARANTEE
    )


def test_zero_means_every_party():
    assert not check_choice(slot(PREPAID_MENU), party_size=1, offer=MENU).is_free


def test_it_says_what_how_much_from_whom_and_until_when():
    reason = check_choice(slot(IMPRINT), party_size=8).reason

    assert reason == "Card imprint of 20 EUR from 6 people, free until 24 h before."


UNREADABLE_OFFER = PREPAID_MENU | {"offerUuid": "the menu"}
ANYTHING_ELSE = st.recursive(
    st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)


def is_no_flag(value):
    return not isinstance(value, str) or value.strip().casefold() not in ("true", "false")


@pytest.mark.parametrize("offer", [None, MENU])
@pytest.mark.parametrize(
    "rules",
    [None, [], {}, "rules", [None], ["imprint"], [UNREADABLE_OFFER], [IMPRINT, 7]],
    ids=str,
)
def test_a_flag_without_readable_rules_is_believed(rules, offer):
    guarded = slot(hasPaymentGuaranteeRequirement=True, guaranteeRequirementList=rules)

    assert check_choice(guarded, party_size=2, offer=offer).result is CheckResult.NEEDS_GUARANTEE


@settings(max_examples=200)
@given(flag=ANYTHING_ELSE.filter(is_no_flag), rules=st.sampled_from([[], [IMPRINT], None]))
def test_a_flag_that_cannot_be_read_is_never_taken_for_no(flag, rules):
    odd = slot(hasPaymentGuaranteeRequirement=flag, guaranteeRequirementList=rules)

    assert check_choice(odd, party_size=2).result is CheckResult.NEEDS_GUARANTEE


@settings(max_examples=200)
@given(
    broken=ANYTHING_ELSE,
    field=st.sampled_from(["guaranteeType", "amount", "minimumCancellationHours"]),
)
def test_a_rule_whose_terms_cannot_be_read_still_meets_whom_it_meets(broken, field):
    odd = slot(IMPRINT | {field: broken})

    assert check_choice(odd, party_size=5).is_free
    assert check_choice(odd, party_size=6).result is CheckResult.NEEDS_GUARANTEE


def test_a_rule_without_its_size_meets_every_party():
    for size in (None, "six", 6.5):
        odd = slot(IMPRINT | {"minimumPartySize": size})
        assert check_choice(odd, party_size=1).result is CheckResult.NEEDS_GUARANTEE


def test_a_slot_that_says_no_is_free():
    assert check_choice(slot(hasPaymentGuaranteeRequirement=False), party_size=2).is_free

    without_list = slot(hasPaymentGuaranteeRequirement=False, guaranteeRequirementList=None)
    assert check_choice(without_list, party_size=2).is_free


def test_a_flag_whose_rules_meet_nobody_is_not():
    assert check_choice(slot(PREPAID_MENU), party_size=4).is_free


def test_without_normal_stock_an_offer_is_needed():
    assert check_choice(slot(hasNormalStock=False), party_size=2).result is CheckResult.NOT_SOLD
    assert check_choice(slot(hasNormalStock=False), party_size=2, offer=MENU).is_free


@pytest.mark.parametrize("offers", [None, []])
@pytest.mark.parametrize("offer", [None, MENU])
@pytest.mark.parametrize("stock", [False, None])
def test_a_slot_without_stock_and_offers_has_nothing_free(offers, offer, stock):
    """“Only with an offer” would send people looking for one that no one sells."""
    full = slot(hasNormalStock=stock, offers=offers)

    assert check_choice(full, party_size=2, offer=offer) == (CheckResult.NOT_SOLD, "Nothing free.")
    assert any_choice(full, party_size=2).reason == "Nothing free."


@pytest.mark.parametrize(("is_guarded", "is_free"), [(False, True), (True, False), (None, False)])
def test_a_listed_time_that_says_nothing_of_stock_is_on_sale(is_guarded, is_free):
    """The contract promises two parts of a time: its text, and whether it is guarded."""
    text, flag = "2026-12-04T20:00:00+01:00", "hasPaymentGuaranteeRequirement"
    guarded = {} if is_guarded is None else {flag: is_guarded}
    bare, _drift = read(Timeslot, {"datetime": text} | guarded)

    for listed in (bare, bare.joined(bare)):
        assert check_choice(listed, party_size=2).is_free is is_free
        assert any_choice(listed, party_size=2).is_free is is_free


def test_an_offer_that_the_slot_lacks_is_not_sold():
    assert check_choice(slot(offers=None), party_size=2, offer=MENU).result is CheckResult.NOT_SOLD


def test_a_slot_is_free_when_one_of_its_choices_is():
    assert any_choice(slot(PREPAID_MENU), party_size=2).is_free
    assert any_choice(slot(PREPAID_MENU, hasNormalStock=False), party_size=2).reason.startswith(
        "Prepayment"
    )


class TestListedTwice:
    """A time that the service lists twice is one time, with what both entries hold."""

    def test_it_works(self):
        both = slot(offers=[], hasNormalStock=True).joined(slot(hasNormalStock=False))

        assert both.offers == [MENU]
        assert both.has_normal_stock is True
        assert check_choice(both, party_size=2).is_free

    def test_the_guarantees_of_both_hold(self):
        both = slot().joined(slot(IMPRINT, PREPAID_MENU))

        assert not check_choice(both, party_size=6).is_free
        assert not check_choice(both, party_size=2, offer=MENU).is_free
        assert check_choice(both, party_size=2).is_free

    def test_one_that_hides_its_guarantee_hides_that_of_both(self):
        hidden = slot(hasPaymentGuaranteeRequirement=True)

        assert slot().joined(hidden).hides_guarantee
        assert hidden.joined(slot()).hides_guarantee
