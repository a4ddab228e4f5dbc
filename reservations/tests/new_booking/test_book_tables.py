"""A new booking is sent once and answered; personal data never stands in the address."""

from html import unescape
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import override

from customers.testing import make_customer
from outbox import engine
from outbox.models import Intent
from partner.testing import recorded
from partner.wording import vocabulary
from reservations import actions
from reservations.models import ENDED
from reservations.testing import make_intent, make_reservation
from reservations.tests.new_booking.steps import (
    GUEST,
    SENT,
    TIME,
    address,
    send,
    text_of,
)
from reservations.words import notice_of
from restaurants.testing import sign_in

State = Intent.State


pytestmark = pytest.mark.usefixtures("before_dinner")


class TestConfirm:
    def test_it_works(self, api, bob, quay):
        answer = send(bob, quay, customer_note="High chair")

        intent = Intent.objects.get()
        assert answer.headers["Location"] == f"/reservations/changes/{intent.key}/"
        assert intent.action == actions.CREATE
        assert intent.payload["meal_date"] == TIME
        assert intent.payload["customer"] == GUEST | {"phone": "+33199001234"}
        assert intent.payload["customer_note"] == "High chair"

    def test_a_form_sent_twice_is_one_booking(self, api, bob, quay):
        key = uuid4()
        send(bob, quay, key=key)
        send(bob, quay, key=key)

        assert Intent.objects.count() == 1

    def test_a_known_guest_is_sent_from_the_profile(self, api, bob, quay, harbour):
        guest = make_customer(harbour, email="m@example.org", locale="fr", civility="mrs")
        send(bob, quay, guest=guest.uuid, **dict.fromkeys(GUEST))

        assert Intent.objects.get().payload["customer"]["email"] == "m@example.org"

    @pytest.mark.parametrize("field", ["email", "first_name", "last_name", "locale", "civility"])
    def test_what_the_service_demands_is_demanded(self, api, bob, quay, field):
        assert send(bob, quay, **{field: ""}).status_code == 422
        assert not Intent.objects.exists()

    def test_an_international_domain_is_sent_in_ascii(self, api, bob, quay):
        send(bob, quay, email="jo@exämple.de")

        assert Intent.objects.get().payload["customer"]["email"] == "jo@xn--exmple-cua.de"

    def test_each_field_states_what_the_service_accepts(self, api, bob, quay):
        answer = send(bob, quay, email="jörg@exämple.de")
        page = text_of(answer)

        assert answer.status_code == 422
        assert not Intent.objects.exists()
        data = page[page.index('id="id_email_error"') :]
        assert "no letter with an accent" in data[: data.index("</p>")]

    def test_two_errors_say_that_nothing_was_booked_and_how_a_number_is_written(
        self, api, bob, quay
    ):
        page = text_of(send(bob, quay, phone="12 or so", last_name=""))

        assert "Nothing was booked: 2 things need another look." in page
        assert "Write it like +33 6 12 34 56 78, or leave it empty." in page
        assert 'value="12 or so"' in page

    def test_notes_have_their_limit(self, api, bob, quay):
        assert send(bob, quay, restaurant_note="a" * 1001).status_code == 422

    def test_a_time_that_is_gone_is_not_sent_and_the_guest_is_kept(self, api, bob, quay):
        api.reply("list_timeslots", (200, []))
        answer = send(bob, quay)

        assert answer.status_code == 422
        assert "not there any more" in text_of(answer)
        assert "jo@example.com" in text_of(answer)
        assert not Intent.objects.exists()

    def test_a_guest_who_is_expected_already_is_warned_about(self, api, bob, quay, harbour):
        guest = make_customer(harbour, email="JO@example.com")
        other = make_reservation(quay, customer=guest)
        answer = send(bob, quay)

        assert answer.status_code == 422
        assert "expected that evening already" in text_of(answer)
        assert f'<a href="{other.get_absolute_url()}">20:00 · 2 · {quay}</a>' in text_of(answer)
        # The page begins far above it, on a telephone out of sight.
        assert 'role="alert" tabindex="-1" autofocus>' in text_of(answer)
        assert send(bob, quay, anyway="on").status_code == 302

    def test_an_outage_keeps_every_choice(self, api, bob, quay, harbour):
        guest = make_customer(harbour, last_name="Caller", email="m@example.org", locale="fr")
        client = sign_in(bob)
        client.post(address(quay), {"guest": guest.uuid})
        for operation in ("list_party_sizes", "list_availabilities", "list_timeslots"):
            api.reply(operation, (503, {"message": "Service Unavailable"}))
        cache.clear()
        page = text_of(client.get(address(quay)))

        assert "your choices are kept" in page
        assert "Book for 4 people" in page
        assert "Maria Caller" in page
        typed = {"step": "confirm", "key": uuid4(), "guest": guest.uuid, "civility": "mrs"}
        assert client.post(address(quay), typed | {"customer_note": "Window"}).status_code == 302
        sent = Intent.objects.get().payload
        assert (sent["meal_date"], sent["party_size"]) == (TIME, 4)
        assert (sent["guest"], sent["customer_note"]) == (str(guest.pk), "Window")

    def test_an_outage_keeps_what_was_typed(self, api, bob, quay):
        api.reply("list_party_sizes", (503, {"message": "Service Unavailable"}))
        page = text_of(send(bob, quay, email="", customer_note="Window"))

        assert "Window" in page
        assert 'value="Martin"' in page
        assert "20:00" in page

    def test_guest_and_restaurant_are_named_before_and_after(self, api, bob, quay, harbour):
        guest = make_customer(harbour, email="m@example.org", locale="fr", civility="mrs")
        client = sign_in(bob)
        before = text_of(client.post(address(quay), {"guest": guest.uuid}))
        data = {"step": "confirm", "key": uuid4(), "guest": guest.uuid}
        after = text_of(client.post(address(quay), data, follow=True))

        for page in (before, after):
            named = page.partition('id="main"')[2]
            assert "<bdi>Maria Rossi</bdi>" in named
            assert "· Quay" in named
            assert "Sat 17 Jan, 20:00" in named

    def test_a_service_that_is_down_takes_the_intent_later(self, api, bob, quay):
        api.reply("list_timeslots", (503, {"message": "Service Unavailable"}))

        assert send(bob, quay).status_code == 302

    def test_an_unticked_newsletter_is_not_sent(self, api, bob, quay):
        send(bob, quay)
        assert "newsletter" not in Intent.objects.get().payload["customer"]

        send(bob, quay, newsletter="on", email="other@example.com")
        assert Intent.objects.latest("pk").payload["customer"]["newsletter"] is True


class TestAnswer:
    def result(self, user, quay, **fields):
        intent = make_intent(
            quay,
            action=actions.CREATE,
            uuid=None,
            payload={"meal_date": TIME, "party_size": 4, "customer": {"email": "jo@example.com"}},
            **fields,
        )
        return sign_in(user).get(f"/reservations/changes/{intent.key}/")

    def answered(self, status):
        answer = recorded("create_reservation") | {"status": status}
        return str(answer).replace("'", '"').replace("None", "null").replace("False", "false")

    def test_it_works(self, bob, quay):
        page = self.result(bob, quay, state=State.DONE, answer=self.answered("RECORDED"))

        assert "Confirmed" in text_of(page)

    def test_a_request_is_not_called_confirmed(self, bob, quay):
        page = text_of(self.result(bob, quay, state=State.DONE, answer=self.answered("REQUESTED")))

        assert "Asked, not confirmed" in page
        assert "Confirmed" not in page

    @pytest.mark.parametrize(
        "answer", ['{"status": "\\ud83c\\u0000"}', "[1]", "NaN", "[" * 5000, ""]
    )
    def test_an_odd_answer_is_shown_all_the_same(self, bob, quay, answer):
        page = self.result(bob, quay, state=State.DONE, answer=answer)

        assert page.status_code == 200

    @pytest.mark.parametrize("status", [*sorted(vocabulary.STATUSES), "WAIT_LISTED", "onHold"])
    @pytest.mark.parametrize("language", ["en", "fr", "es"])
    def test_no_status_is_shown_as_the_service_spells_it(self, api, bob, quay, status, language):
        bob.language = language
        bob.save()
        known = {"status": status, "restaurantUuid": str(quay.uuid), "mealDate": TIME}
        booked = recorded("create_reservation") | known
        api.reply("create_reservation", (200, booked))
        intent = make_intent(
            quay,
            action=actions.CREATE,
            uuid=None,
            payload={"meal_date": TIME, "party_size": 4, "customer": SENT},
        )
        engine.work(now=timezone.now())
        row = make_reservation(quay, uuid=booked["reservationUuid"], status=status)

        for page in (f"/reservations/changes/{intent.key}/", row.get_absolute_url()):
            html = text_of(sign_in(bob).get(page))
            with override(language):
                assert str(notice_of(status).title) in unescape(html), page
            assert status not in html, address

    @pytest.mark.parametrize("status", sorted(ENDED))
    def test_a_booking_without_a_table_leads_to_other_times(self, bob, quay, status):
        page = text_of(self.result(bob, quay, state=State.DONE, answer=self.answered(status)))

        assert "There is no table" in page or "did not come" in page
        assert "Other times" in page
        assert "notice--good" not in page
        assert ">Book: Done<" not in page

    def test_an_unknown_end_is_a_question(self, bob, quay):
        page = text_of(self.result(bob, quay, state=State.ASKS))

        assert "Try again" in page
        assert "Confirmed" not in page

    def test_a_clash_shows_what_the_guest_has_that_evening(self, bob, quay, harbour):
        guest = make_customer(harbour, email="jo@example.com")
        other = make_reservation(quay, customer=guest)
        page = self.result(bob, quay, state=State.REFUSED, problem="DOUBLE_BOOKING")

        assert f'<a href="{other.get_absolute_url()}">20:00 · 2 · {quay}</a>' in text_of(page)

    def test_outsiders_find_nothing(self, charlie, quay):
        assert self.result(charlie, quay).status_code == 404
