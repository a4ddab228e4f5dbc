"""What became of a reply, and who finds the review at all."""

from datetime import timedelta

import pytest
from django.utils import timezone

from restaurants.testing import sign_in
from reviews.models import InboxQueue, Review, Work
from reviews.moderation import following
from reviews.reply import workflow
from reviews.testing import make_comment, make_review, read_again
from reviews.tests.steps import TEXT, answer, let_it_leave, send, url, work


class TestFate:
    """What moderation made of it, read from the review again."""

    @pytest.mark.parametrize(
        ("fate", "queue", "words"),
        [
            ("NOT_REVIEWED", InboxQueue.SENT, "In moderation"),
            ("PUBLISHED", InboxQueue.PUBLISHED, "Published"),
            (
                "WAITING_REFORMULATE REFORMULATE_REPLY_PRIVATE_DATA",
                InboxQueue.REWRITE,
                "Remove private data",
            ),
            (
                "REJECTED REJECT_REPLY_NOT_COMPLIANT",
                InboxQueue.CLOSED,
                "refused the reply for good",
            ),
            ("REJECTED REJECT_REPLY_BRAND_NEW", InboxQueue.CLOSED, "Brand new"),
        ],
    )
    def test_it_works(self, review, alice, fate, queue, words):
        status, _space, reason = fate.partition(" ")
        read_again(review, reply=TEXT, reply_status=status, reply_moderation_reason=reason)
        page = sign_in(alice).get(url(review)).content.decode()

        assert work(review).queue == queue
        assert words in page

    def test_what_was_sent_back_is_where_the_rewriting_begins(self, review, alice):
        read_again(review, reply=TEXT, reply_status="WAITING_REFORMULATE")

        assert f">{TEXT}</textarea>" in sign_in(alice).get(url(review)).content.decode()
        assert send(alice, review, text=TEXT).status_code == 422

    @pytest.mark.parametrize("parts", [{"restaurantReply": None}, {}, None], ids=str)
    def test_a_reply_that_does_not_show_is_looked_for_again(self, api, review, alice, parts):
        """The contract shows no answer to a reply: it may be without it, or without anything."""
        api.reply("get_review", answer(review))
        taken = (204, b"") if parts is None else (200, {"reviewUuid": str(review.pk)} | parts)
        api.reply("reply_to_review", taken)
        send(alice, review)
        let_it_leave()
        assert len(api.sent("reply_to_review")) == 1
        now = timezone.now()
        Review.objects.update(read_at=now)

        assert (
            "not visible in the data we receive" in sign_in(alice).get(url(review)).content.decode()
        )
        assert following.look_again(now=now + timedelta(minutes=1)) == 0
        assert following.look_again(now=now + timedelta(minutes=3)) == 1

    def test_those_that_wait_keep_none_from_being_looked_for(self, quay, monkeypatch):
        monkeypatch.setattr(following, "AT_ONCE", 1)
        now = timezone.now()
        read_at = now - timedelta(minutes=2)
        for pause in (timedelta(hours=30), timedelta(hours=29), timedelta(minutes=3)):
            rows = Work.objects.filter(pk=make_comment(quay, read_at=read_at).pk)
            rows.update(queue=InboxQueue.SENT, why="unseen", sent_at=now - pause)

        assert following.look_again(now=now) == 1


class TestReach:
    @pytest.mark.parametrize(
        "verb", ["", "row", "draft", "suggest", "send", "send-back", "archive"]
    )
    def test_outsiders_find_nothing(self, review, charlie, verb):
        client = sign_in(charlie)
        ask = client.get if verb in ("", "row") else client.post

        assert ask(url(review, verb)).status_code == 404

    def test_without_the_right_it_is_closed(self, review, bob, without_right):
        without_right("reviews.view_review")

        assert sign_in(bob).get(url(review)).status_code == 403
        assert sign_in(bob).get("/reviews/").status_code == 403

    def test_a_rating_without_words_says_why_it_has_no_editor(self, quay, alice):
        page = sign_in(alice).get(url(make_review(quay))).content.decode()

        assert "The guest rated without words" in page
        assert "<textarea" not in page


def test_two_steps_at_once_are_one_after_the_other(review, alice):
    workflow.assign(review.pk, to=alice, by=alice, now=timezone.now())
    workflow.archive(review.pk, by=alice, now=timezone.now())

    assert (work(review).assignee, work(review).queue) == (alice, InboxQueue.ARCHIVED)
    assert work(review).version == 3
