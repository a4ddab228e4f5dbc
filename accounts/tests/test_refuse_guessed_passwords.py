"""Which new passwords are refused, and that every long and odd one is taken."""

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from accounts.tests.conftest import PASSWORD


def is_taken(password, user):
    try:
        validate_password(password, user)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    "password",
    [
        "password1234",
        "qwertyuiop123",
        "123456789012",
        "aaaaaaaaaaaaaa",
        "jonasbrothers",
        "letmeinplease",
        "P@ssw0rd!!!!",
        "abcdabcdabcd",
        "Summer-2026-!!",
    ],
)
def test_common_ones_are_refused(alice, password):
    assert not is_taken(password, alice)


@pytest.mark.parametrize(
    "password",
    ["Couvert-2026!!", "RestaurantAdmin1", "réservations2026", "Welcome-Manager-1"],
)
def test_words_of_the_product_and_the_trade_are_refused(alice, password):
    assert not is_taken(password, alice)


def test_the_name_of_the_place_is_refused_to_its_people(cast):
    cast.quay.name, cast.quay.short_name = "Zum Blauen Wal", "Wal"
    cast.quay.save()

    assert not is_taken("Zum Blauen Wal 26!", cast.alice)


def test_ones_own_name_is_refused(alice):
    alice.name = "Philippa Featherstone"

    assert not is_taken("Featherstone-Philippa-7", alice)


@pytest.mark.parametrize(
    "password",
    [
        PASSWORD,
        "mon chat dort sous le piano",
        "zqxjkvbwpyfg",
        "ñandú ß 漢字 éclair",
        "k7#Qw" + "vZ9!pLx2" * 16,
    ],
)
def test_others_are_taken_whatever_they_are_made_of(alice, password):
    assert is_taken(password, alice)


def test_nobody_needs_to_exist_yet():
    """`createsuperuser` asks before there is a person."""
    assert is_taken(PASSWORD, None)
