"""An amount keeps every decimal that it was sent with, and has those of its currency."""

from decimal import Decimal

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from lib.money import (
    NO_DECIMALS,
    THREE_DECIMALS,
    decimals_of,
    exact,
    mean_money,
    money,
    rounded,
    spelt,
)

CURRENCIES = st.sampled_from([*NO_DECIMALS, *THREE_DECIMALS, "EUR", "USD", "XYZ", ""])
AMOUNTS = st.decimals(min_value=-(10**11), max_value=10**11, places=3)


@pytest.mark.parametrize(
    ("amount", "currency", "words"),
    [
        ("87.455", "TND", "87.455 TND"),
        ("87.4", "TND", "87.400 TND"),
        ("12.5", "KWD", "12.500 KWD"),
        ("65", "EUR", "65.00 EUR"),
        ("186.400", "EUR", "186.40 EUR"),
        ("87.455", "EUR", "87.455 EUR"),
        ("1200.000", "JPY", "1,200 JPY"),
        ("1200.5", "JPY", "1,200.5 JPY"),
        ("0", "CLP", "0 CLP"),
        ("65", "", "65.00"),
        ("65", "eur", "65.00 eur"),
        ("1200", "jpy", "1,200 jpy"),
    ],
)
def test_it_works(amount, currency, words):
    assert money(Decimal(amount), currency) == words


def test_it_is_spelt_in_the_reader_s_language():
    with override("fr"):
        assert money(Decimal("87.455"), "TND") == "87,455 TND"
        assert mean_money(Decimal(100) / 3, "JPY") == "33 JPY"


@pytest.mark.parametrize(
    ("currency", "words"), [("TND", "33.333 TND"), ("EUR", "33.33 EUR"), ("JPY", "33 JPY")]
)
def test_a_mean_has_the_decimals_of_its_currency(currency, words):
    assert mean_money(Decimal(100) / 3, currency) == words


def test_half_of_the_smallest_unit_is_rounded_up():
    assert rounded(Decimal("0.125"), "EUR") == Decimal("0.13")


@given(AMOUNTS, CURRENCIES)
def test_nothing_of_an_amount_is_lost(amount, currency):
    kept = exact(amount, currency)

    assert kept == amount
    assert -int(kept.as_tuple().exponent) >= decimals_of(currency)
    assert Decimal(spelt(kept)) == amount
