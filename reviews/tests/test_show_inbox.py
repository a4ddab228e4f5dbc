"""The inbox: queues with their counts, a page of one, and the review beside it."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import product
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from customers.testing import make_customer
from mirror.models import Change
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in
from reviews.forms import InboxParams
from reviews.inbox import pages as inbox
from reviews.models import Rules, Work
from reviews.reply import workflow
from reviews.testing import LONG_AGO, make_comment, make_review, read_again

NOW = datetime(2026, 1, 20, 12, tzinfo=UTC)


def page(user, address="/reviews/", **headers):
    return sign_in(user).get(address, headers=headers).content.decode()


def names(html):
    return [name for name in ("Ann", "Ben", "Cleo") if f"<bdi>{name}</bdi>" in html]


def order(html):
    return sorted(names(html), key=lambda name: html.index(f">{name}</bdi>"))


def test_it_works(quay, alice):
    make_comment(quay, first_name="Ann", last_name="", comment="Quite nice.")
    html = page(alice)

    assert names(html) == ["Ann"]
    assert "Quite nice." in html
    assert 'id="reply-text"' in html


def test_it_hides_other_groups(cellar, alice):
    make_comment(cellar, first_name="Ann", last_name="")

    assert names(page(alice)) == []


def test_an_empty_inbox_knows_whether_there_ever_was_a_review(quay, cellar, alice):
    make_comment(cellar)
    assert "No review yet" in page(alice)

    make_review(quay)
    assert "No review yet" not in page(alice)
    assert "All answered" in page(alice)


def test_a_queue_without_a_match_leads_to_the_whole_queue(quay, alice):
    make_comment(quay, first_name="Ann", last_name="")

    html = page(alice, f"/reviews/?lane=reply&q=nobody&scope={quay.uuid}")

    assert "Nothing matches" in html
    assert f'href="/reviews/?lane=reply&amp;scope={quay.uuid}">The whole queue' in html


def test_a_member_of_one_restaurant_sees_that_one(quay, loft, bob):
    make_comment(quay, first_name="Ann", last_name="")
    make_comment(loft, first_name="Ben", last_name="")

    assert names(page(bob)) == ["Ann"]


def test_each_queue_shows_its_count(quay, alice):
    make_comment(quay)
    make_comment(quay)
    make_review(quay)
    workflow.assign(make_comment(quay).pk, to=alice, by=alice, now=NOW)
    counted = {h.key: h.count for h in sign_in(alice).get("/reviews/").context["inbox"].queues}

    assert {key: number for key, number in counted.items() if number} == {
        "reply": 3,
        "mine": 1,
        "closed": 1,
    }


def test_a_count_stops_where_nobody_needs_the_figure(quay, alice, monkeypatch):
    monkeypatch.setattr(inbox, "MOST_COUNTED", 1)
    make_comment(quay)
    make_comment(quay)

    assert "1+" in page(alice)


@pytest.mark.parametrize(("language", "figure"), [("en", "1,000+"), ("fr", "1\xa0000+")])
def test_that_figure_is_written_as_the_reader_writes_numbers(language, figure):
    with translation.override(language):
        assert inbox.QueueCount("reply", "", count=1_001).figure == figure


def test_the_most_urgent_comes_first(quay, alice):
    late = NOW - timedelta(days=10)
    common = {"last_name": "", "now": NOW}
    make_comment(
        quay, first_name="Ann", comment_published_ts=NOW, global_rating=Decimal(1), **common
    )
    make_comment(
        quay, first_name="Ben", comment_published_ts=late, global_rating=Decimal(9), **common
    )
    make_comment(
        quay, first_name="Cleo", comment_published_ts=late, global_rating=Decimal(4), **common
    )

    assert order(page(alice)) == ["Cleo", "Ben", "Ann"]
    assert order(page(alice, "/reviews/?sort=oldest"))[-1] == "Ann"
    assert order(page(alice, "/reviews/?sort=newest"))[0] == "Ann"


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("low=1", ["Ann"]),
        ("late=1", ["Ben"]),
        ("who=me", ["Cleo"]),
        ("who=nobody", ["Ann", "Ben"]),
        ("q=cleo", ["Cleo"]),
        ("q=lovely ann", ["Ann"]),
        ("lane=mine", ["Cleo"]),
        ("lane=closed", []),
        ("lane=nonsense&page=x", ["Ann", "Ben", "Cleo"]),
        ("page=2", []),
    ],
)
def test_the_address_says_what_is_shown(quay, alice, query, left):
    common = {"last_name": "", "now": NOW, "comment_published_ts": NOW}
    make_comment(quay, first_name="Ann", global_rating=Decimal(3), **common)
    make_comment(quay, first_name="Ben", **common | {"comment_published_ts": LONG_AGO})
    cleo = make_comment(quay, first_name="Cleo", **common)
    workflow.assign(cleo.pk, to=alice, by=alice, now=NOW)

    assert names(page(alice, f"/reviews/?{query}")) == left


@pytest.mark.parametrize("many", [False, True])
def test_it_asks_a_fixed_number_of_times(quay, loft, alice, bob, many):
    user = alice if many else bob
    make_comment(quay)
    client = sign_in(user)
    client.get("/reviews/")
    with CaptureQueriesContext(connection) as few:
        client.get("/reviews/")
    for _number in range(30):
        make_comment(quay)
        make_comment(loft)
    with CaptureQueriesContext(connection) as more:
        client.get("/reviews/")

    assert len(more) == len(few) <= 24


def test_parts_are_answered_alone(quay, alice):
    review = make_comment(quay)
    params = {"hx-request": "true"}
    listing = page(alice, "/reviews/", **params)
    assert 'id="inbox-list"' in listing
    assert 'id="review"' not in listing

    for part in ("queues", "review", "about", "progress"):
        html = page(alice, f"/reviews/{review.pk}/", **params, **{"hx-target": part})
        assert f'id="{part}"' in html
        assert "<html" not in html
    assert "<textarea" not in page(
        alice, f"/reviews/{review.pk}/", **params, **{"hx-target": "progress"}
    )


def test_the_sheet_of_keys_has_every_key_of_the_page(quay, alice):
    make_comment(quay)
    html = page(alice)
    _page, _id, sheet = html.partition('id="keys"')

    keys = set(re.findall(r'data-shortcut="(\S)"', html)) - set("123456789")
    assert keys > set("riae;")
    assert [key for key in keys if f"<kbd>{key}</kbd>" not in sheet] == []


def test_a_row_that_was_drawn_before_is_as_true_as_a_new_one(quay, alice, bob):
    review = make_comment(quay, first_name="Ann", last_name="")
    assert 'title="Bob"' not in page(alice)
    workflow.assign(review.pk, to=bob, by=alice, now=NOW)
    assert 'title="Bob"' in page(alice)
    read_again(review, first_name="<b>Ann</b>")

    assert ">&lt;b&gt;Ann&lt;/b&gt;</bdi>" in page(alice)


def test_a_row_that_left_the_queue_stays_in_place_and_says_so(quay, alice):
    review = make_comment(quay)
    workflow.archive(review.pk, by=alice, now=NOW)
    row = page(alice, f"/reviews/{review.pk}/row/?lane=reply")

    assert "data-left" in row
    assert "Archived" in row


def test_archiving_goes_on_to_the_next(quay, alice):
    first = make_comment(quay, created_ts=LONG_AGO)
    second = make_comment(quay, created_ts=LONG_AGO + timedelta(days=1))
    answer = sign_in(alice).post(f"/reviews/{first.pk}/archive/")

    assert answer.headers["Location"] == f"/reviews/{second.pk}/"
    assert Work.objects.get(pk=first.pk).queue == "archived"
    sign_in(alice).post(f"/reviews/{first.pk}/restore/")
    assert Work.objects.get(pk=first.pk).queue == "reply"


class TestFacts:
    """What is known beside the editor."""

    def test_it_works(self, harbour, quay, alice):
        guest = make_customer(
            harbour, first_name="Jo", last_name="Martin", notes="Likes the corner"
        )
        visit = make_reservation(
            quay,
            customer=guest,
            party_size=4,
            bill_amount=Decimal(186),
            bill_currency="EUR",
            restaurant_note="Window table",
        )
        Change.objects.create(
            kind="reservation",
            uuid=visit.pk,
            version=2,
            field="meal_status",
            after="SEATED",
            seen_at=DINNER + timedelta(minutes=22),
        )
        other = {"customer": guest, "reply": "Thank you, Jo.", "reply_status": "PUBLISHED"}
        make_comment(quay, global_rating=Decimal(9), comment="The first time.", **other)
        html = page(alice, f"/reviews/{make_comment(quay, customer=guest, reservation=visit).pk}/")

        for fact in ("22 minutes late", "186.00 EUR", "Window table", "Likes the corner"):
            assert fact in html
        assert "The first time." in html
        assert "Thank you, Jo." in html

    def test_missing_facts_are_named(self, quay, alice):
        html = page(alice, f"/reviews/{make_comment(quay).pk}/")

        assert "The service names no booking." in html
        assert "No other reviews." in html

    def test_all_seven_ratings_have_a_word(self, quay, alice):
        rated = {
            "global_rating": Decimal("8.5"),
            "food_quality_rating": 9,
            "service_rating": 8,
            "price_evaluation": "CHEAP",
            "waiting_time_evaluation": "VERY_SLOW",
            "noise_level_evaluation": "BLARING",
            "raw": '{"dinerRating": {"toiletRating": 3}}',
        }
        html = page(alice, f"/reviews/{make_comment(quay, **rated).pk}/")

        for words in ("8.5", "Cheap", "Very slow", "Blaring", "not rated", "Toilet"):
            assert words in html

    def test_an_unknown_rating_without_a_value_has_no_line(self, quay, alice):
        """As of an erased guest, of whom no unknown field stays."""
        review = make_comment(quay, raw='{"dinerRating": {"toiletRating": null}}')

        assert "Toilet" not in page(alice, f"/reviews/{review.pk}/")


class TestClock:
    """The age of a review against the target of its group."""

    @pytest.mark.parametrize(
        ("written", "words"),
        [(timedelta(hours=2), "2 d left of 3 d"), (timedelta(hours=60), "11 h left of 3 d")],
    )
    def test_it_works(self, quay, alice, written, words):
        review = make_comment(quay, comment_published_ts=timezone.now() - written)

        assert words in page(alice, f"/reviews/{review.pk}/")

    def test_what_is_over_the_target_says_by_how_much(self, quay, alice):
        review = make_comment(quay, comment_published_ts=timezone.now() - timedelta(days=10))

        assert "7 d over the target of 3 d" in page(alice, f"/reviews/{review.pk}/")

    def test_what_waits_for_nobody_has_no_clock(self, quay, alice):
        assert "left of" not in page(alice, f"/reviews/{make_review(quay).pk}/")


def test_the_kind_of_the_offer_stands_beside_the_review(quay, alice):
    named = {"offer_uuid": uuid4(), "offer_name": {"en": "Winter table"}}
    visit = make_reservation(quay, offer_type="presetMenu", offer_menu_type="brunch", **named)
    review = make_comment(quay, reservation=visit)

    assert "Winter table · Brunch" in page(alice, f"/reviews/{review.pk}/")


QUEUES_AND_FILTERS = list(product(("reply", "mine"), ("", "me", "nobody"), ("", "1"), ("", "1")))


def test_every_way_of_asking_finds_its_own(quay, loft, alice, bob):
    """One query is compiled for each set of filters, and then run for other people and places."""
    for place, person in product((quay, loft), (alice, bob, None)):
        for rating in (Decimal(2), Decimal(9)):
            workflow.assign(
                make_comment(place, global_rating=rating).pk, to=person, by=alice, now=NOW
            )
        make_review(place)

    for person, places in ((alice, [quay, loft]), (bob, [quay, loft]), (bob, [loft]), (bob, [])):
        for queue, who, low, late in QUEUES_AND_FILTERS:
            address = {"lane": queue, "who": who, "low": low, "late": late}
            params = inbox.ReviewInbox(places, person, InboxParams(address), now=NOW)

            assert params.uuids == [work.pk for work in params.picked if places], address


def test_the_filter_of_late_ones_states_its_limit(quay, cellar, alice, dora):
    """Where groups differ, no number is right for all."""
    assert "Late: over 3 days" in page(alice)

    Rules.objects.create(group=quay.group, target_hours=30)
    assert "Late: over 30 h" in page(alice)
    assert "Late: over" not in page(dora)
