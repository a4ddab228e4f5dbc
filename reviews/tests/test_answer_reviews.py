"""The way of a reply, from the first letter to what the service made of it."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from outbox import engine
from outbox.models import Intent
from partner.testing import FakeTransport, recorded, speak_through
from partner.transport import Lost
from restaurants.testing import sign_in
from reviews import filing, following, holding, workflow
from reviews.actions import HOLD
from reviews.models import Lane, Presence, Review, Stage, Step, Work
from reviews.testing import make_comment, make_review, read_again

AUTOSAVE = {"HX-Request": "true", "HX-Target": "draft"}
TEXT = "Dear Jo, thank you for your kind words."


@pytest.fixture
def api(db):
    transport = FakeTransport()
    speak_through(transport)
    return transport


@pytest.fixture
def review(quay):
    return make_comment(quay)


def url(review, verb=""):
    return f"/reviews/{review.pk}/{verb}/" if verb else f"/reviews/{review.pk}/"


def post(user, review, verb, **said):
    return sign_in(user).post(url(review, verb), said, follow=True)


def send(user, review, text=TEXT, **said):
    known = {"text": text, "language": "en", "key": uuid4(), "base": 0}
    return post(user, review, "send", **known | said)


def work(review):
    return Work.objects.get(pk=review.pk)


def answer(review, *, reply=None, **changes):
    """What the service says about a review."""
    return (
        200,
        recorded("get_review") | {"reviewUuid": str(review.pk), "restaurantReply": reply} | changes,
    )


def said_by(text, status="NOT_REVIEWED"):
    reply = recorded("reply_to_review")["restaurantReply"]
    return reply | {"content": text, "publicationStatus": status}


def let_it_leave(*, after=0.0):
    later = timezone.now() + HOLD + timedelta(seconds=1 + after)
    engine.work(now=later)


class TestSend:
    def test_it_works(self, api, review, alice):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", 200)
        page = send(alice, review)

        assert "Undo" in page.content.decode()
        assert work(review).lane == Lane.SENT
        assert api.requests == []
        let_it_leave()
        assert api.bodies("reply_to_review") == [{"content": TEXT, "language": "en"}]
        done = work(review)
        assert (done.lane, done.why, done.stage, done.draft) == (Lane.SENT, "unseen", "", "")
        assert done.sent_text == TEXT

    def test_no_language_is_sent_as_null(self, api, review, alice):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", 200)
        send(alice, review, language="")
        let_it_leave()

        assert api.bodies("reply_to_review") == [{"content": TEXT, "language": None}]

    def test_it_can_be_undone_before_it_leaves(self, api, review, alice):
        send(alice, review)
        sign_in(alice).post(f"/reviews/wishes/{Intent.objects.get().key}/undo/")
        let_it_leave()

        assert api.requests == []
        assert (work(review).lane, work(review).draft) == (Lane.DRAFTS, TEXT)
        assert Step.objects.filter(kind=Step.Kind.UNDONE).exists()

    def test_a_form_that_is_sent_twice_is_one_wish(self, api, review, alice):
        key = uuid4()
        send(alice, review, key=key)
        send(alice, review, key=key)

        assert Intent.objects.count() == 1

    def test_the_second_of_two_managers_is_told(self, api, review, alice, dora):
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
        assert "send it all the same" in page.content.decode()

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

    def test_an_unpublished_comment_moves_the_review_back(self, api, review, alice):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", 400)
        send(alice, review)
        let_it_leave()

        assert (work(review).lane, work(review).why) == (Lane.WAITING, "moderation")

    def test_until_it_is_read_again_as_published(self, api, review, alice):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", 400)
        send(alice, review)
        let_it_leave()
        later = timezone.now() + timedelta(minutes=1)
        Review.objects.update(read_at=later)
        filing.file_told(now=later)

        assert work(review).lane == Lane.DRAFTS

    def test_another_reply_meanwhile_is_not_overwritten(self, api, review, alice):
        api.reply("get_review", answer(review, reply=said_by("From the host app.")))
        send(alice, review)
        let_it_leave()

        assert api.sent("reply_to_review") == []
        assert "answered elsewhere" in work(review).sentence
        assert work(review).lane == Lane.DRAFTS

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
        api.reply("get_review", [answer(review), answer(review, reply=said_by(TEXT))])
        api.reply("reply_to_review", [fault])
        send(alice, review)
        let_it_leave()
        let_it_leave(after=120)

        assert len(api.sent("reply_to_review")) == 1
        assert work(review).sent_text == TEXT

    def test_what_is_not_there_is_sent_again(self, api, review, alice):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", [500, 200])
        send(alice, review)
        for _look in range(6):
            let_it_leave(after=300)

        assert len(api.sent("reply_to_review")) == 2
        assert work(review).sent_text == TEXT

    def test_a_service_that_tells_nothing_of_replies_is_asked_by_a_person(self, api, review, alice):
        status, body = answer(review)
        body.pop("restaurantReply")
        api.reply("get_review", (status, body))
        api.reply("reply_to_review", [500, 200])
        send(alice, review)
        for _look in range(6):
            let_it_leave(after=300)
        intent = Intent.objects.get()
        assert (intent.state, len(api.sent("reply_to_review"))) == (Intent.State.ASKS, 1)
        assert work(review).lane == Lane.DRAFTS

        sign_in(alice).post(f"/reviews/wishes/{intent.key}/again/")
        let_it_leave(after=300)
        assert work(review).sent_text == TEXT


class TestSuggest:
    def test_it_works(self, api, review, bob, alice):
        post(bob, review, "suggest", text=TEXT, language="en", key=uuid4(), base=0)
        assert (work(review).lane, work(review).stage) == (Lane.APPROVE, Stage.SUGGESTED)

        page = sign_in(alice).get(url(review)).content.decode()
        assert "Approve and send" in page
        send(alice, review, base=1)
        kinds = list(Step.objects.order_by("pk").values_list("kind", "actor__name"))
        assert kinds[0] == ("suggested", "Bob")
        assert kinds[-1] == ("approved", "Alice")

    def test_a_manager_sends_it_back_with_a_remark(self, review, bob, alice):
        post(bob, review, "suggest", text=TEXT, language="en", key=uuid4(), base=0)
        post(alice, review, "send-back", remark="Warmer, please.")

        assert work(review).lane == Lane.DRAFTS
        assert "Warmer, please." in sign_in(bob).get(url(review)).content.decode()

    def test_staff_do_not_send_back(self, review, bob):
        post(bob, review, "suggest", text=TEXT, language="en", key=uuid4(), base=0)

        assert post(bob, review, "send-back", remark="Hm").status_code == 403


class TestDraft:
    def test_it_works(self, review, bob):
        post(bob, review, "draft", text="Dear", language="en", base=0)
        page = sign_in(bob).get(url(review)).content.decode()

        assert ">Dear</textarea>" in page
        assert "Draft of Bob" in page

    def test_the_editor_is_told_that_it_was_saved(self, review, bob):
        said = {"text": "DEAR JO THANK YOU", "language": "en", "base": 0}
        part = sign_in(bob).post(url(review, "draft"), said, headers=AUTOSAVE)
        html = part.content.decode()

        assert "Saved" in html
        assert "All capitals" in html
        assert 'name="base" value="1"' in html
        assert "<textarea" not in html

    def test_two_people_lose_nothing(self, review, alice, bob):
        post(bob, review, "draft", text="Bob's words", language="en", base=0)
        said = {"text": "Alice's words", "language": "en", "base": 0}
        part = sign_in(alice).post(url(review, "draft"), said, headers=AUTOSAVE)

        assert "Bob changed the draft meanwhile" in part.content.decode()
        assert work(review).draft == "Bob's words"
        assert Step.objects.get(actor=alice).text == "Alice's words"

    def test_one_s_own_text_can_replace_theirs_on_purpose(self, review, alice, bob):
        post(bob, review, "draft", text="Bob's words", language="en", base=0)
        page = post(alice, review, "draft", text="Alice's words", language="en", base=[0, 1])

        assert ">Alice&#x27;s words</textarea>" in page.content.decode()
        assert Step.objects.get(actor=bob).text == "Bob's words"

    def test_the_text_of_the_one_before_is_kept_as_a_version(self, review, alice, bob):
        post(bob, review, "draft", text="Bob's words", language="en", base=0)
        post(alice, review, "draft", text="Alice's words", language="en", base=1)

        assert work(review).draft == "Alice's words"
        assert Step.objects.get(actor=bob).text == "Bob's words"

    def test_an_essay_is_not_taken(self, review, bob):
        assert post(bob, review, "draft", text="a" * 10_001, base=0).status_code == 400


class TestPresence:
    """Who writes keeps others from sending, not from writing."""

    def test_it_works(self, api, review, alice, dora):
        assert sign_in(dora).post(url(review, "presence")).status_code == 204

        assert "Dora is writing" in sign_in(alice).get(url(review)).content.decode()
        assert send(alice, review).status_code == 422
        assert post(alice, review, "draft", text="Mine", language="en", base=0).status_code == 200
        assert not Intent.objects.exists()

    def test_it_can_be_taken_over(self, api, review, alice, dora):
        sign_in(dora).post(url(review, "presence"))
        send(alice, review, take_over="1")

        assert Intent.objects.count() == 1

    def test_it_ends_by_itself(self, review, alice, dora):
        sign_in(dora).post(url(review, "presence"))
        Presence.objects.update(seen_at=timezone.now() - timedelta(minutes=1))

        assert "Dora is writing" not in sign_in(alice).get(url(review)).content.decode()


class TestFate:
    """What moderation made of it, read from the review again."""

    @pytest.mark.parametrize(
        ("fate", "lane", "words"),
        [
            ("NOT_REVIEWED", Lane.SENT, "In moderation"),
            ("PUBLISHED", Lane.PUBLISHED, "Published"),
            (
                "WAITING_REFORMULATE REFORMULATE_REPLY_PRIVATE_DATA",
                Lane.REWRITE,
                "Remove private data",
            ),
            ("REJECTED REJECT_REPLY_NOT_COMPLIANT", Lane.CLOSED, "refused the reply for good"),
            ("REJECTED REJECT_REPLY_BRAND_NEW", Lane.CLOSED, "Brand new"),
        ],
    )
    def test_it_works(self, review, alice, fate, lane, words):
        status, _space, reason = fate.partition(" ")
        read_again(review, reply=TEXT, reply_status=status, reply_moderation_reason=reason)
        page = sign_in(alice).get(url(review)).content.decode()

        assert work(review).lane == lane
        assert words in page

    def test_what_was_sent_back_is_where_the_rewriting_begins(self, review, alice):
        read_again(review, reply=TEXT, reply_status="WAITING_REFORMULATE")

        assert f">{TEXT}</textarea>" in sign_in(alice).get(url(review)).content.decode()
        assert send(alice, review, text=TEXT).status_code == 422

    def test_a_reply_that_does_not_show_is_looked_for_again(self, api, review, alice):
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", (200, {"reviewUuid": str(review.pk), "restaurantReply": None}))
        send(alice, review)
        let_it_leave()
        now = timezone.now()
        Review.objects.update(read_at=now)

        assert (
            "not visible in the data we receive" in sign_in(alice).get(url(review)).content.decode()
        )
        assert following.look_again(now=now + timedelta(minutes=1)) == 0
        assert following.look_again(now=now + timedelta(minutes=3)) == 1


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
    workflow.assign(review.pk, to=alice, now=timezone.now())
    workflow.archive(review.pk, by=alice, now=timezone.now())

    assert (work(review).assignee, work(review).lane) == (alice, Lane.ARCHIVED)
    assert work(review).version == 3


def test_an_erased_guest_takes_the_drafts_along(review, alice, bob):
    post(bob, review, "suggest", text=TEXT, language="en", key=uuid4(), base=0)
    guest = uuid4()
    Review.objects.update(customer_id=guest)
    holding.erase(guest)

    assert work(review).draft == ""
    assert not Step.objects.exists()
