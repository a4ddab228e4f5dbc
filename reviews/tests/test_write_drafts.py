"""A reply is written: suggested, sent back, kept as a draft, by one person or several."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from outbox.models import Intent
from partner.testing import FakeTransport, speak_through
from restaurants.testing import sign_in
from reviews import personal_data
from reviews.models import InboxQueue, Presence, ReplyStep, Review, Stage
from reviews.testing import make_comment
from reviews.tests.steps import TEXT, post, send, url, work

AUTOSAVE = {"HX-Request": "true", "HX-Target": "draft"}


class TestSuggest:
    def test_it_works(self, api, review, bob, alice):
        post(bob, review, "suggest", text=TEXT, language="en", key=uuid4(), base=0)
        assert (work(review).queue, work(review).stage) == (InboxQueue.APPROVE, Stage.SUGGESTED)

        page = sign_in(alice).get(url(review)).content.decode()
        assert "Approve and send" in page
        send(alice, review, base=1)
        kinds = list(ReplyStep.objects.order_by("pk").values_list("kind", "actor__name"))
        assert kinds[0] == ("suggested", "Bob")
        assert kinds[-1] == ("approved", "Alice")

    def test_a_manager_sends_it_back_with_a_remark(self, review, bob, alice):
        post(bob, review, "suggest", text=TEXT, language="en", key=uuid4(), base=0)
        post(alice, review, "send-back", remark="Warmer, please.")

        assert work(review).queue == InboxQueue.DRAFTS
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

    def test_the_editor_shows_that_it_was_saved(self, review, bob):
        data = {"text": "DEAR JO THANK YOU", "language": "en", "base": 0}
        part = sign_in(bob).post(url(review, "draft"), data, headers=AUTOSAVE)
        html = part.content.decode()

        assert "Saved" in html
        assert "All capitals" in html
        assert 'name="base" value="1"' in html
        assert "<textarea" not in html

    def test_two_people_lose_nothing(self, review, alice, bob):
        post(bob, review, "draft", text="Bob's words", language="en", base=0)
        data = {"text": "Alice's words", "language": "en", "base": 0}
        part = sign_in(alice).post(url(review, "draft"), data, headers=AUTOSAVE)

        assert "Bob changed the draft meanwhile" in part.content.decode()
        assert work(review).draft == "Bob's words"
        assert ReplyStep.objects.get(actor=alice).text == "Alice's words"

    def test_a_link_to_the_draft_of_another_shows_it(self, review, alice, bob):
        """And not once more that there is one: its address forgets with which this page began."""
        post(bob, review, "draft", text="Bob's words", language="en", base=0)
        refreshed = {"lane": "approve", "base": "0"}
        html = sign_in(alice).get(url(review), refreshed).content.decode()

        assert "changed the draft." in html
        assert f'<a href="{url(review)}?lane=approve">Show it</a>' in html

    def test_one_s_own_text_can_replace_theirs_on_purpose(self, review, alice, bob):
        post(bob, review, "draft", text="Bob's words", language="en", base=0)
        page = post(alice, review, "draft", text="Alice's words", language="en", base=[0, 1])

        assert ">Alice&#x27;s words</textarea>" in page.content.decode()
        assert ReplyStep.objects.get(actor=bob).text == "Bob's words"

    def test_the_text_of_the_one_before_is_kept_as_a_version(self, review, alice, bob):
        post(bob, review, "draft", text="Bob's words", language="en", base=0)
        post(alice, review, "draft", text="Alice's words", language="en", base=1)

        assert work(review).draft == "Alice's words"
        assert ReplyStep.objects.get(actor=bob).text == "Bob's words"

    def test_it_leaves_a_reply_alone_that_is_on_its_way(self, review, alice):
        send(alice, review)
        before = work(review)
        data = {"text": "Typed too late", "language": "en", "base": 0}
        part = sign_in(alice).post(url(review, "draft"), data, headers=AUTOSAVE)

        assert "The reply is on its way. Your text is kept aside." in part.content.decode()
        assert "changed the draft meanwhile" not in part.content.decode()
        after = work(review)
        assert (after.stage, after.intent_key, after.draft) == (
            Stage.SENDING,
            before.intent_key,
            TEXT,
        )
        assert ReplyStep.objects.get(kind=ReplyStep.Kind.DRAFT).text == "Typed too late"

    def test_no_second_reply_leaves_after_a_late_draft(self, api, review, alice):
        send(alice, review)
        post(alice, review, "draft", text="Typed too late", language="en", base=0)

        assert send(alice, review, text="Typed too late").status_code == 422
        assert Intent.objects.get().key == work(review).intent_key

    def test_a_browser_without_script_sees_it_too(self, review, alice):
        send(alice, review)
        page = post(alice, review, "draft", text="Typed too late", language="en", base=0)

        assert "The reply is on its way. Your text is kept aside." in page.content.decode()

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


def test_an_erased_guest_takes_the_drafts_along(review, alice, bob):
    post(bob, review, "suggest", text=TEXT, language="en", key=uuid4(), base=0)
    guest = uuid4()
    Review.objects.update(customer_id=guest)
    personal_data.erase(guest)

    assert work(review).draft == ""
    assert not ReplyStep.objects.exists()


class TestLanguages:
    def offered(self, user, review):
        page = sign_in(user).get(f"/reviews/{review.pk}/").content.decode()
        select = page.partition('<select name="language"')[2].partition("</select>")[0]
        return re.findall(r'<option value="([a-z]*)"', select)

    def test_every_language_with_a_name_can_be_chosen(self, alice, quay):
        offered = self.offered(alice, make_comment(quay, comment_language="en"))

        assert {"el", "he", "ja", "no"} < set(offered)
        assert len(offered) == len(set(offered)) > 80

    def test_that_of_the_comment_comes_first_after_none(self, alice, quay):
        offered = self.offered(alice, make_comment(quay, comment_language="el"))

        assert offered[:3] == ["", "el", "en"]


class TestWithoutTheRight:
    """Our key may lack the right to reply: it is named before a word is written in vain."""

    @pytest.fixture(autouse=True)
    def service(self, db):
        transport = FakeTransport()
        speak_through(transport, scopes="svc-restaurant:reservations")
        return transport

    def test_it_is_named_with_what_to_do(self, review, alice):
        page = sign_in(alice).get(url(review)).content.decode()

        assert "No reply can be sent from here now. What you write is kept." in page
        assert "Our key lacks the right “svc-restaurant:reviews”." in page
        assert "Please grant our client" in page
        assert "data-send" not in page

    def test_a_draft_is_kept_and_nothing_is_sent(self, review, alice, service):
        send(alice, review)

        assert work(review).queue != InboxQueue.SENT
        assert post(alice, review, "draft", text=TEXT).status_code == 200
        assert work(review).draft == TEXT
        assert service.requests == []

    def test_who_suggests_may_still_suggest(self, review, bob):
        assert "data-send" in sign_in(bob).get(url(review)).content.decode()


def test_with_the_right_no_such_line_is_shown(api, review, alice):
    page = sign_in(alice).get(url(review)).content.decode()

    assert "No reply can be sent" not in page
    assert "data-send" in page
