"""The log shows which call of the day it is, when the caller rang in vain before."""

from datetime import timedelta

import pytest
from django.utils import timezone, translation

from phone.calls.repeats import in_words
from phone.testing import EVENING, make_call
from restaurants.testing import sign_in

MINUTE = timedelta(minutes=1)


@pytest.fixture
def get(alice):
    client = sign_in(alice)
    return lambda path="": client.get(f"/phone/{path}").content.decode()


@pytest.fixture
def ring(quay):
    """A call some minutes after the evening began, and missed unless the fields say otherwise."""

    def ring(minutes, restaurant=quay, *, answered=False, **fields):
        began = EVENING + minutes * MINUTE
        ended = {"answered_at": began} if answered else {"missed_at": began}
        return make_call(restaurant, began_at=began, **ended | fields)

    return ring


def test_it_works(get, ring):
    first, second, third = ring(0), ring(5), ring(9)

    assert "call that day" not in get(f"calls/{first.uuid}/")
    assert "2nd call that day" in get(f"calls/{second.uuid}/")
    assert "3rd call that day" in get(f"calls/{third.uuid}/")
    assert get().count("call that day") == 2


def test_the_running_service_day_is_today(get, quay):
    now = timezone.now()
    day_begins = quay.day_bounds(quay.service_day(now))[0]
    make_call(quay, began_at=day_begins, missed_at=day_begins)
    make_call(quay, began_at=now, missed_at=now)

    assert "2nd call today" in get()
    assert "that day" not in get()


@pytest.mark.parametrize(
    ("language", "words"), [("fr", "2e appel ce jour-là"), ("es", "2.ª llamada ese día")]
)
def test_it_is_in_the_language_of_the_person(alice, ring, language, words):
    ring(0)
    ring(5)

    assert words in sign_in(alice).get("/phone/", headers={"Accept-Language": language}).text


@pytest.mark.parametrize(
    ("language", "words"), [("fr", "2e appel aujourd’hui"), ("es", "2.ª llamada hoy")]
)
def test_today_too(language, words):
    with translation.override(language):
        assert in_words(2, is_today=True) == words


@pytest.mark.parametrize(
    ("n", "words"),
    [(4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"), (33, "33rd")],
)
def test_every_number_has_its_ending(n, words):
    assert in_words(n, is_today=True) == f"{words} call today"


def test_a_call_that_is_answered_shows_that_it_was_not_the_first(get, ring):
    ring(0)
    ring(5, answered=True)

    assert "2nd call that day" in get()


def test_who_was_spoken_to_got_through(get, ring):
    """Whoever rings in vain after that has rung as often as it says."""
    ring(0, answered=True)
    ring(5)

    assert "call that day" not in get()
    again = ring(9)
    assert "3rd call that day" in get(f"calls/{again.uuid}/")


def test_an_end_without_an_answer_is_no_answer(get, ring):
    ring(0, missed_at=None, ended_at=EVENING)
    ring(5)

    assert "2nd call that day" in get()


def test_midnight_ends_no_service_day(get, ring):
    ring(0)
    ring(6 * 60)  # 01:00

    assert "2nd call that day" in get()


def test_the_next_service_day_begins_anew(get, ring):
    ring(0)
    ring(10 * 60)  # 05:00

    assert "call that day" not in get()


def test_the_day_is_the_restaurant_s_own(get, ring, loft):
    """Ten hours later it is the same afternoon and night in New York."""
    ring(0, loft)
    ring(10 * 60, loft)

    assert "2nd call that day" in get()


def test_each_restaurant_counts_its_own(get, ring, quay, loft):
    ring(0, loft)
    ring(5, quay)

    assert "call that day" not in get()


def test_other_numbers_and_hidden_ones_count_nothing(get, ring):
    ring(0, number="+33199001235")
    ring(1, number="")
    ring(2, number="")
    ring(3)

    assert "call that day" not in get()


def test_the_missed_ones_count_what_their_list_leaves_out(get, ring):
    ring(0, missed_at=None)  # its end was not reported
    ring(5)

    assert "2nd call that day" in get("?outcome=missed")


def test_a_page_counts_what_stands_on_another(get, ring):
    ring(0)
    last = ring(5)
    for minute in range(6, 57):
        ring(minute, number="")

    assert "2nd call that day" not in get()
    assert "2nd call that day" in get(f"?before={last.pk + 1}")


def test_rows_cost_no_queries(get, ring, django_assert_max_num_queries):
    for minute in range(40):
        ring(minute)
    with django_assert_max_num_queries(15):
        html = get()

    assert html.count("call that day") == 39


def test_nobody_without_the_right_reads_it(alice, bob, ring, loft, without_right):
    ring(0, loft)
    call = ring(5, loft)

    assert "call that day" not in sign_in(bob).get("/phone/").text
    assert sign_in(bob).get(f"/phone/calls/{call.uuid}/").status_code == 404
    without_right("phone.view_call")
    answer = sign_in(alice).get("/phone/")
    assert answer.status_code == 403
    assert "99 00 12 34" not in answer.text
