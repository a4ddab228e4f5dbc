"""Reviews in figures: what is counted, and what is not."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from customers.testing import make_customer
from restaurants.testing import sign_in
from reviews.figures.pages import Numbers
from reviews.models import Rules
from reviews.testing import make_comment, make_review

DAY = date(2026, 1, 20)  # a Tuesday
COMMENTED_AT = datetime(2026, 1, 20, 12, tzinfo=UTC)


def rated(restaurant, score, **fields):
    known: dict[str, Any] = {"global_rating": Decimal(score), "service_day": DAY}
    return make_review(restaurant, **known | fields)


def numbers(*restaurants, **fields):
    known: dict[str, Any] = {"days": 30, "dimension": "global_rating", "today": DAY}
    return Numbers(list(restaurants), **known | fields)


def test_it_works(quay, loft):
    rated(quay, 8)
    rated(quay, 9)
    rated(loft, 5)
    found = numbers(quay, loft)

    assert found.number == 3
    assert found.mean == 7.33
    assert [(p.restaurant, p.mean) for p in found.pictures] == [(quay, 8.5), (loft, 5.0)]


def test_weeks_are_kept_apart(quay):
    rated(quay, 8)
    rated(quay, 4, service_day=DAY - timedelta(days=7))
    [picture] = numbers(quay).pictures

    assert [(p.day, p.mean) for p in picture.points] == [
        (date(2026, 1, 12), 4.0),
        (date(2026, 1, 19), 8.0),
    ]


def test_each_dimension_counts_its_own(quay):
    rated(quay, 8, food_quality_rating=4)
    rated(quay, 8)

    assert numbers(quay, dimension="food_quality_rating").mean == 4.0


@pytest.mark.parametrize(
    "fields", [{"is_valid": False}, {"presence": "gone"}, {"service_day": DAY - timedelta(days=99)}]
)
def test_what_does_not_count_is_left_out(quay, fields):
    rated(quay, 8, **fields)

    assert numbers(quay).number == 0


def test_the_spread_has_every_score(quay):
    rated(quay, "8.5")
    rated(quay, 10)
    found = {bar.label: bar.number for bar in numbers(quay).distribution if bar.number}

    assert found == {"8": 1, "10": 1}


class TestAnswers:
    def answered(self, quay, *, after):
        reply = {
            "reply": "Thanks",
            "reply_status": "PUBLISHED",
            "reply_created_ts": COMMENTED_AT + after,
        }
        make_comment(quay, service_day=DAY, comment_published_ts=COMMENTED_AT, **reply)

    def test_it_works(self, quay):
        self.answered(quay, after=timedelta(hours=4))
        self.answered(quay, after=timedelta(hours=100))
        make_comment(quay, service_day=DAY, comment_published_ts=COMMENTED_AT)
        make_review(quay, service_day=DAY)
        answers = numbers(quay).all_answers

        assert (answers.comments, answers.replied) == (3, 2)
        assert answers.hours_to_reply == 52
        assert round(answers.in_time_share) == 33

    @pytest.mark.parametrize("status", ["REJECTED", "ARCHIVED", "DELETED"])
    def test_a_reply_that_was_refused_or_withdrawn_answers_nobody(self, quay, status):
        reply = {"reply": "Thanks", "reply_status": status, "reply_created_ts": COMMENTED_AT}
        make_comment(quay, service_day=DAY, comment_published_ts=COMMENTED_AT, **reply)
        answers = numbers(quay).all_answers

        assert (answers.comments, answers.replied, answers.in_time) == (1, 0, 0)
        assert answers.hours_to_reply is None

    def test_the_target_is_the_group_s(self, quay):
        Rules.objects.create(group=quay.group, target_hours=200)
        self.answered(quay, after=timedelta(hours=100))

        assert numbers(quay).all_answers.in_time == 1


def test_the_page_shows_them(quay, alice):
    html = sign_in(alice).get("/reviews/figures/?days=365&by=nonsense").content.decode()

    assert "Quay" in html
    assert "<svg" in html


def test_days_without_a_rating_lead_to_a_longer_period(quay, alice):
    client = sign_in(alice)

    assert 'href="?days=365">Show a year' in client.get("/reviews/figures/").content.decode()
    assert "Show a year" not in client.get("/reviews/figures/?days=365").content.decode()


def test_staff_see_no_figures(bob):
    assert sign_in(bob).get("/reviews/figures/").status_code == 403
    assert sign_in(bob).get("/reviews/figures.csv").status_code == 403


def test_the_file_says_the_same(quay, alice):
    rated(quay, 8)
    lines = b"".join(sign_in(alice).get("/reviews/figures.csv?day=2026-01-20")).decode()

    assert "Quay" in lines


def test_a_guest_s_page_shows_what_they_wrote(quay, harbour, alice):
    guest = make_customer(harbour)
    make_comment(quay, customer=guest, global_rating=Decimal("8.5"), comment="The best table.")
    html = sign_in(alice).get(f"/customers/{guest.pk}/").content.decode()

    assert "The best table." in html
    assert "Not answered yet" in html
