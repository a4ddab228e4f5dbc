"""Everything known about one booking: a page, or the drawer."""

from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine
from django.utils import timezone

from customers.models import ProfileView
from customers.privacy.erasure import erase
from customers.testing import make_customer
from lib.templatetags.ui import icon
from mirror.models import Change, Mirrored
from reservations.testing import DINNER, make_intent, make_reservation, make_visit
from restaurants.testing import make_restaurant, sign_in


@pytest.fixture(autouse=True)
def _evening():
    with time_machine.travel(DINNER, tick=False):
        yield


@pytest.fixture
def guest(harbour):
    return make_customer(
        harbour, phone="+33612345678", phone_e164="+33612345678", email="maria@example.org"
    )


def look(user, row, **headers):
    return sign_in(user).get(f"/reservations/{row.uuid}/", headers=headers)


def text_of(response):
    return response.content.decode()


def test_it_works(bob, quay, guest):
    row = make_reservation(quay, customer=guest, customer_note="Window, please", party_size=4)
    page = text_of(look(bob, row))

    assert "Maria Rossi" in page
    assert "4 people" in page
    assert "Window, please" in page
    assert "20:00" in page


@pytest.mark.parametrize(
    ("hours", "ahead"), [(1, "same day"), (21, "1 day ahead"), (45, "2 days ahead")]
)
def test_how_long_ahead_it_was_booked_counts_days_of_the_calendar(bob, quay, hours, ahead):
    """Booked at eleven in the evening for the next: less than 24 hours, and not the same day."""
    row = make_reservation(quay, created_at=DINNER - timedelta(hours=hours))

    assert f"· {ahead}" in " ".join(text_of(look(bob, row)).split())


def test_outsiders_find_nothing(charlie, quay):
    assert look(charlie, make_reservation(quay)).status_code == 404


def test_it_has_the_phase_of_the_board_in_a_restaurant_without_past_bookings(bob, quay):
    make_reservation(quay, meal_status="SEATED")
    row = make_reservation(quay, meal_at=DINNER - timedelta(minutes=30))
    board = sign_in(bob).get("/", {"zoom": "list"}).context["board"]

    assert {one.phase.key for one in board.picked if one.uuid == row.uuid} == {"late"}
    assert look(bob, row).context["details"].phase.key == "late"


def test_the_drawer_gets_only_its_part(bob, quay):
    page = text_of(look(bob, make_reservation(quay), HX_Request="true", HX_Target="drawer-body"))

    assert "<html" not in page
    assert "Changes seen" in page


def test_it_costs_a_fixed_number_of_queries(bob, quay, guest, django_assert_max_num_queries):
    row = make_reservation(quay, customer=guest)
    for _number in range(20):
        make_reservation(quay, customer=guest, meal_at=DINNER - timedelta(days=9))
    client = sign_in(bob)

    # Session, user, the row, arrival tracking, two for visits, the review, changes, rights and
    # places; the rest is the shell and what waits in it.
    with django_assert_max_num_queries(19):
        client.get(f"/reservations/{row.uuid}/")


def test_what_is_gone_upstream_says_so(bob, quay):
    row = make_reservation(quay, presence=Mirrored.Presence.GONE)

    assert "The service no longer has this booking here" in text_of(look(bob, row))


def test_of_an_erased_guest_it_says_that_the_profile_is_not_known(bob, quay, guest):
    """Who books again may have an allergy in the profile at the service, and nowhere else."""
    row = make_reservation(quay, customer=guest)
    sentence = "Allergies in the profile are not shown"
    before = text_of(look(bob, row))
    erase(guest, actor=None, now=timezone.now())

    assert sentence not in before
    assert sentence in text_of(look(bob, row))


def test_contacts_are_masked(bob, quay, guest):
    page = text_of(look(bob, make_reservation(quay, customer=guest)))

    assert "•••• 5678" in page
    assert "612345678" not in page
    assert "maria@" not in page


def test_markup_stays_text(bob, quay):
    row = make_reservation(quay, restaurant_note="<b>bold</b>" * 500, utm={"<i>": "<u>"})

    assert "<b>bold</b>" not in text_of(look(bob, row))


class TestGuest:
    def earlier(self, quay, guest, **fields):
        return make_reservation(
            quay, customer=guest, meal_at=DINNER - timedelta(days=30), party_size=2, **fields
        )

    def test_it_works(self, bob, quay, guest):
        self.earlier(quay, guest, bill_amount=Decimal(90), bill_currency="EUR")
        self.earlier(quay, guest)
        self.earlier(quay, guest, status="NO_SHOW")
        page = text_of(look(bob, make_reservation(quay, customer=guest)))

        assert "1 no-show" in page
        assert "45.00 EUR" in page
        assert "bills known: 1 of 2 visits" in page

    def test_visits_at_the_other_restaurants_count(self, bob, quay, loft, guest):
        make_reservation(loft, customer=guest, meal_at=DINNER - timedelta(days=9))

        assert "Loft" in text_of(look(bob, make_reservation(quay, customer=guest)))

    @pytest.fixture
    def mill(self, harbour):
        """Another restaurant of the group with the same currency, and out of Bob's reach."""
        return make_restaurant(harbour)

    def test_a_bill_of_nobody_knows_how_many_is_divided_by_nobody(self, bob, quay, guest):
        known = {"bill_amount": Decimal(90), "bill_currency": "EUR"}
        self.earlier(quay, guest, **known)
        make_visit(quay, guest, days=9, party_size=None, **known)

        page = text_of(look(bob, make_reservation(quay, customer=guest)))
        assert "45.00 EUR" in page

    def test_bills_of_other_restaurants_stay_there(self, bob, quay, mill, guest):
        known = {"bill_currency": "EUR"}
        self.earlier(quay, guest, bill_amount=Decimal(90), **known)
        self.earlier(mill, guest, bill_amount=Decimal(7000), **known)
        page = text_of(look(bob, make_reservation(quay, customer=guest)))

        assert "<dd>2</dd>" in page
        assert "45.00 EUR" in page
        assert "bills known: 1 of 1 visits" in page

    def test_who_runs_the_group_sees_all_its_bills(self, alice, quay, mill, guest):
        for place in (quay, mill):
            self.earlier(place, guest, bill_amount=Decimal(90), bill_currency="EUR")
        page = text_of(look(alice, make_reservation(quay, customer=guest)))

        assert "bills known: 2 of 2 visits" in page

    def test_there_is_no_way_to_a_booking_out_of_reach(self, alice, bob, quay, mill, guest):
        last = self.earlier(mill, guest)
        row = make_reservation(quay, customer=guest)

        assert last.get_absolute_url() not in text_of(look(bob, row))
        assert last.get_absolute_url() in text_of(look(alice, row))

    def test_a_first_visit_says_so(self, bob, quay, guest):
        assert "first visit" in text_of(look(bob, make_reservation(quay, customer=guest)))

    @pytest.mark.parametrize(
        ("earlier", "is_first"),
        [({"status": "CANCELED"}, True), ({"status": "NO_SHOW"}, True), ({}, False)],
    )
    def test_board_and_page_agree_on_what_a_visit_is(self, bob, quay, guest, earlier, is_first):
        self.earlier(quay, guest, **earlier)
        row = make_reservation(quay, customer=guest)
        board = sign_in(bob).get("/", {"zoom": "list", "day": str(row.service_day)}).text

        assert ("first visit" in text_of(look(bob, row))) is is_first
        assert ("1st visit" in board) is is_first

    def test_the_second_of_two_coming_bookings_is_no_first_visit(self, bob, quay, guest):
        tomorrow, later = DINNER + timedelta(days=1), DINNER + timedelta(days=8)
        first = make_reservation(quay, customer=guest, meal_at=tomorrow)
        second = text_of(look(bob, make_reservation(quay, customer=guest, meal_at=later)))

        assert "first visit" in text_of(look(bob, first))
        assert "first visit" not in second
        assert "none yet, 1 booking before this one" in second

    def test_a_party_that_is_late_has_not_been_here(self, bob, quay, loft, guest):
        make_reservation(loft, customer=guest, meal_at=DINNER - timedelta(minutes=30))
        row = make_reservation(quay, customer=guest, meal_at=DINNER + timedelta(days=8))

        assert "none yet, 1 booking before this one" in text_of(look(bob, row))


class TestHistory:
    def note(self, row, **fields):
        known = {"kind": "reservation", "uuid": row.uuid, "version": 2, "seen_at": DINNER}
        Change.objects.create(**known | fields)

    def test_it_works(self, bob, quay):
        row = make_reservation(quay)
        self.note(row, field="party_size", before="2", after="4")
        page = text_of(look(bob, row))

        assert "made outside this dashboard" in page
        assert "<del>2</del>" in page

    def test_it_names_who_changed_it_here(self, alice, bob, quay):
        row = make_reservation(quay)
        self.note(row, field="restaurant_note", before="", after="Cake", actor=alice)

        assert "changed here by Alice" in text_of(look(bob, row))

    def test_words_of_the_service_become_words(self, bob, quay):
        row = make_reservation(quay)
        self.note(row, field="status", before="REQUESTED", after="RECORDED")

        assert "<ins>Confirmed</ins>" in text_of(look(bob, row))


def test_a_guest_who_has_not_come_is_at_no_meal(bob, quay):
    row = make_reservation(quay, meal_at=timezone.now() - timedelta(minutes=8))

    shown = text_of(look(bob, row))

    assert "Its time has passed: only the note can still be changed." in shown


class TestContacts:
    """Revealed in place: the same right, count and trail as on the guest's page."""

    def reveal(self, user, guest):
        headers = {"HX-Request": "true", "HX-Target": f"contacts-{guest.pk}"}
        return sign_in(user).post(f"/customers/{guest.pk}/reveal/", headers=headers)

    def test_it_works(self, bob, guest):
        shown = text_of(self.reveal(bob, guest))

        assert 'href="tel:+33612345678"' in shown
        assert 'href="mailto:maria@example.org"' in shown
        assert "<html" not in shown

    def test_it_is_recorded(self, bob, guest):
        self.reveal(bob, guest)

        assert ProfileView.objects.get(customer_uuid=guest.pk).what == ProfileView.What.REVEALED

    def test_without_the_right_there_is_no_button(self, bob, quay, guest, without_right):
        without_right("customers.reveal_contact")

        assert "/reveal/" not in text_of(look(bob, make_reservation(quay, customer=guest)))
        assert self.reveal(bob, guest).status_code == 403

    def test_without_the_right_to_guests_no_link_leads_to_the_profile(
        self, bob, quay, guest, without_right
    ):
        without_right("customers.view_customer")
        page = text_of(look(bob, make_reservation(quay, customer=guest)))

        assert f"/customers/{guest.pk}/" not in page


class TestClock:
    """One clock: the restaurant's, by whatever app a moment is shown. The server's is UTC."""

    @pytest.fixture
    def shown(self, dora, loft, guest):
        """A booking of New York, 14:00 there, with a moment in each part of its page."""
        row = make_reservation(loft, customer=guest, read_at=DINNER, first_seen_at=DINNER)
        make_intent(loft, uuid=row.uuid, actor=dora, created_at=DINNER)
        changed = {"kind": "reservation", "uuid": row.uuid, "version": 2, "seen_at": DINNER}
        Change.objects.create(field="party_size", before="2", after="4", **changed)
        return text_of(look(dora, row))

    def test_it_works(self, shown):
        assert "17 Jan 2026, 14:00" in shown
        assert "seen 17 Jan, 14:00" in shown

    def test_no_moment_is_in_the_servers_time(self, shown):
        assert "19:00" not in shown

    def test_the_forms_and_the_sent_changes_keep_to_it(self, dora, loft):
        row = make_reservation(loft, meal_at=DINNER + timedelta(days=2))
        make_intent(loft, uuid=row.uuid, actor=dora, created_at=DINNER)

        for part in ("change", "note", "cancel", "changes"):
            page = text_of(sign_in(dora).get(f"/reservations/{row.uuid}/{part}/"))
            assert "19:00" not in page

    def test_the_zone_is_named_for_clocks_that_differ(self, shown):
        assert "Times in America/New_York" in shown


class TestHealth:
    def test_risks_are_shown_first(self, bob, quay, harbour):
        guest = make_customer(harbour, allergies_and_intolerances=["nuts"])

        assert "nuts" in text_of(look(bob, make_reservation(quay, customer=guest)))

    def test_a_tag_is_read_in_the_readers_language(self, bob, quay, harbour):
        bob.language = "fr"
        bob.save()
        tags = {"allergies_and_intolerances": ["Soy"], "dietary_restrictions": ["Halal", "No pork"]}
        guest = make_customer(harbour, **tags)
        page = text_of(look(bob, make_reservation(quay, customer=guest)))

        assert "Soja (Soy)" in page
        assert "Halal, No pork" in page  # “Porc” alone would say the opposite

    def test_only_an_allergy_has_its_sign(self, bob, quay, harbour):
        """A leaf for a diet: a cook who sees the triangle looks for an allergen."""
        for tags, sign in (
            ({"allergies_and_intolerances": ["Soy"], "dietary_restrictions": ["Vegan"]}, "allergy"),
            ({"dietary_restrictions": ["Vegan"]}, "diet"),
            ({"dietary_restrictions": ["Vegan"], "rank": "caution"}, "caution"),
        ):
            page = look(bob, make_reservation(quay, customer=make_customer(harbour, **tags)))
            box = page.content.decode().partition('<div class="notice notice--bad">')[2]

            assert box.lstrip().startswith(icon(sign)), sign

    @pytest.mark.parametrize("marked", [{"rank": "caution"}, {"risk_level": ["Caution"]}])
    def test_a_caution_names_who_gave_it(self, bob, quay, harbour, marked):
        """“Caution: Caution” helps nobody."""
        guest = make_customer(harbour, **marked)
        page = text_of(look(bob, make_reservation(quay, customer=guest)))

        assert "Marked with caution in the reservation app" in page

    def test_they_stay_hidden_without_the_right(self, bob, quay, harbour, without_right):
        without_right("customers.view_health")
        guest = make_customer(harbour, allergies_and_intolerances=["nuts"])

        assert "nuts" not in text_of(look(bob, make_reservation(quay, customer=guest)))


class TestNotes:
    """Allergies that stand in a note only."""

    def test_the_sentence_is_shown_with_its_words_marked(self, bob, quay, guest):
        note = "Birthday. My son is allergic to peanuts (EpiPen)."
        page = text_of(look(bob, make_reservation(quay, customer=guest, customer_note=note)))

        assert "In a note:" in page
        assert 'Peanuts&nbsp;<span class="note-mention__severe">severe</span>' in page

    def test_a_hint_is_a_question_to_the_guest(self, bob, quay):
        page = text_of(look(bob, make_reservation(quay, restaurant_note="no onions please")))

        assert "Perhaps, ask the guest:" in page
        assert "In a note:" not in page

    @pytest.mark.parametrize("note", ["Nut allergy - resolved", "the coeliac has cancelled"])
    def test_what_a_note_calls_over_has_the_words_of_the_kitchens_table(self, bob, quay, note):
        page = text_of(look(bob, make_reservation(quay, restaurant_note=note)))

        assert "No longer, a note says; ask the guest:" in page
        assert "Perhaps, ask the guest:" not in page

    def test_the_notes_of_the_guest_are_read_too(self, bob, quay, harbour):
        guest = make_customer(harbour, notes="Coeliac")

        assert "In a note:" in text_of(look(bob, make_reservation(quay, customer=guest)))

    def test_they_stay_unread_without_the_right(self, bob, quay, without_right):
        without_right("customers.view_health")
        row = make_reservation(quay, customer_note="allergic to peanuts")

        assert "In a note:" not in text_of(look(bob, row))


class TestRaw:
    def test_admins_see_the_raw_answer(self, dora, quay):
        row = make_reservation(quay, raw='{"somethingNew": 4}')

        assert "somethingNew" in text_of(look(dora, row))

    def test_the_others_do_not(self, bob, quay):
        row = make_reservation(quay, raw='{"somethingNew": 4}')

        assert "somethingNew" not in text_of(look(bob, row))
