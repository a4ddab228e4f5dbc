"""Whoever is stopped for guessing reads when they may try again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.tests.conftest import PASSWORD

LOGIN = "/accounts/login/"


@pytest.fixture
def attempt(client, with_password, alice):
    with_password(alice)

    def attempt(password):
        answer = client.post(LOGIN, {"login": alice.email, "password": password})
        return answer.content.decode()

    return attempt


@pytest.fixture
def begun(time_machine):
    begun = timezone.now()
    time_machine.move_to(begun, tick=False)
    return begun


def test_it_works(attempt, begun):
    for number in range(5):
        attempt(f"wrong {number}")

    assert "Try again in 5 minutes." in attempt(PASSWORD)


def test_it_counts_down_to_the_moment_when_it_is_true(attempt, begun, time_machine, client):
    for number in range(5):
        attempt(f"wrong {number}")

    time_machine.move_to(begun + timedelta(minutes=3, seconds=30), tick=False)
    assert "Try again in 2 minutes." in attempt(PASSWORD)

    time_machine.move_to(begun + timedelta(minutes=5, seconds=1), tick=False)
    attempt(PASSWORD)
    assert client.get("/").status_code == 200


def test_guesses_from_many_places_are_waited_for_by_their_own_limit(attempt, begun, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "50/m/key", "login_elsewhere": "2/h/key"}
    for number in range(2):
        attempt(f"wrong {number}")

    assert "Try again in 60 minutes." in attempt(PASSWORD)
