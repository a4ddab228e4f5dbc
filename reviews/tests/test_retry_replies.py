"""A reply in doubt is sent again: only the latest one, and no newer draft is lost with it."""

from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.models import User
from outbox.models import Intent
from restaurants.testing import sign_in
from reviews.models import InboxQueue, ReplyStep, Stage, Work
from reviews.reply import workflow
from reviews.tests.steps import TEXT, answer, let_it_leave, post, reply_of, send, url, work

BETTER = "Dear Jo, thank you. We have spoken to the cook."


@pytest.fixture
def doubtful(api, review, alice):
    """A reply of which nobody knows whether it arrived."""
    status, body = answer(review)
    body.pop("restaurantReply")
    api.reply("get_review", (status, body))
    api.reply("reply_to_review", [500, 200])
    send(alice, review)
    for _look in range(6):
        let_it_leave(after=300)
    intent = Intent.objects.get()
    assert intent.state == Intent.State.ASKS
    return intent


def again(user, intent):
    return sign_in(user).post(f"/reviews/changes/{intent.key}/again/", follow=True)


def again_in_the_list(user, intent):
    return sign_in(user).post(f"/setup/outbox/{intent.key}/again/", follow=True)


class TestDraft:
    @pytest.mark.parametrize("press", [again, again_in_the_list])
    def test_a_better_text_stays(self, doubtful, review, dora, press):
        post(dora, review, "draft", text=BETTER, language="en", base=work(review).draft_no)
        press(dora, doubtful)
        assert work(review).stage == Stage.SENDING
        let_it_leave(after=300)

        done = work(review)
        assert (done.sent_text, done.draft, done.stage) == (TEXT, BETTER, Stage.DRAFT)
        assert BETTER in sign_in(dora).get(url(review)).content.decode()

    def test_the_same_text_is_no_draft_any_more(self, doubtful, review, alice):
        again(alice, doubtful)
        let_it_leave(after=300)

        assert (work(review).draft, work(review).stage) == ("", Stage.NONE)

    def test_the_history_holds_what_left(self, doubtful, review, dora):
        post(dora, review, "draft", text=BETTER, language="en", base=work(review).draft_no)
        again(dora, doubtful)
        let_it_leave(after=300)

        assert ReplyStep.objects.get(kind=ReplyStep.Kind.SENT).text == TEXT


class TestNewerReply:
    @pytest.fixture
    def replaced(self, api, doubtful, review, alice):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", 200)
        send(alice, review, text=BETTER, base=work(review).draft_no)
        let_it_leave(after=300)
        assert work(review).sent_text == BETTER
        return doubtful

    @pytest.mark.parametrize("press", [again, again_in_the_list])
    def test_an_old_page_sends_nothing(self, api, replaced, review, dora, press):
        sent = len(api.sent("reply_to_review"))
        page = press(dora, replaced)
        let_it_leave(after=600)

        assert "A newer reply has left since" in page.content.decode()
        assert len(api.sent("reply_to_review")) == sent
        assert (work(review).stage, work(review).sent_text) == (Stage.NONE, BETTER)
        assert Intent.objects.get(pk=replaced.pk).state == Intent.State.ASKS

    def test_nor_while_the_newer_one_waits(self, api, doubtful, review, alice, dora):
        send(alice, review, text=BETTER, base=work(review).draft_no)
        page = again(dora, doubtful)

        assert "A newer reply has left since" in page.content.decode()
        assert Intent.objects.get(pk=doubtful.pk).state == Intent.State.ASKS


class TestStuck:
    """Reviews that an earlier version left in “Being sent”."""

    def test_it_works(self, doubtful, review):
        Work.objects.update(stage=Stage.SENDING, problem="", problem_at=None)
        assert workflow.end_stuck(now=timezone.now()) == 1

        done = work(review)
        assert (done.stage, done.draft, done.queue) == (Stage.DRAFT, TEXT, InboxQueue.DRAFTS)
        assert done.problem == "unsure"

    def test_a_reply_that_was_sent_needs_none(self, api, review, alice):
        api.reply("get_review", answer(review, reply=reply_of(TEXT)))
        api.reply("reply_to_review", 200)
        send(alice, review)
        let_it_leave()
        Work.objects.update(stage=Stage.SENDING)
        workflow.end_stuck(now=timezone.now())

        assert (work(review).stage, work(review).sent_text) == (Stage.NONE, TEXT)
        assert ReplyStep.objects.filter(kind=ReplyStep.Kind.SENT).count() == 1

    def test_what_is_under_way_stays(self, api, review, alice):
        send(alice, review)

        assert workflow.end_stuck(now=timezone.now()) == 0
        assert work(review).stage == Stage.SENDING

    def test_without_an_intent_it_is_a_draft(self, review, alice):
        post(alice, review, "draft", text=TEXT, language="en", base=0)
        Work.objects.update(stage=Stage.SENDING, intent_key=uuid4())
        workflow.end_stuck(now=timezone.now())

        assert work(review).stage == Stage.DRAFT


class TestWords:
    def test_a_reply_in_doubt_is_not_called_unsent(self, doubtful, review, alice):
        page = sign_in(alice).get(f"{url(review)}?lane=drafts").content.decode()

        assert "Not known whether the reply was sent" in page
        assert "The reply was not sent" not in page
        assert page.count("Not known whether it was sent") == 2  # in the list and in the history
        assert "Not sent" not in page

    def test_nor_in_its_history(self, doubtful, review):
        kinds = ReplyStep.objects.filter(work=review.pk).values_list("kind", flat=True)

        assert ReplyStep.Kind.IN_DOUBT in kinds
        assert ReplyStep.Kind.FAILED not in kinds

    def test_every_reader_has_the_reason_in_their_language(self, doubtful, review, alice):
        User.objects.filter(pk=alice.pk).update(language="fr")
        alice.refresh_from_db()
        page = sign_in(alice).get(url(review)).content.decode()

        assert page.count("Impossible de savoir si c’est passé.") == 2
        assert "We cannot tell" not in page

    def test_words_that_were_stored_before_are_shown_as_they_are(self, review, alice):
        post(alice, review, "draft", text=TEXT, language="en", base=0)
        Work.objects.update(sentence="Our key lacks the right for this.")

        page = sign_in(alice).get(f"{url(review)}?lane=drafts").content.decode()
        assert "Our key lacks the right for this." in page
        assert "Not sent" in page
