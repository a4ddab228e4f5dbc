"""Saved replies and views, targets, several at once."""

from decimal import Decimal
from urllib.parse import quote

import pytest
from django.http import QueryDict

from restaurants.testing import sign_in
from reviews.forms import InboxParams
from reviews.inbox.pages import MOST_VIEWS
from reviews.models import Rules, SavedInboxView, SavedReply, Work
from reviews.reply.pages import fill
from reviews.testing import make_comment, make_saved_reply, make_saved_view


class TestSavedReplies:
    def test_it_works(self, harbour, alice):
        data = {
            "group": harbour.pk,
            "title": "Thanks",
            "text": "Dear {first_name}",
            "language": "en",
        }
        sign_in(alice).post("/reviews/replies/new/", data)

        assert SavedReply.objects.get().text == "Dear {first_name}"
        assert "Thanks" in sign_in(alice).get("/reviews/replies/").content.decode()

    def test_it_is_offered_filled_in(self, quay, harbour, alice):
        make_saved_reply(harbour, text="Dear {first_name}, from {restaurant}. {unknown}")
        page = sign_in(alice).get(f"/reviews/{make_comment(quay).pk}/").content.decode()

        assert 'data-insert="Dear Jo, from Quay. {unknown}"' in page

    def test_without_script_the_link_puts_it_into_the_editor(self, quay, harbour, alice):
        saved = make_saved_reply(harbour)
        page = sign_in(alice).get(f"/reviews/{make_comment(quay).pk}/?saved={saved.pk}")

        assert ">Dear Jo, thank you.</textarea>" in page.content.decode()
        assert not Work.objects.get().has_draft

    def test_what_is_not_known_stays_open(self):
        assert fill("{first_name} {date}", {"first_name": "Jo", "date": ""}) == "Jo {date}"

    def test_another_group_s_are_not_shown(self, hill, quay, alice):
        make_saved_reply(hill, title="Theirs")

        assert "Theirs" not in sign_in(alice).get("/reviews/replies/").content.decode()

    def test_staff_use_but_do_not_change_them(self, harbour, bob):
        saved = make_saved_reply(harbour)

        assert sign_in(bob).get("/reviews/replies/new/").status_code == 403
        assert sign_in(bob).post(f"/reviews/replies/{saved.pk}/delete/").status_code == 403

    def test_one_can_be_deleted(self, harbour, alice):
        sign_in(alice).post(f"/reviews/replies/{make_saved_reply(harbour).pk}/delete/")

        assert not SavedReply.objects.exists()


class TestSavedViews:
    def test_it_works(self, quay, alice):
        make_comment(quay, global_rating=Decimal(3))
        client = sign_in(alice)
        client.post("/reviews/views/?low=1", {"name": "Bad ones"})
        [queue] = client.get("/reviews/").context["inbox"].views

        assert (queue.label, queue.count) == ("Bad ones", 1)
        assert InboxParams(QueryDict(queue.query)).is_low

    def test_words_of_a_search_are_not_kept(self, quay, alice):
        client = sign_in(alice)
        client.post(f"/reviews/views/?low=1&q={quote('é' * 100)}", {"name": "Bad ones"})

        assert SavedInboxView.objects.get().query == "lane=reply&sort=urgent&low=1"

    def test_a_search_alone_is_not_offered_to_be_kept(self, quay, alice):
        client = sign_in(alice)

        assert "Name of the view" in client.get("/reviews/?q=Jo&low=1").content.decode()
        assert "Name of the view" not in client.get("/reviews/?q=Jo").content.decode()

    def test_there_are_no_more_than_are_shown(self, quay, alice):
        for number in range(MOST_VIEWS):
            make_saved_view(alice, name=f"{number}")
        data = {"name": "One too many"}
        page = sign_in(alice).post("/reviews/views/?low=1", data, follow=True)

        assert "You have many views; delete one of them first." in page.content.decode()
        assert SavedInboxView.objects.count() == MOST_VIEWS

    def test_they_are_one_s_own(self, quay, alice, bob):
        view = make_saved_view(alice)

        assert sign_in(bob).get("/reviews/").context["inbox"].views == []
        assert sign_in(bob).post(f"/reviews/views/{view.pk}/delete/").status_code == 404
        sign_in(alice).post(f"/reviews/views/{view.pk}/delete/")
        assert not SavedInboxView.objects.exists()


class TestRules:
    def test_it_works(self, quay, harbour, alice):
        review = make_comment(quay, global_rating=Decimal(7))
        data = {"target_hours": 24, "low_rating": "7"}
        sign_in(alice).post(f"/reviews/rules/{harbour.uuid}/", data)

        assert Rules.objects.get().target_hours == 24
        assert Work.objects.get(pk=review.pk).is_low
        assert Work.objects.get(pk=review.pk).is_notified, "an old rating is no news"

    @pytest.mark.parametrize("who", ["bob", "charlie"])
    def test_only_who_runs_the_group_decides(self, cast, harbour, who):
        answer = sign_in(getattr(cast, who)).post(f"/reviews/rules/{harbour.uuid}/")

        assert answer.status_code == (403 if who == "bob" else 404)

    def test_nonsense_is_refused(self, harbour, alice):
        data = {"target_hours": 0, "low_rating": "11"}

        assert sign_in(alice).post(f"/reviews/rules/{harbour.uuid}/", data).status_code == 422


class TestBulk:
    def test_it_works(self, quay, alice):
        picked = [make_comment(quay).pk, make_comment(quay).pk]
        make_comment(quay)
        sign_in(alice).post("/reviews/bulk/", {"verb": "archive", "uuid": picked})

        assert Work.objects.filter(queue="archived").count() == 2

    def test_several_are_taken_and_given_back(self, quay, bob):
        review = make_comment(quay)
        sign_in(bob).post("/reviews/bulk/", {"verb": "take", "uuid": [review.pk]})
        assert Work.objects.get().assignee == bob

        sign_in(bob).post("/reviews/bulk/", {"verb": "release", "uuid": [review.pk]})
        assert Work.objects.get().assignee is None

    def test_what_is_out_of_reach_is_passed_over(self, quay, cellar, alice):
        theirs = make_comment(cellar)
        sign_in(alice).post("/reviews/bulk/", {"verb": "archive", "uuid": [theirs.pk, "x"]})

        assert Work.objects.get().queue == "reply"
