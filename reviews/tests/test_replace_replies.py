"""A reply leaves only over what its sender saw: the comment and the reply that was on screen."""

import re
from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from lib.testing import meanwhile
from outbox.models import Intent
from restaurants.testing import sign_in
from reviews.testing import read_again
from reviews.tests.steps import TEXT, answer, let_it_leave, reply_of, send, url

THEIRS = "Dear Jo, from the host app."
ANOTHER = "Dear Jo, we are sorry."


def form_of(page):
    """The hidden fields of the editor, as the browser posts them."""
    fields = re.findall(r'name="(key|seen|base)" value="([^"]*)"', page.content.decode())
    return dict(fields)


def opened(user, review):
    return form_of(sign_in(user).get(url(review)))


def answered_elsewhere(review, text=THEIRS):
    return read_again(
        review,
        reply=text,
        reply_status="PUBLISHED",
        reply_updated_ts=timezone.now() - timedelta(hours=1),
    )


class TestReplies:
    def test_it_works(self, api, review, alice):
        form = opened(alice, review)
        answered_elsewhere(review)
        page = send(alice, review, **form)

        assert page.status_code == 422
        assert "There is another reply meanwhile. Nothing was sent" in page.content.decode()
        assert THEIRS in page.content.decode()
        assert f">{TEXT}</textarea>" in page.content.decode()
        assert not Intent.objects.exists()

    def test_whoever_has_seen_it_replaces_it(self, api, review, alice):
        form = opened(alice, review)
        answered_elsewhere(review)
        page = send(alice, review, **form)
        api.reply("get_review", answer(review, reply=reply_of(THEIRS)))
        api.reply("reply_to_review", 200)
        send(alice, review, **form_of(page))
        let_it_leave()

        assert Intent.objects.get().payload["before"] == THEIRS
        assert api.bodies("reply_to_review")[0]["content"] == TEXT

    def test_a_refusal_for_another_reason_shows_nothing(self, api, review, alice):
        """What was not named stays unseen, so the next try names it."""
        form = opened(alice, review)
        page = send(alice, review, text="Dear {first_name}", **form)
        answered_elsewhere(review)
        assert send(alice, review, **form_of(page)).status_code == 422

        assert not Intent.objects.exists()

    def test_a_colleagues_reply_counts_though_the_copy_lacks_it(self, api, review, alice, dora):
        form = opened(alice, review)
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", 200)
        send(dora, review, text=ANOTHER)
        let_it_leave()
        page = send(alice, review, **form)

        assert page.status_code == 422
        assert ANOTHER in page.content.decode()
        assert Intent.objects.count() == 1

    def test_ones_own_reply_is_known(self, api, review, alice):
        form = opened(alice, review)
        api.reply("get_review", answer(review))
        api.reply("reply_to_review", 200)
        send(alice, review, **form)
        let_it_leave()
        answered_elsewhere(review, TEXT)
        page = send(alice, review, text=ANOTHER, **form | {"key": uuid4()})

        assert page.status_code == 200
        assert Intent.objects.count() == 2

    def test_a_form_without_a_snapshot_is_not_sent(self, api, review, alice):
        assert send(alice, review, seen="").status_code == 422
        assert not Intent.objects.exists()

    def test_what_is_read_while_it_is_sent_counts_too(self, api, review, alice):
        # The first is of the sign-in.
        with meanwhile(lambda: answered_elsewhere(review), before="SAVEPOINT", number=2):
            page = send(alice, review)

        assert page.status_code == 422
        assert THEIRS in page.content.decode()
        assert not Intent.objects.exists()


class TestComments:
    def test_it_works(self, api, review, alice):
        form = opened(alice, review)
        read_again(review, comment="Awful. I found a snail.")
        page = send(alice, review, **form)

        assert page.status_code == 422
        assert "The review has changed meanwhile. Nothing was sent" in page.content.decode()
        assert "<p>Awful. I found a snail.</p>" in page.content.decode()
        assert f">{TEXT}</textarea>" in page.content.decode()
        assert not Intent.objects.exists()

    def test_spaces_and_escapes_are_no_change(self, api, review, alice):
        form = opened(alice, review)
        read_again(review, comment="Lovely  evening&#46;")

        assert send(alice, review, **form).status_code == 200

    def test_what_the_guest_wrote_while_it_waited_stops_it(self, api, review, alice):
        there = answer(review)[1]["comment"] | {"content": "Awful. I found a snail."}
        api.reply("get_review", answer(review, comment=there))
        send(alice, review)
        let_it_leave()

        assert Intent.objects.get().problem == "COMMENT_CHANGED"
        assert api.sent("reply_to_review") == []
