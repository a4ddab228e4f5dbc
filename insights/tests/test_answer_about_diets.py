"""The question of diets: certainties, days ahead, rights."""

from datetime import timedelta

from django.urls import reverse

from insights import digest
from insights.models import Counter
from insights.tests.asking import (
    NOW,
    YESTERDAY,
    at_a_known_time,
    count,
    lines_of,
    number_of,
    show,
)
from reservations.testing import make_reservation
from restaurants.testing import sign_in

__all__ = ["at_a_known_time"]  # a fixture


class TestDiets:
    def test_certainties_are_never_added_up(self, alice, quay):
        for note in ("allergic to nuts", "nut allergy", "no onions please"):
            make_reservation(quay, meal_at=YESTERDAY, customer_note=note)
        count()
        response = show(alice, "diets")
        page = response.content.decode()

        assert number_of(response) == "0"
        assert "of the others 2 said it in a note, 1 perhaps" in page
        assert "Nuts, in a note: 2" in page
        # Tuesday is the day before.
        assert lines_of(alice, "diets")[1:] == [
            "Quay,Nuts,in a note,2,2,0,2,0,0,0,0,0",
            "Quay,Onion,perhaps,1,1,0,1,0,0,0,0,0",
        ]

    def test_it_looks_ahead_to_what_is_booked(self, alice, quay):
        for days in (2, 40):
            at = NOW + timedelta(days=days)
            make_reservation(quay, meal_at=at, customer_note="allergic to nuts")
        count()

        assert "Nuts, in a note: 1" in show(alice, "diets", "?range=next").content.decode()
        last = (NOW + timedelta(days=90)).date()
        own = f"?range=own&since={NOW.date()}&until={last}"
        assert "Nuts, in a note: 2" in show(alice, "diets", own).content.decode()
        assert show(alice, "diets", own).context["answer"].delta is None
        assert show(alice, "fullness", "?range=next").context["params"].last < NOW.date()

    def test_it_says_which_notes_wait_to_be_read_again(self, alice, quay):
        make_reservation(quay, meal_at=YESTERDAY, customer_note="allergic to nuts")
        count()
        assert "being read again" not in show(alice, "diets").content.decode()
        Counter.objects.update(reading_month=YESTERDAY.date().replace(day=1))

        assert "Notes up to June 2026 are being read again" in show(alice, "diets").content.decode()

    def test_it_takes_the_right_to_see_health_data(self, alice, quay, without_right):
        make_reservation(quay, meal_at=YESTERDAY, customer_note="allergic to nuts")
        count()
        without_right("customers.view_health")
        url = reverse("insights:export_csv", args=["diets"])

        assert show(alice, "diets").status_code == 403
        assert sign_in(alice).get(url).status_code == 403
        page = sign_in(alice).get(reverse("insights:index")).content.decode()
        assert "What do our guests not eat?" not in page
        assert "How full were we?" in page

    def test_the_mail_does_not_say_it(self, alice, quay):
        make_reservation(quay, meal_at=YESTERDAY, customer_note="allergic to nuts")
        count()

        assert "not eat" not in digest.write([quay], YESTERDAY.date() - timedelta(days=1), now=NOW)
