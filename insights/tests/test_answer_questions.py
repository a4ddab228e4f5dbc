"""The pages of the app: each question's number, change, picture, table and file."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine
from auditlog.models import LogEntry
from django.urls import reverse

from insights.questions import QUESTIONS
from insights.tests.asking import (
    YESTERDAY,
    at_a_known_time,
    count,
    lines_of,
    number_of,
    show,
)
from reservations.testing import make_reservation
from restaurants.models import Restaurant
from restaurants.testing import sign_in
from reviews.testing import make_review

__all__ = ["at_a_known_time"]  # a fixture
WEEK_BEFORE = YESTERDAY - timedelta(days=28)


def test_it_works(alice, quay):
    for days in range(14):  # as many as a change of four weeks needs
        make_reservation(quay, meal_at=YESTERDAY - timedelta(days=days), party_size=4)
        make_reservation(quay, meal_at=YESTERDAY - timedelta(days=days), party_size=2)
        make_reservation(quay, meal_at=WEEK_BEFORE - timedelta(days=days), party_size=4)
    count()
    response = show(alice, "fullness")

    assert number_of(response) == "84"
    assert response.context["answer"].delta.words == "+50 %"
    assert "against the weeks before" in response.content.decode()


def test_the_first_page_asks_every_question(alice, quay):
    make_reservation(quay, meal_at=YESTERDAY)
    count()
    page = sign_in(alice).get(reverse("insights:index")).content.decode()

    for question in QUESTIONS.values():
        assert str(question.title) in page


def test_the_first_page_looks_up_no_table(alice, quay, django_assert_max_num_queries):
    make_reservation(quay, meal_at=YESTERDAY)
    count()
    client = sign_in(alice)
    client.get(reverse("insights:index"))
    with django_assert_max_num_queries(33) as params:
        client.get(reverse("insights:index"))

    assert not [one for one in params if '"hour"' in one["sql"]]


def test_a_page_counts_no_reservation(alice, quay, django_assert_max_num_queries):
    make_reservation(quay, meal_at=YESTERDAY)
    count()
    client = sign_in(alice)
    with django_assert_max_num_queries(20) as params:
        client.get(reverse("insights:show", args=["fullness"]))

    # The frame of every page counts the requests that wait.
    own = [one["sql"] for one in params if "'REQUESTED'" not in one["sql"]]
    assert not [sql for sql in own if "reservations_reservation" in sql]


@pytest.mark.parametrize("slug", QUESTIONS)
class TestEach:
    def test_it_works(self, alice, quay, slug):
        make_reservation(
            quay,
            meal_at=YESTERDAY,
            meal_status="LEFT",
            bill_amount=Decimal(90),
            bill_currency="EUR",
            utm={"utm_source": "mail"},
            created_at=YESTERDAY - timedelta(days=3),
            customer_note="Allergic to nuts",
        )
        make_review(quay, meal_at=YESTERDAY, service_day=YESTERDAY.date(), global_rating=Decimal(8))
        count()
        response = show(alice, slug)
        page = response.content.decode()

        assert response.context["answer"].is_known
        assert "How it is counted" in page
        assert "<svg" in page
        assert "<table" in page
        assert len(lines_of(alice, slug)) >= 2

    def test_it_says_when_nothing_is_known(self, alice, slug):
        assert "Nothing is known of these days." in show(alice, slug).content.decode()

    def test_it_is_for_managers(self, bob, slug):
        assert show(bob, slug).status_code == 403


def test_all_questions_without_an_answer_are_one_sentence(alice, dora, quay):
    page = sign_in(alice).get("/insights/").content.decode()

    assert page.count("Nothing is known of these days") == 1
    assert "Read older days" not in page
    assert "Read older days" in sign_in(dora).get("/insights/").content.decode()


def test_it_hides_other_groups(alice, charlie, quay, cellar):
    make_reservation(cellar, meal_at=YESTERDAY, party_size=9)
    count()

    assert "Cellar" not in show(alice, "fullness").content.decode()
    assert number_of(show(charlie, "fullness")) == "9"
    assert not show(alice, "fullness", f"?scope={cellar.uuid}").context["answer"].is_known


def test_an_unknown_question_is_not_found(alice):
    assert show(alice, "weather").status_code == 404


def test_a_choice_narrows_the_answer(alice, quay, loft):
    lunch = YESTERDAY
    make_reservation(quay, meal_at=lunch, party_size=2, reservation_channel="Offline")
    make_reservation(quay, meal_at=lunch + timedelta(hours=7), party_size=3)
    make_reservation(loft, meal_at=lunch + timedelta(hours=6), party_size=4)
    count()

    assert number_of(show(alice, "fullness")) == "9"
    assert number_of(show(alice, "fullness", "?service=evening")) == "3"
    assert number_of(show(alice, "fullness", "?channel=Offline")) == "2"
    assert number_of(show(alice, "fullness", "?service=evening&channel=Offline")) == "0"
    assert number_of(show(alice, "fullness", f"?only={loft.uuid}")) == "4"
    assert number_of(show(alice, "fullness", f"?scope={quay.uuid}")) == "5"
    day = (YESTERDAY - timedelta(days=1)).date()
    assert number_of(show(alice, "fullness", f"?range=own&since={day}&until={day}")) == "0"


@pytest.mark.parametrize(
    "query",
    [
        "?range=own&since=2026-02-30&until=x",
        "?range=own&since=0001-01-01&until=0001-01-02",
        "?range=own&since=9999-12-01&until=9999-12-31",
        "?range=forever&service=tea&only=nowhere&compare=never",
        "?channel=%00%F0%9F%8D%95",
    ],
)
def test_nonsense_is_answered_as_by_default(alice, query):
    response = show(alice, "fullness", query)

    assert response.status_code == 200
    assert response.context["params"].days == 28


def test_yesterday_is_a_day_beside_the_same_weekday_of_the_week_before(alice, quay):
    make_reservation(quay, meal_at=YESTERDAY, party_size=6)
    make_reservation(quay, meal_at=YESTERDAY - timedelta(days=7), party_size=4)
    make_reservation(quay, meal_at=YESTERDAY - timedelta(days=1), party_size=9)
    count()

    response = show(alice, "fullness", "?range=1d")

    assert response.context["params"].days == 1
    assert "+50 % against the week before" in " ".join(response.content.decode().split())


def test_a_day_is_compared_with_the_same_weekday(alice):
    for query in (
        "?range=1d",
        "?range=1w",
        "?range=52w",
        "?compare=year",
        "?range=own&since=2026-01-01&until=2026-01-10",
    ):
        params = show(alice, "fullness", query).context["params"]
        assert params.before.first.weekday() == params.first.weekday()
        assert params.before.last < params.first


def test_three_years_are_answered(alice, quay):
    for days in range(0, 1000, 50):
        make_reservation(quay, meal_at=YESTERDAY - timedelta(days=days), party_size=1)
    count()
    first = (YESTERDAY - timedelta(days=999)).date()

    response = show(alice, "fullness", f"?range=own&since={first}&until={YESTERDAY.date()}")
    assert number_of(response) == "20"


class TestAbsence:
    def test_nothing_is_claimed_where_arrivals_are_not_marked(self, alice, quay, loft):
        make_reservation(quay, meal_at=YESTERDAY, meal_status="LEFT")
        make_reservation(quay, meal_at=YESTERDAY, status="NO_SHOW")
        for _number in range(9):
            make_reservation(loft, meal_at=YESTERDAY)
        make_reservation(loft, meal_at=YESTERDAY, status="NO_SHOW")
        count()
        response = show(alice, "absence")

        assert number_of(response) == "50.0 %"
        assert (
            "In this time enough arrivals were marked at 1 of 2 restaurants."
            in response.content.decode()
        )
        assert "too few marked" in response.content.decode()

    def test_without_any_marks_there_is_no_number(self, alice, quay):
        make_reservation(quay, meal_at=YESTERDAY, status="NO_SHOW")
        make_reservation(quay, meal_at=YESTERDAY)
        count()

        assert not show(alice, "absence").context["answer"].is_known


class TestSpend:
    def test_currencies_stay_apart(self, alice, quay, loft):
        for amount in ("10.10", "20.20"):
            make_reservation(
                quay, meal_at=YESTERDAY, bill_amount=Decimal(amount), bill_currency="EUR"
            )
        make_reservation(loft, meal_at=YESTERDAY, bill_amount=Decimal(99), bill_currency="USD")
        make_reservation(quay, meal_at=YESTERDAY)
        count()
        response = show(alice, "spend")

        assert number_of(response) == "7.58 EUR"
        assert "The bill is known for 75.0 % of bookings." in response.content.decode()
        assert lines_of(alice, "spend")[1:] == [
            "Quay,EUR,7.575,30.30,2",
            "Loft,USD,49.50,99.00,1",
        ]

    @pytest.mark.parametrize(
        ("bills", "mean", "total"),
        [
            (("87.455", "0.010"), "21.866 TND", "87.465 TND"),
            (("1200", "1301"), "625 JPY", "2,501 JPY"),
            (("87.455", "0.1"), "21.89 EUR", "87.555 EUR"),
        ],
    )
    def test_no_decimal_of_a_bill_is_lost(self, alice, quay, bills, mean, total):
        total, currency = total.split()
        for bill in bills:
            amount = {"bill_amount": Decimal(bill), "bill_currency": currency}
            make_reservation(quay, meal_at=YESTERDAY, utm={"utm_source": "letter"}, **amount)
        count()
        answer = show(alice, "spend").context["answer"]

        assert answer.number == mean
        assert f"{total} {currency} in all" in answer.caption
        assert f'<td class="number">{total}</td>' in show(alice, "spend").content.decode()
        assert lines_of(alice, "spend")[1].split(",")[3] == total.replace(",", "")
        assert lines_of(alice, "campaigns")[1].split(",")[7] == total.replace(",", "")

    def test_bills_that_name_no_currency_are_of_an_unknown_one(self, alice, quay):
        for bill in ("400.5", "18.035"):
            amount = {"bill_amount": Decimal(bill), "bill_currency": ""}
            make_reservation(quay, meal_at=YESTERDAY, party_size=2, **amount)
        make_reservation(quay, meal_at=YESTERDAY, bill_amount=Decimal(9), bill_currency="EUR")
        count()
        answer = show(alice, "spend").context["answer"]

        words = "per cover; 418.535 in all, in a currency that the bills do not name"
        assert (answer.number, answer.caption) == ("104.63", words)
        assert answer.left_out == [
            "Left out, another currency: Quay (EUR).",
            "Left out, no bills: Loft.",
        ]
        assert "  " not in answer.picture.words


class TestFile:
    def test_it_is_in_the_audit_trail(self, alice, quay):
        make_reservation(quay, meal_at=YESTERDAY)
        count()
        lines_of(alice, "fullness")

        verbs = [
            one.additional_data["verb"] for one in LogEntry.objects.all() if one.additional_data
        ]
        assert "exported insights fullness" in verbs

    def test_words_cannot_become_formulas(self, alice, quay):
        make_reservation(quay, meal_at=YESTERDAY, utm={"utm_source": "=1+1"})
        count()

        assert lines_of(alice, "campaigns")[1].startswith("'=1+1,")

    def test_it_takes_the_right(self, alice, quay, without_right):
        without_right("insights.export_data")
        url = reverse("insights:export_csv", args=["fullness"])

        assert sign_in(alice).get(url).status_code == 403


@pytest.mark.parametrize(("days", "counted"), [(3, 3), (10, 7), (15, 14), (27, 21), (40, 28)])
def test_the_heat_map_counts_each_weekday_as_often(alice, quay, days, counted):
    """Of ten days three weekdays would count twice."""
    for day in range(days):
        make_reservation(quay, meal_at=YESTERDAY - timedelta(days=day), party_size=2)
    count()
    last = YESTERDAY.date()
    own = f"?range=own&since={last - timedelta(days=days - 1)}&until={last}"
    heat = show(alice, "fullness", own).context["answer"].heat
    found = [sum(covers for covers, _step in cells) for _day, cells in heat.rows]

    assert (heat.last - heat.first).days + 1 == counted
    assert sum(found) == 2 * counted
    assert len({covers for covers in found if covers}) == 1


@pytest.mark.parametrize("name", ["A loft", "Zenith"], ids=["first", "last"])
def test_yesterday_is_over_at_each_restaurant(alice, quay, loft, name):
    """At seven in Paris the last guests sit in New York still, however the place is called."""
    Restaurant.objects.filter(pk=loft.pk).update(name=name)
    with time_machine.travel(datetime(2026, 6, 17, 5, tzinfo=UTC)):
        both = show(alice, "fullness", "?range=1d").context["params"]
        paris = show(alice, "fullness", f"?range=1d&scope={quay.uuid}").context["params"]

    assert (both.last, paris.last) == (date(2026, 6, 15), date(2026, 6, 16))
