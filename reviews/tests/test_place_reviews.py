"""Where a review lies in the inbox, and what moves it."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from mirror.models import Mirrored
from reviews.inbox import placement
from reviews.models import InboxQueue, Rules, Stage, Work
from reviews.reply import workflow
from reviews.testing import LONG_AGO, make_comment, make_review, read_again

NOW = datetime(2026, 1, 20, 12, tzinfo=UTC)


def lies(review):
    work = Work.objects.get(pk=review.pk)
    return work.queue, work.why


def test_it_works(quay):
    assert lies(make_comment(quay)) == (InboxQueue.REPLY, "")


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"comment": "", "comment_status": ""}, (InboxQueue.CLOSED, "rating")),
        ({"is_valid": False}, (InboxQueue.CLOSED, "invalid")),
        ({"presence": Mirrored.Presence.GONE}, (InboxQueue.CLOSED, "gone")),
        ({"comment_status": "NOT_REVIEWED"}, (InboxQueue.WAITING, "moderation")),
        ({"comment_status": "WAITING_REFORMULATE"}, (InboxQueue.WAITING, "moderation")),
        ({"comment_status": "ON_HOLD"}, (InboxQueue.WAITING, "unknown")),
        ({"comment_status": "ARCHIVED"}, (InboxQueue.CLOSED, "withdrawn")),
        ({"reply": "Thanks", "reply_status": "NOT_REVIEWED"}, (InboxQueue.SENT, "")),
        ({"reply": "Thanks", "reply_status": "ON_HOLD"}, (InboxQueue.SENT, "")),
        ({"reply": "Thanks", "reply_status": ""}, (InboxQueue.SENT, "unseen")),
        ({"reply": "Thanks", "reply_status": "PUBLISHED"}, (InboxQueue.PUBLISHED, "")),
        ({"reply": "Thanks", "reply_status": "WAITING_REFORMULATE"}, (InboxQueue.REWRITE, "")),
        ({"reply": "Thanks", "reply_status": "REJECTED"}, (InboxQueue.CLOSED, "refused")),
        ({"reply": "Thanks", "reply_status": "DELETED"}, (InboxQueue.CLOSED, "reply-gone")),
        ({"is_valid": None}, (InboxQueue.REPLY, "")),
    ],
)
def test_what_the_service_says_decides(quay, fields, place):
    assert lies(make_comment(quay, **fields)) == place


def test_a_comment_changed_after_our_reply_asks_for_another_look(quay):
    later = {"reply_updated_ts": LONG_AGO, "comment_updated_ts": LONG_AGO + timedelta(hours=1)}
    review = make_comment(quay, reply="Thanks", reply_status="PUBLISHED", **later)

    assert lies(review) == (InboxQueue.REPLY, "changed")


def test_a_draft_has_a_queue_of_its_own(quay, bob):
    review = make_comment(quay)
    workflow.save_draft(review.pk, text="Dear Jo", language="en", base=0, by=bob, now=NOW)
    assert lies(review) == (InboxQueue.DRAFTS, "")

    workflow.save_draft(review.pk, text=" ", language="en", base=1, by=bob, now=NOW)
    assert lies(review) == (InboxQueue.REPLY, "")


def test_a_suggestion_waits_for_approval(quay, bob):
    review = make_comment(quay)
    workflow.suggest(review.pk, text="Dear Jo", language="en", by=bob, now=NOW)

    assert lies(review) == (InboxQueue.APPROVE, "")


def test_a_draft_stays_with_a_comment_that_is_unpublished(quay, bob):
    review = make_comment(quay)
    workflow.suggest(review.pk, text="Dear Jo", language="en", by=bob, now=NOW)
    read_again(review, comment_status="NOT_REVIEWED")

    assert lies(review) == (InboxQueue.WAITING, "moderation")
    assert Work.objects.get().draft == "Dear Jo"
    read_again(review, comment_status="PUBLISHED")
    assert lies(review) == (InboxQueue.APPROVE, "")


class TestArchive:
    """Put away until it changes."""

    def test_it_works(self, quay, alice):
        review = make_comment(quay)
        workflow.archive(review.pk, by=alice, now=NOW)

        assert lies(review) == (InboxQueue.ARCHIVED, "")

    def test_the_same_again_changes_nothing(self, quay, alice):
        review = make_comment(quay)
        workflow.archive(review.pk, by=alice, now=NOW)
        read_again(review, updated_ts=NOW)

        assert lies(review) == (InboxQueue.ARCHIVED, "")

    @pytest.mark.parametrize(
        "news", [{"comment": "Worse than I said."}, {"global_rating": Decimal("2")}]
    )
    def test_a_difference_brings_it_back(self, quay, alice, news):
        review = make_comment(quay)
        workflow.archive(review.pk, by=alice, now=NOW)
        read_again(review, **news)

        assert lies(review) == (InboxQueue.REPLY, "")


class TestClock:
    """The target time of the group decides what is late."""

    def test_it_works(self, quay, loft, cellar):
        Rules.objects.create(group=quay.group, target_hours=24)
        written = {"comment_published_ts": NOW - timedelta(hours=30), "now": NOW}
        mine, other = make_comment(quay, **written), make_comment(cellar, **written)

        assert Work.objects.get(pk=mine.pk).is_late
        assert not Work.objects.get(pk=other.pk).is_late
        placement.mark_late(now=NOW + timedelta(hours=43))
        assert Work.objects.get(pk=other.pk).is_late

    def test_a_longer_target_takes_the_mark_away(self, quay):
        review = make_comment(quay, comment_published_ts=NOW - timedelta(hours=80), now=NOW)
        Rules.objects.create(group=quay.group, target_hours=200)
        placement.mark_late(now=NOW)

        assert not Work.objects.get(pk=review.pk).is_late

    def test_what_is_answered_is_never_late(self, quay):
        review = make_comment(quay, reply="Thanks", reply_status="PUBLISHED", now=NOW)

        assert not Work.objects.get(pk=review.pk).is_late

    def test_the_group_says_what_is_low(self, quay):
        review = make_review(quay, global_rating=Decimal("6.5"))
        assert not Work.objects.get(pk=review.pk).is_low

        Rules.objects.create(group=quay.group, low_rating=Decimal("6.5"))
        read_again(review)
        assert Work.objects.get(pk=review.pk).is_low


def test_reviews_from_before_are_filed_by_the_clock(quay):
    review = make_comment(quay)
    Work.objects.update(queue="")

    assert placement.place_pending(now=NOW) == 1
    assert lies(review) == (InboxQueue.REPLY, "")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It&#39;s fine.\nBye", "It's fine. Bye"),
        ('He said \\"yes\\"', 'He said "yes"'),
        ("a\\nb", "a\nb"),
    ],
)
def test_a_text_that_comes_back_spelt_otherwise_is_the_same(one, other):
    assert placement.same_words(one, other)


def test_the_stage_does_not_forget_a_remark_while_the_author_rewrites(quay, alice, bob):
    review = make_comment(quay)
    workflow.suggest(review.pk, text="Dear Jo", language="en", by=bob, now=NOW)
    workflow.send_back(review.pk, remark="Warmer, please.", by=alice, now=NOW)
    workflow.save_draft(review.pk, text="Dear dear Jo", language="en", base=1, by=bob, now=NOW)

    work = Work.objects.get(pk=review.pk)
    assert (work.queue, work.stage, work.remark) == (
        InboxQueue.DRAFTS,
        Stage.RETURNED,
        "Warmer, please.",
    )
