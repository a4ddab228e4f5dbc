"""What the tests of the questions share: a known time, and how an answer is read."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.urls import reverse

from insights.sums import recount
from restaurants.models import Restaurant
from restaurants.testing import sign_in

NOW = datetime(2026, 6, 17, 15, tzinfo=UTC)
YESTERDAY = NOW.replace(hour=12) - timedelta(days=1)


@pytest.fixture(autouse=True)
def at_a_known_time() -> Iterator[None]:
    with time_machine.travel(NOW):
        yield


def count() -> None:
    for restaurant in Restaurant.objects.all():
        recount.rebuild(restaurant, now=NOW)


def show(user, slug, query=""):
    return sign_in(user).get(reverse("insights:show", args=[slug]) + query)


def number_of(response):
    return response.context["answer"].number


def lines_of(user, slug, query=""):
    response: Any = sign_in(user).get(reverse("insights:export_csv", args=[slug]) + query)
    return b"".join(response.streaming_content).decode().splitlines()
