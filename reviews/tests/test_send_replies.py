"""A reply leaves: when it may, once, and what comes back when the service refuses it."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from outbox.models import Intent
from partner.client import Client
from partner.http.transport import Lost
from restaurants.testing import sign_in
from reviews.inbox import placement
from reviews.models import InboxQueue, ReplyStep, Review
from reviews.testing import make_comment
from reviews.tests.steps import TEXT, answer, let_it_leave, reply_of, send, url, work


class TestSend:
    def test_it_works(self, api, review, alice):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", 200)
        page = send(alice, review)

        assert "Undo" in page.content.decode()
        assert work(review).queue == InboxQueue.SENT
        assert api.requests == []
        let_it_leave()
        assert api.bodies("reply_to_review") == [{"content": TEXT, "language": "en"}]
        done = work(review)
        assert (done.queue, done.why, done.stage, done.draft) == (InboxQueue.SENT, "unseen", "", "")
        assert done.sent_text == TEXT

    def test_no_language_is_sent_as_null(self, api, review, alice):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", 200)
        send(alice, review, language="")
        let_it_leave()

        assert api.bodies("reply_to_review") == [{"content": TEXT, "language": None}]

    def test_it_can_be_undone_before_it_leaves(self, api, review, alice):
        send(alice, review)
        sign_in(alice).post(f"/reviews/changes/{Intent.objects.get().key}/undo/")
        let_it_leave()

        assert api.requests == []
        assert (work(review).queue, work(review).draft) == (InboxQueue.DRAFTS, TEXT)
        assert ReplyStep.objects.filter(kind=ReplyStep.Kind.UNDONE).exists()

    def test_a_form_that_is_sent_twice_is_one_intent(self, api, review, alice):
        key = uuid4()
        send(alice, review, key=key)
        send(alice, review, key=key)

        assert Intent.objects.count() == 1

    def test_a_double_click_gets_no_warning(self, api, review, alice):
        key = uuid4()
        send(alice, review, key=key)
        page = send(alice, review, key=key)

        assert page.status_code == 200
        assert "Undo" in page.content.decode()
        assert "Somebody else" not in page.content.decode()

    def test_the_form_of_an_undone_reply_is_not_dropped_silently(self, api, review, alice):
        key = uuid4()
        send(alice, review, key=key)
        sign_in(alice).post(f"/reviews/changes/{key}/undo/")
        page = send(alice, review, text="Dear Jo, thank you so much.", key=key)

        assert page.status_code == 422
        assert "This form was sent before. Send it again from here." in page.content.decode()
        assert ">Dear Jo, thank you so much.</textarea>" in page.content.decode()
        assert str(key) not in page.content.decode()

    def test_nor_is_another_text_of_the_same_form(self, api, review, alice):
        key = uuid4()
        send(alice, review, key=key)
        page = send(alice, review, text="Dear Jo, thank you so much.", key=key)

        assert page.status_code == 422
        assert ">Dear Jo, thank you so much.</textarea>" in page.content.decode()
        assert Intent.objects.count() == 1

    def test_the_second_of_two_managers_gets_a_warning(self, api, review, alice, dora):
        send(alice, review)
        page = send(dora, review, text="Dear Jo, we are sorry.")

        assert page.status_code == 422
        assert "on its way" in page.content.decode()
        assert Intent.objects.count() == 1

    def test_staff_suggest_and_do_not_send(self, review, bob):
        assert send(bob, review).status_code == 403
        assert not Intent.objects.exists()

    @pytest.mark.parametrize("text", ["", "THANK YOU VERY MUCH", "Dear {first_name}"])
    def test_what_blocks_is_not_sent(self, review, alice, text):
        assert send(alice, review, text=text).status_code == 422
        assert not Intent.objects.exists()

    def test_a_warning_asks_once_more(self, api, review, alice):
        text = "Call us at +33 1 99 00 12 34."
        page = send(alice, review, text=text)
        assert page.status_code == 422
        assert "send anyway" in page.content.decode()

        send(alice, review, text=text, anyway="1")
        assert Intent.objects.count() == 1

    def test_what_was_typed_is_kept_when_it_is_not_sent(self, review, alice):
        assert "Dear {first_name}" in send(alice, review, text="Dear {first_name}").content.decode()

    @pytest.mark.parametrize(
        "fields",
        [
            {"comment": "", "comment_status": ""},
            {"is_valid": False},
            {"comment_status": "NOT_REVIEWED"},
            {"reply": "No", "reply_status": "REJECTED"},
        ],
    )
    def test_what_cannot_be_answered_is_not_sent(self, quay, alice, fields):
        assert send(alice, make_comment(quay, **fields)).status_code == 422
        assert not Intent.objects.exists()


class TestRefusals:
    """Every refusal has its sentence, and the draft is kept."""

    @pytest.mark.parametrize(
        ("status", "sentence"),
        [
            (400, "The comment is not published, so a reply is not possible yet."),
            (404, "This review was removed from the service."),
            (401, "The key works, but this restaurant, group or record does not belong to it."),
            (403, "Our key lacks the right for this."),
        ],
    )
    def test_it_works(self, api, review, alice, status, sentence):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", status)
        send(alice, review)
        let_it_leave()

        page = sign_in(alice).get(url(review)).content.decode()
        assert sentence in page
        assert TEXT in page
        assert work(review).draft == TEXT

    @pytest.mark.parametrize(
        ("code", "element"),
        [
            ("INVALID_CONTENT", "reply-text-error"),
            ("INVALID_LANGUAGE", "reply-language-error"),
        ],
    )
    def test_a_refused_field_says_so_itself(self, api, review, alice, code, element):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", (400, {"data": {"code": code}}))
        send(alice, review)
        let_it_leave()

        page = sign_in(alice).get(url(review)).content.decode()
        data = page[page.index(f'id="{element}"') :]
        assert data[: data.index("</p>")].count("The service did not accept") == 1
        assert page.count('class="field__error"') == 1

    def test_an_unpublished_comment_moves_the_review_back(self, api, review, alice):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", 400)
        send(alice, review)
        let_it_leave()

        assert (work(review).queue, work(review).why) == (InboxQueue.WAITING, "moderation")

    def test_until_it_is_read_again_as_published(self, api, review, alice):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", 400)
        send(alice, review)
        let_it_leave()
        later = timezone.now() + timedelta(minutes=1)
        Review.objects.update(read_at=later)
        placement.place_refused(now=later)

        assert work(review).queue == InboxQueue.DRAFTS

    def test_another_reply_meanwhile_is_not_overwritten(self, api, review, alice):
        api.reply("get_review", answer(review, reply=reply_of("From the host app.")))
        send(alice, review)
        let_it_leave()

        assert api.sent("reply_to_review") == []
        assert "answered elsewhere" in work(review).reason
        assert work(review).queue == InboxQueue.DRAFTS

    def test_what_did_not_happen_is_sent_later(self, api, review, alice):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", [429, 200])
        send(alice, review)
        let_it_leave()
        let_it_leave(after=120)

        assert Intent.objects.get().state == Intent.State.DONE
        assert len(api.sent("reply_to_review")) == 2


class TestUnclear:
    """Nobody knows whether it arrived: it is looked at, never simply sent again."""

    @pytest.mark.parametrize("fault", [500, 503, Lost()])
    def test_it_works(self, api, review, alice, fault):
        api.reply("get_review", [answer(review), answer(review, reply=reply_of(TEXT))])
        api.reply("reply_to_review", [fault])
        send(alice, review)
        let_it_leave()
        let_it_leave(after=120)

        assert len(api.sent("reply_to_review")) == 1
        assert work(review).sent_text == TEXT

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"data": {"content": TEXT}},
            {"restaurantReply": {"content": TEXT}},
            {"reviewUuid": "2f9f2a38-1f1e-4d0b-8a2c-7c3f6b5a4e21", "restaurantReply": None},
        ],
        ids=str,
    )
    def test_an_answer_that_does_not_repeat_it_is_looked_at(self, api, review, alice, body):
        api.reply("get_review", [answer(review), answer(review, reply=reply_of(TEXT))])
        api.reply("reply_to_review", (200, body))
        send(alice, review)
        let_it_leave()
        let_it_leave(after=120)

        assert len(api.sent("reply_to_review")) == 1
        assert Intent.objects.get().sentence == "Found: it went through."

    def test_a_reply_of_the_same_words_that_was_there_before_proves_nothing(
        self, api, review, alice
    ):
        api.reply("get_review", answer(review, reply=reply_of(TEXT, "DELETED")))
        api.reply("reply_to_review", [Lost(), 200])
        send(alice, review)
        Intent.objects.update(payload=Intent.objects.get().payload | {"before": TEXT})
        let_it_leave()
        assert Intent.objects.get().state == Intent.State.WAITING

        let_it_leave(after=120)
        assert Intent.objects.get().state == Intent.State.DONE
        assert len(api.sent("reply_to_review")) == 2

    def test_a_worker_that_stands_still_after_its_first_read_sends_nothing(
        self, api, review, alice, monkeypatch
    ):
        read = Client.review

        def stand_still(client, uuid):
            """Until another one has looked, and sent it."""
            there = read(client, uuid)
            monkeypatch.setattr(Client, "review", read)
            for seconds in (60, 70, 140, 150):
                let_it_leave(after=seconds)
            return there

        monkeypatch.setattr(Client, "review", stand_still)
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", 200)
        send(alice, review)
        let_it_leave()

        assert Intent.objects.get().state == Intent.State.DONE
        assert len(api.sent("reply_to_review")) == 1

    @pytest.mark.parametrize("ends", [[200, 200], [Lost(), Lost(), Lost(), Lost(), Lost(), 200]])
    def test_our_own_reply_that_the_copy_lacks_is_not_somebody_elses(
        self, api, review, alice, ends
    ):
        """The copy is read again after a sending, which takes a while when the service is slow."""
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", ends)
        send(alice, review)
        for _look in range(24):
            let_it_leave(after=300)
        first = Intent.objects.get()
        assert first.state in (Intent.State.DONE, Intent.State.ASKS)

        api.reply("get_review", answer(review, reply=reply_of(TEXT)))
        Review.objects.filter(pk=review.pk).update(reply="", reply_status="")
        send(alice, review, text="Dear Jo, we are sorry.")
        let_it_leave()

        second = Intent.objects.latest("pk")
        assert (second.payload["before"], second.state) == ("", Intent.State.DONE)
        assert api.bodies("reply_to_review")[-1]["content"] == "Dear Jo, we are sorry."

    def test_a_reply_that_never_left_from_here_is_somebody_elses(self, api, review, alice):
        send(alice, review)
        sign_in(alice).post(f"/reviews/changes/{Intent.objects.get().key}/undo/")
        api.reply("get_review", answer(review, reply=reply_of(TEXT)))
        send(alice, review, text="Dear Jo, we are sorry.")
        let_it_leave()

        assert Intent.objects.latest("pk").problem == "ANSWERED_MEANWHILE"
        assert api.sent("reply_to_review") == []

    def test_nothing_leaves_over_an_answer_about_another_review(self, api, review, alice):
        api.reply("get_review", [(200, {}), answer(review)])
        api.reply("reply_to_review", 200)
        send(alice, review)
        let_it_leave()
        assert api.sent("reply_to_review") == []

        let_it_leave(after=120)
        assert work(review).sent_text == TEXT

    def test_what_is_not_there_is_sent_again(self, api, review, alice):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", [500, 200])
        send(alice, review)
        for _look in range(6):
            let_it_leave(after=300)

        assert len(api.sent("reply_to_review")) == 2
        assert work(review).sent_text == TEXT

    def test_without_replies_in_answers_a_person_decides(self, api, review, alice):
        status, body = answer(review)
        body.pop("restaurantReply")
        api.reply("get_review", (status, body))
        api.reply("reply_to_review", [500, 200])
        send(alice, review)
        for _look in range(6):
            let_it_leave(after=300)
        intent = Intent.objects.get()
        assert (intent.state, len(api.sent("reply_to_review"))) == (Intent.State.ASKS, 1)
        assert work(review).queue == InboxQueue.DRAFTS

        sign_in(alice).post(f"/reviews/changes/{intent.key}/again/")
        let_it_leave(after=300)
        assert work(review).sent_text == TEXT
