"""What hangs at the pass: allergies, whom to greet, the list; and whether the paper is old."""

import re
from copy import copy
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from django.utils.html import escape

from customers import sync as customers_sync
from customers.models import InternalNote
from customers.testing import make_customer
from mirror.kinds import Stored, notify_watchers
from mirror.models import Change, Mirrored
from reservations.briefing.lines import NOTES
from reservations.briefing.pages import Briefing
from reservations.models import Reservation
from reservations.service_day.day import ServiceDay
from reservations.service_day.guest_changes import RECORDED
from reservations.sync import CHANGE_LABELS
from reservations.testing import DINNER, make_reservation
from restaurants.testing import make_user, sign_in

NOW = DINNER - timedelta(hours=2)
DAY = "2026-01-17"


@pytest.fixture(autouse=True)
def _afternoon():
    with time_machine.travel(NOW, tick=False):
        yield


def look(user, *, headers=None, **address):
    query = {"day": DAY, **address}
    return sign_in(user).get("/reservations/brief/", query, headers=headers)


def text_of(response):
    return response.content.decode()


def test_without_a_restaurant_there_is_nothing_to_print(db):
    page = text_of(look(make_user("nobody@example.org")))

    assert "You have no restaurant yet" in page
    assert "icon-print" not in page.partition("<main")[2]


def test_it_works(bob, quay, harbour):
    guest = make_customer(harbour, allergies_and_intolerances=["nuts"])
    make_reservation(quay, customer=guest, party_size=4, customer_note="Window table")
    response = look(bob)
    (allergen,) = response.context["brief"].allergens

    assert (allergen.name, len(allergen.parties)) == ("Nuts", 1)
    assert "Window table" in text_of(response)
    assert "1 party" in text_of(response)


def test_a_status_that_is_new_hides_no_allergy(bob, quay, harbour):
    guest = make_customer(harbour, allergies_and_intolerances=["nuts"])
    make_reservation(quay, customer=guest, status="PENCILLED_IN", customer_note="Window table")
    response = look(bob)

    assert [one.name for one in response.context["brief"].allergens] == ["Nuts"]
    assert "Window table" in text_of(response)


def test_it_hides_other_groups(charlie, quay, harbour):
    make_reservation(quay, customer=make_customer(harbour))

    assert "Rossi" not in text_of(look(charlie))


def test_it_names_no_allergy_without_the_right(bob, quay, harbour, without_right):
    without_right("customers.view_health")
    guest = make_customer(harbour, allergies_and_intolerances=["nuts"])
    make_reservation(quay, customer=guest)
    page = text_of(look(bob))

    assert "nuts" not in page
    assert "Your role does not show allergies" in page


def test_the_kitchen_reads_the_name_of_a_diet(bob, quay, harbour):
    make_reservation(quay, customer=make_customer(harbour, dietary_restrictions=["Vegan"]))

    assert "Vegan</strong>" in text_of(look(bob))


class TestNotes:
    """An allergy that stands in a note only, without a tag."""

    EPIPEN = "Window table. My wife is allergic to nuts (carries an EpiPen). No onions please."

    def test_the_kitchen_reads_the_sentence(self, bob, quay):
        make_reservation(quay, customer_note=self.EPIPEN)
        page = text_of(look(bob))

        assert "In a note" in page
        assert "severe" in page
        assert "<mark>" in page

    def test_certainties_are_counted_apart(self, bob, quay, harbour):
        tagged = make_customer(harbour, allergies_and_intolerances=["Nuts"])
        make_reservation(quay, customer=tagged)
        make_reservation(quay, customer_note=self.EPIPEN)
        make_reservation(quay, restaurant_note="Allergic to nuts")
        allergens = look(bob).context["brief"].allergens

        assert [(one.name, one.certainty, len(one.parties)) for one in allergens] == [
            ("Nuts", "tagged", 1),
            ("Nuts", "stated", 2),
            ("Onion", "maybe", 1),
        ]

    def test_the_table_of_allergens_names_the_party_that_is_severe(self, bob, quay):
        make_reservation(quay, customer_note="Allergic to nuts")
        make_reservation(quay, party_size=5, customer_note=self.EPIPEN)
        nuts = look(bob).context["brief"].allergens[0]
        table = text_of(look(bob)).partition('class="table allergens"')[2].partition("</table>")[0]

        assert {p.line.booking.party_size: p.is_severe for p in nuts.parties} == {2: False, 5: True}
        assert table.count("severe") == 2  # the class and the word

    @pytest.mark.parametrize(
        "fields",
        [
            {"notes": "coeliac"},
            {"fav_food": "Steak; is coeliac"},
            {"custom_fields": [{"label": "Allergy", "value": "gluten"}]},
            {"other_tags": ["Gluten allergy"]},
        ],
    )
    def test_the_guest_profile_is_read_too(self, bob, quay, harbour, fields):
        make_reservation(quay, customer=make_customer(harbour, **fields))
        (line,) = look(bob).context["brief"].careful

        assert line.mentions[0].is_stated

    def test_the_internal_note_is_read_too(self, bob, quay, harbour):
        guest = make_customer(harbour)
        make_reservation(quay, customer=guest)
        InternalNote.objects.create(customer_uuid=guest.pk, text="Coeliac", changed_at=DINNER)
        (line,) = look(bob).context["brief"].careful

        assert line.mentions[0].is_stated

    def test_nobody_reads_them_without_the_right(self, bob, quay, without_right):
        without_right("customers.view_health")
        make_reservation(quay, customer_note=self.EPIPEN)
        response = look(bob)

        assert response.context["brief"].careful == []
        assert "In a note" not in text_of(response)

    def test_markup_stays_text(self, bob, quay):
        make_reservation(quay, customer_note="Allergic to <b>nuts</b>")

        assert "<b>nuts" not in text_of(look(bob))


def test_a_day_without_allergies_says_so(bob, quay):
    make_reservation(quay)

    assert "Still ask at the table" in text_of(look(bob))


def test_an_empty_day_says_so(bob):
    assert "Nothing is booked for this day" in text_of(look(bob))


def test_those_who_do_not_come_are_not_on_the_list(bob, quay, harbour):
    make_reservation(quay, customer=make_customer(harbour), status="CANCELED")

    assert "Rossi" not in text_of(look(bob))


def test_covers_are_counted_by_quarter_of_an_hour(bob, quay):
    for minutes, party in ((0, 2), (14, 3), (15, 60)):
        make_reservation(quay, party_size=party, meal_at=DINNER + timedelta(minutes=minutes))
    sittings = look(bob).context["brief"].sittings

    assert [(one.time, one.covers) for one in sittings] == [("20:00", 5), ("20:15", 60)]


def test_vips_and_large_parties_are_greeted(bob, quay, harbour):
    make_reservation(quay, customer=make_customer(harbour, is_vip=True))
    make_reservation(quay, party_size=12)
    make_reservation(quay)

    assert len(look(bob).context["brief"].welcome) == 2


def test_a_long_note_with_markup_stays_text(bob, quay):
    make_reservation(quay, customer_note="<b>loud</b>" * 500)
    page = text_of(look(bob))

    assert "<b>loud</b>" not in page
    assert escape("<b>loud</b>") in page


class TestPaper:
    def change(self, row, *, at):
        Change.objects.create(
            kind="reservation", uuid=row.uuid, version=2, field="party_size", seen_at=at
        )

    def ask(self, bob, **address):
        headers = {"HX-Request": "true", "HX-Target": "changes"}
        return text_of(look(bob, headers=headers, **address))

    def test_it_says_when_it_was_made_and_which_version(self, bob, quay):
        row = make_reservation(quay)
        self.change(row, at=NOW - timedelta(hours=1))
        page = text_of(look(bob))

        assert "Made at" in page
        assert "version 2" in page
        assert "since this was printed" not in page

    def test_it_counts_what_has_changed_since(self, bob, quay):
        changed, same = make_reservation(quay), make_reservation(quay)
        make_reservation(quay, first_seen_at=NOW - timedelta(minutes=1))
        for _twice in range(2):
            self.change(changed, at=NOW - timedelta(minutes=5))
        self.change(same, at=NOW - timedelta(hours=1))
        part = self.ask(bob, since=(NOW - timedelta(minutes=10)).isoformat())

        assert "<html" not in part
        assert "2 changes since this was printed" in part

    @pytest.mark.parametrize(
        ("field", "at", "count"),
        [
            ("allergies_and_intolerances", NOW - timedelta(minutes=5), 2),
            ("allergies_and_intolerances", NOW - timedelta(hours=1), 0),
            ("custom_fields", NOW - timedelta(minutes=5), 2),
            ("total_visits", NOW - timedelta(minutes=5), 0),
        ],
    )
    def test_it_counts_the_bookings_of_a_guest_who_has_changed(self, quay, field, at, count):
        guest = make_customer(quay.group)
        make_reservation(quay)
        for _twice in range(2):
            make_reservation(quay, customer=guest)
        Change.objects.create(kind="customer", uuid=guest.pk, version=2, field=field, seen_at=at)
        brief = Briefing(ServiceDay([quay], DINNER.date(), now=NOW))

        assert brief.changes_since(NOW - timedelta(minutes=10)) == count

    def test_whatever_a_line_is_read_from_is_in_the_history(self):
        columns = {field.name for field in Reservation._meta.concrete_fields} - {"uuid"}
        of_guests = {name.removeprefix("customer__") for name in NOTES if "__" in name}

        assert columns.intersection(NOTES) <= CHANGE_LABELS.keys()
        assert of_guests <= RECORDED <= customers_sync.CHANGE_LABELS.keys()

    def move(self, row, to):
        """Store another time of a booking, as the mirror does."""
        before = copy(row)
        row.meal_at = to
        row.set_service_day()
        row.save()
        self.change(row, at=timezone.now())
        notify_watchers("reservation", [Stored(before, row)])

    def test_it_counts_what_was_moved_to_another_day(self, bob, quay):
        row = make_reservation(quay)
        self.move(row, DINNER + timedelta(days=3))

        assert "1 change since" in self.ask(bob, since=(NOW - timedelta(minutes=10)).isoformat())
        assert "change since" not in self.ask(bob, since=(NOW + timedelta(minutes=1)).isoformat())

    def test_what_changes_after_it_was_moved_away_is_no_news(self, bob, quay):
        row = make_reservation(quay)
        self.move(row, DINNER + timedelta(days=3))
        self.change(row, at=NOW + timedelta(minutes=5))

        assert "change since" not in self.ask(bob, since=(NOW + timedelta(minutes=1)).isoformat())

    def test_it_counts_what_is_gone_upstream(self, bob, quay):
        row = make_reservation(quay, presence=Mirrored.Presence.GONE)
        self.change(row, at=NOW - timedelta(minutes=5))

        assert "1 change since" in self.ask(bob, since=(NOW - timedelta(minutes=10)).isoformat())

    def test_another_time_of_the_evening_is_one_change(self, bob, quay):
        self.move(make_reservation(quay), DINNER + timedelta(hours=1))

        assert "1 change since" in self.ask(bob, since=(NOW - timedelta(minutes=10)).isoformat())

    def test_the_version_never_falls(self, bob, quay):
        moved, gone = make_reservation(quay), make_reservation(quay)
        for row in (moved, gone):
            self.change(row, at=NOW - timedelta(hours=1))
        versions = [look(bob).context["brief"].version]
        self.move(moved, DINNER + timedelta(days=3))
        versions.append(look(bob).context["brief"].version)
        type(gone).objects.filter(pk=gone.pk).update(presence=Mirrored.Presence.GONE)
        versions.append(look(bob).context["brief"].version)

        assert versions == [3, 4, 4]

    def test_it_costs_six_queries(self, quay, django_assert_num_queries):
        guest = make_customer(quay.group)
        for _number in range(3):
            row = make_reservation(quay, customer=guest)
        self.move(row, DINNER + timedelta(days=3))
        evening = ServiceDay([quay], DINNER.date(), now=NOW)
        evening.read()
        brief = Briefing(evening)

        with django_assert_num_queries(6):
            assert len(brief.lines) == 2
            assert (brief.version, brief.changes_since(NOW - timedelta(days=1))) == (2, 1)

    @pytest.mark.parametrize("since", ["soon", "2026-99-99T00:00:00Z", "2026-01-17"])
    def test_nonsense_is_ignored(self, bob, quay, since):
        make_reservation(quay)

        assert "since this was printed" not in self.ask(bob, since=since)


class TestSeveralKitchens:
    @pytest.fixture(autouse=True)
    def _nuts(self, quay, loft, harbour):
        for place in (quay, loft, loft):
            guest = make_customer(harbour, allergies_and_intolerances=["nuts"])
            make_reservation(place, customer=guest)

    def test_each_party_names_its_restaurant(self, alice):
        parties = re.findall(r'allergens__party">(.*?)</span>', text_of(look(alice)), re.DOTALL)
        named = [" ".join(party.split()).rpartition(" · ")[2] for party in parties]

        assert sorted(named) == ["Loft", "Loft", "Quay"]

    def test_each_is_a_tap_away_with_how_many_need_care(self, alice, loft):
        response = look(alice)
        found = {place.label: parties for place, parties in response.context["brief"].kitchens}

        assert found == {"Loft": 2, "Quay": 1}
        assert f'href="?day={DAY}&amp;scope={loft.uuid}"' in text_of(response)

    def test_one_alone_needs_neither(self, alice, loft):
        response = look(alice, scope=str(loft.uuid))

        assert response.context["brief"].kitchens == []
        assert "Briefing of one kitchen" not in text_of(response)
