"""Assigning a review to anybody who may answer it, with an alert."""

from datetime import UTC, datetime, timedelta

from accounts.models import User
from accounts.rights import Role
from restaurants.testing import make_member, make_user, sign_in
from reviews import personal_data
from reviews.alerts import mails
from reviews.models import AlertPreferences, ReplyStep, ReviewAlert, Work
from reviews.reply import workflow
from reviews.testing import make_comment

NOW = datetime(2026, 1, 20, 12, tzinfo=UTC)
IN_DRAWER = {"HX-Request": "true", "HX-Target": "drawer-body"}
FROM_DRAWER = {"HX-Request": "true", "HX-Target": "review"}


def holder(review):
    return Work.objects.get(pk=review.pk).assignee


def assign(by, review, to, **data):
    address = f"/reviews/{review.pk}/assign/"
    return sign_in(by).post(address, {"to": getattr(to, "pk", "")} | data, follow=True)


def assign_all(by, reviews, **data):
    keys = {"verb": "give", "uuid": [review.pk for review in reviews]}
    return sign_in(by).post("/reviews/bulk/", keys | data, follow=True)


def alert_page(user):
    return sign_in(user).get("/reviews/alerts/").content.decode()


class TestGive:
    def test_it_works(self, review, alice, bob):
        page = assign(alice, review, bob, remark="You seated them.")

        assert holder(review) == bob
        assert "Alice assigned it to Bob" in page.content.decode()
        assert "You seated them." in page.content.decode()

    def test_nobody_is_a_choice(self, review, alice, bob):
        assign(alice, review, bob)
        assign(alice, review, None)

        assert holder(review) is None

    def test_staff_give_too(self, review, alice, bob):
        assign(bob, review, alice)

        assert holder(review) == alice

    def test_those_who_may_answer_there_are_offered(self, review, loft, alice, bob):
        elsewhere = make_user("erin@example.org")
        make_member(elsewhere, loft, Role.MANAGER)
        html = sign_in(alice).get(f"/reviews/{review.pk}/assign/").content.decode()

        for name in ("Alice", "Bob", "Dora", "Nobody"):
            assert f">{name}</span>" in html
        assert "Erin" not in html
        assert "Charlie" not in html

    def test_open_counts_of_each_person_are_shown(self, quay, review, alice, bob):
        assign(alice, make_comment(quay), bob)

        page = sign_in(alice).get(f"/reviews/{review.pk}/assign/")
        assert "1 open" in page.content.decode()

    def test_others_cannot_be_given_it(self, review, alice, bob, charlie):
        assign(alice, review, bob)

        assert assign(alice, review, charlie).status_code == 422
        assert holder(review) == bob

    def test_somebody_who_has_left_is_not_offered(self, review, alice, bob):
        bob.is_active = False
        bob.save()

        assert assign(alice, review, bob).status_code == 422

    def test_the_form_opens_in_the_drawer_or_as_a_page(self, review, alice):
        client, address = sign_in(alice), f"/reviews/{review.pk}/assign/"
        part = client.get(address, headers=IN_DRAWER).content.decode()
        assert "<html" not in part
        assert 'name="remark"' in part
        assert 'name="remark"' in client.get(address).content.decode()

    def test_a_fault_stays_in_the_drawer(self, review, alice, charlie):
        address = f"/reviews/{review.pk}/assign/"
        answer = sign_in(alice).post(address, {"to": charlie.pk}, headers=FROM_DRAWER)

        assert (answer.status_code, answer.headers["HX-Retarget"]) == (422, "#drawer-body")

    def test_outsiders_find_nothing(self, review, charlie):
        assert assign(charlie, review, charlie).status_code == 404

    def test_without_the_right_it_is_closed(self, review, bob, without_right):
        without_right("reviews.suggest_reply")

        assert assign(bob, review, bob).status_code == 403


class TestSeveral:
    def test_the_person_is_chosen_first(self, quay, alice):
        reviews = [make_comment(quay), make_comment(quay)]
        html = assign_all(alice, reviews).content.decode()

        assert "Assign 2 reviews" in html
        assert all(f'value="{review.pk}"' in html for review in reviews)
        assert not Work.objects.exclude(assignee=None).exists()

    def test_then_they_are_given(self, quay, loft, alice, dora):
        reviews = [make_comment(quay), make_comment(loft)]
        assign_all(alice, reviews, to=dora.pk, remark="By Friday.")

        assert {holder(review) for review in reviews} == {dora}
        assert set(ReviewAlert.objects.values_list("user", "remark")) == {(dora.pk, "By Friday.")}

    def test_what_the_person_does_not_answer_stays(self, quay, loft, alice, bob):
        ours, theirs = make_comment(quay), make_comment(loft)
        page = assign_all(alice, [ours, theirs], to=bob.pk)

        assert (holder(ours), holder(theirs)) == (bob, None)
        assert "Bob does not answer there" in page.content.decode()

    def test_what_is_out_of_reach_is_passed_over(self, quay, cellar, alice, bob):
        theirs = make_comment(cellar)
        assign_all(alice, [make_comment(quay), theirs], to=bob.pk)

        assert holder(theirs) is None

    def test_outsiders_are_never_offered(self, quay, alice, charlie):
        ours = make_comment(quay)
        page = assign_all(alice, [ours], to=charlie.pk)

        assert page.status_code == 422
        assert holder(ours) is None

    def test_nothing_to_give_is_no_fault(self, cellar, alice):
        assert assign_all(alice, [make_comment(cellar)]).status_code == 200


class TestNews:
    """An assigned person gets an alert in the app, and a mail if they want."""

    def test_it_works(self, review, alice, bob):
        assign(alice, review, bob, remark="You seated them.")

        page = alert_page(bob)
        assert "assigned to you by Alice" in page
        assert "You seated them." in page
        assert ">Assigned to you</span>" in page
        assert ">Assigned to you</span>" not in alert_page(alice)

    def test_the_same_press_again_is_no_news(self, review, alice, bob, mailoutbox):
        AlertPreferences.objects.create(user=bob, given_by_mail=True)
        for remark in ("You seated them.", "You seated them.", ""):
            assign(alice, review, bob, remark=remark)
            mails.mail(now=NOW)

        assert len(mailoutbox) == 1
        assert ReplyStep.objects.filter(kind=ReplyStep.Kind.ASSIGNED).count() == 1

        assign(alice, review, bob, remark="Today, please.")
        mails.mail(now=NOW)
        assert len(mailoutbox) == 2

    def test_who_takes_it_needs_no_news(self, review, bob):
        assign(bob, review, bob)

        assert not ReviewAlert.objects.exists()

    def test_it_is_mailed_to_those_who_want_mails(self, review, alice, bob, dora, mailoutbox):
        AlertPreferences.objects.create(user=bob, given_by_mail=True)
        assign(alice, review, bob, remark="You seated them.")
        mails.mail(now=NOW)
        mails.mail(now=NOW)
        assign(alice, review, dora)
        mails.mail(now=NOW)

        [mail] = mailoutbox
        assert mail.to == ["bob@example.org"]
        assert mail.subject == "Couvert: Alice assigned you a review of Quay"
        assert "You seated them." in mail.body

    def test_given_a_second_time_it_is_news_again(self, review, alice, bob):
        assign(alice, review, bob)
        sign_in(bob).post("/reviews/alerts/seen/")
        assign(alice, review, bob, remark="Please!")

        assert ReviewAlert.objects.unseen().get().remark == "Please!"

    def test_taken_back_it_is_no_news(self, review, alice, bob, dora):
        assign(alice, review, bob)
        assign(alice, review, dora)

        assert ReviewAlert.objects.get().user == dora

    def test_working_on_it_marks_the_alert_as_seen(self, review, alice, bob):
        assign(alice, review, bob)
        workflow.save_draft(review.pk, text="Dear Jo", language="", base=0, by=alice, now=NOW)
        assert ReviewAlert.objects.unseen().count() == 1

        workflow.save_draft(review.pk, text="Dear Ann", language="", base=1, by=bob, now=NOW)
        assert ReviewAlert.objects.unseen().count() == 0

    def test_a_low_rating_makes_an_alert_of_its_own(self, quay, alice, bob):
        AlertPreferences.objects.create(user=bob, low_in_app=True)
        review = make_comment(quay, global_rating=2, created_ts=NOW - timedelta(hours=1), now=NOW)
        mails.create_alerts(now=NOW)
        assign(alice, review, bob)

        assert sorted(ReviewAlert.objects.values_list("kind", flat=True)) == ["given", "low"]

    def test_who_has_left_the_restaurant_reads_it_no_more(self, review, alice, bob, loft):
        assign(alice, review, bob, remark="You seated them.")
        bob.memberships.all().delete()
        make_member(bob, loft)

        assert "You seated them." not in alert_page(bob)

    def test_the_top_bar_does_not_count_it(self, review, alice, bob, loft):
        assign(alice, review, bob)
        assert ">Assigned to you</span>" in alert_page(bob)
        bob.memberships.all().delete()
        make_member(bob, loft)

        assert ">Assigned to you</span>" not in alert_page(bob)

    def test_a_superuser_without_a_role_gets_none(self, review, alice, dora):
        assign(alice, review, dora)
        dora.memberships.all().delete()
        User.objects.filter(pk=dora.pk).update(is_superuser=True)

        assert ">Assigned to you</span>" not in alert_page(dora)

    def test_an_erased_guest_takes_the_words_along(self, review, alice, bob):
        assign(alice, review, bob, remark="Mrs Martin was loud.")
        review.customer_id = review.pk
        review.save()
        personal_data.erase(review.pk)

        assert ReviewAlert.objects.get().remark == ""
        assert not ReplyStep.objects.exists()
