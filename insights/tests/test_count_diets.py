"""What guests do not eat: counted from tags and notes, by certainty, and numbers only."""

from datetime import UTC, date, datetime, timedelta

import pytest

from customers.allergies import version
from customers.allergies.mentions import Source, mentions_in
from customers.models import Customer
from customers.note_decisions.deciding import DecisionSubject, decide
from customers.privacy import erasure
from customers.testing import make_customer
from insights.models import Counter, CountRow, DietaryCount, Mark
from insights.sums import recount, rereading
from mirror.kinds import Stored
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

NOW = datetime(2026, 2, 20, 12, tzinfo=UTC)
SATURDAY = date(2026, 1, 17)


def counted(restaurant, span=CountRow.DAY):
    """(code, certainty) → (parties, people)."""
    recount.rebuild(restaurant, now=NOW)
    rows = DietaryCount.objects.filter(restaurant=restaurant, span=span)
    return {(one.code, one.certainty): (one.parties, one.people) for one in rows}


def all_counts():
    names = ("restaurant", "span", "start", "service", "code", "certainty", "weekday")
    return sorted(DietaryCount.objects.values_list(*names, "parties", "people"))


def fail_after(months):
    left = iter(range(months))

    def count_needs(restaurant, month):
        if next(left, None) is None:
            raise RuntimeError("the lights went out")
        recount.count_needs(restaurant, month)

    return count_needs


def test_it_works(quay, harbour):
    guest = make_customer(harbour, allergies_and_intolerances=["Peanuts"])
    make_reservation(quay, customer=guest, customer_note="2 vegans. No onions please")
    make_reservation(quay, restaurant_note="allergic to peanuts", party_size=4)

    assert counted(quay) == {
        ("peanuts", "tagged"): (1, 1),
        ("peanuts", "stated"): (1, 1),
        ("vegan", "stated"): (1, 2),
        ("onion", "maybe"): (1, 1),
        ("", "tagged"): (1, 2),
        ("", "stated"): (1, 1),
    }


def test_an_erased_guest_is_counted_no_longer(quay, harbour):
    """The briefing has no allergy any more, and nobody is to buy for one by the prep sheet."""
    guest = make_customer(harbour, allergies_and_intolerances=["Peanuts"])
    make_reservation(quay, customer=guest)
    assert ("peanuts", "tagged") in counted(quay)

    erasure.erase(guest, actor=None, now=NOW)
    recount.count_marked(now=NOW)

    assert not DietaryCount.objects.exists()


def test_months_keep_their_weekdays_apart(quay):
    for days in (0, 1, 7):
        make_reservation(quay, customer_note="vegan", meal_at=DINNER + timedelta(days=days))
    recount.rebuild(quay, now=NOW)

    months = DietaryCount.objects.filter(span=CountRow.MONTH, code="vegan")
    assert sorted(months.values_list("weekday", "parties")) == [(5, 2), (6, 1)]


def test_a_party_counts_once_under_its_surest_certainty(quay, harbour):
    guest = make_customer(harbour, dietary_restrictions=["Vegan"], notes="She is vegan")
    make_reservation(quay, customer=guest, customer_note="do you have vegan dishes?")

    assert counted(quay)["vegan", "tagged"] == (1, 1)
    assert ("vegan", "stated") not in counted(quay)


def test_confirmed_counts_as_stated_and_dismissed_not_at_all(quay, harbour, bob):
    guest = make_customer(harbour)
    row = make_reservation(quay, customer=guest, customer_note="no onions please")
    [hint] = mentions_in([Source("", row.customer_note)])
    booking = DecisionSubject(row.pk, harbour, is_of_guest=False)
    whole_guest = DecisionSubject(guest.pk, harbour, is_of_guest=True)

    decide(whole_guest, hint.digests[0], "d", user=bob)
    assert counted(quay) == {}

    Mark.objects.all().delete()
    decide(booking, hint.digests[0], "c", user=bob)
    assert counted(quay)["onion", "stated"] == (1, 1)
    assert Mark.objects.filter(restaurant=quay, day=SATURDAY).exists()


def test_favourites_are_not_what_nobody_eats(quay, harbour):
    guest = make_customer(harbour, fav_food="nuts")
    make_reservation(quay, customer=guest)

    assert counted(quay) == {}


def test_own_fields_are_read_with_their_labels(quay, harbour):
    field = {"label": "Allergies", "value": "nuts"}
    make_reservation(quay, custom_fields=[field])
    make_reservation(quay, customer=make_customer(harbour, custom_fields=[field]))

    assert counted(quay)["nuts", "stated"] == (2, 2)


def test_the_internal_note_is_read(bob, quay, harbour):
    guest = make_customer(harbour)
    make_reservation(quay, customer=guest)
    assert counted(quay) == {}

    sign_in(bob).post(f"/customers/{guest.pk}/house-note/", {"text": "Allergic to nuts"})

    assert Mark.objects.filter(restaurant=quay).exists()
    assert counted(quay)["nuts", "stated"] == (1, 1)


def test_tags_of_the_groups_own_making_are_read(quay, harbour):
    make_reservation(quay, customer=make_customer(harbour, other_tags=["Regular", "Nut allergy"]))

    assert counted(quay)["nuts", "stated"] == (1, 1)


@pytest.mark.parametrize("status", ["CANCELED", "NO_SHOW", "REFUSED", "REQUESTED"])
def test_only_who_came_or_is_expected_counts(quay, status):
    make_reservation(quay, status=status, customer_note="allergic to nuts")

    assert counted(quay) == {}


def test_nobody_counts_for_more_people_than_the_party_has(quay):
    make_reservation(quay, party_size=2, customer_note="12 vegans")

    assert counted(quay)["vegan", "stated"] == (1, 2)


def test_a_tag_of_the_groups_own_making_leaves_its_words_behind(quay, harbour):
    guest = make_customer(harbour, allergies_and_intolerances=["Ask Maria Rossi"])
    make_reservation(quay, customer=guest)

    assert counted(quay)["other", "tagged"] == (1, 1)


def test_an_erased_guest_leaves_numbers_only(quay, harbour):
    guest = make_customer(harbour, notes="Maria is allergic to nuts, 0612345678")
    make_reservation(quay, customer=guest)
    recount.rebuild(quay, now=NOW)
    erasure.erase(guest, actor=None, now=NOW)

    rows = list(DietaryCount.objects.values_list())
    assert rows
    assert not any(word in str(rows) for word in ("Maria", "Rossi", "0612", str(guest.pk)))
    assert counted(quay) == {}


class TestOfChangedGuests:
    def marked(self, before, after):
        recount.mark_guests([Stored(before, after)])
        return list(Mark.objects.values_list("day", flat=True))

    def test_a_new_note_marks_the_days_of_the_guest(self, quay, harbour):
        guest = make_customer(harbour, notes="allergic to nuts")
        make_reservation(quay, customer=guest)

        assert self.marked(Customer(pk=guest.pk), guest) == [SATURDAY]

    def test_a_guest_who_is_read_after_the_booking_marks_its_day(self, quay, harbour):
        guest = make_customer(harbour, allergies_and_intolerances=["Nuts"])
        make_reservation(quay, customer=guest)

        assert self.marked(None, guest) == [SATURDAY]

    def test_a_new_name_marks_nothing(self, quay, harbour, django_assert_num_queries):
        guest = make_customer(harbour, notes="allergic to nuts", first_name="Mia")
        before = Customer(pk=guest.pk, notes=guest.notes)
        make_reservation(quay, customer=guest)

        with django_assert_num_queries(0):
            recount.mark_guests([Stored(before, guest)])
        assert not Mark.objects.exists()


class TestOtherWordLists:
    def test_all_months_are_read_again(self, quay):
        for days in (0, 40):
            at = DINNER + timedelta(days=days)
            make_reservation(quay, customer_note="allergic to nuts", meal_at=at)
        assert rereading.read_outdated(now=NOW) == 2

        nuts = DietaryCount.objects.filter(code="nuts")
        assert nuts.filter(span=CountRow.DAY).count() == 2
        assert nuts.filter(span=CountRow.MONTH).count() == 2
        assert rereading.read_outdated(now=NOW + timedelta(days=1)) == 0

    def test_it_finds_what_a_full_count_finds(self, quay, loft):
        notes = ("allergic to nuts", "2 vegans", "no onions please", "window table", "coeliac")
        for number, note in enumerate(notes * 8):
            at = DINNER + timedelta(days=number * 3, hours=-7 * (number % 2))
            make_reservation((quay, loft)[number % 2], customer_note=note, meal_at=at)
        rereading.read_outdated(now=NOW)
        found = all_counts()
        DietaryCount.objects.all().delete()
        for one in (quay, loft):
            recount.rebuild(one, now=NOW)

        assert found == all_counts()
        assert len(found) > 50

    def test_after_a_count_of_everything_nothing_is_read(self, quay, loft, cellar):
        make_reservation(quay, customer_note="allergic to nuts")
        for one in (quay, loft, cellar):
            recount.rebuild(one, now=NOW)

        assert rereading.read_outdated(now=NOW) == 0

    def test_a_stop_half_way_goes_on_where_it_was(self, quay, monkeypatch):
        for month in range(4):
            at = DINNER + timedelta(days=31 * month)
            make_reservation(quay, customer_note="allergic to nuts", meal_at=at)
        monkeypatch.setattr(rereading, "count_needs", fail_after(2))
        with pytest.raises(RuntimeError):
            rereading.read_outdated(now=NOW)
        assert rereading.month_waiting([quay.pk]) == date(2026, 2, 1)
        monkeypatch.undo()

        assert rereading.read_outdated(now=NOW) == 2
        assert rereading.month_waiting([quay.pk]) is None
        assert DietaryCount.objects.filter(code="nuts", span=CountRow.DAY).count() == 4

    def test_counts_without_bookings_go(self, quay):
        row = make_reservation(quay, customer_note="allergic to nuts")
        rereading.read_outdated(now=NOW)
        row.delete()
        Counter.objects.update(reading_version="of before", reading_changed_at=None)
        rereading.read_outdated(now=NOW)

        assert all_counts() == []

    def test_old_and_new_processes_do_not_undo_each_other(self, quay):
        make_reservation(quay)
        rereading.read_outdated(now=NOW)
        Counter.objects.update(reading_version="of the old")

        assert rereading.read_outdated(now=NOW + timedelta(minutes=5)) == 0
        assert rereading.read_outdated(now=NOW + timedelta(minutes=11)) == 1

    def test_every_word_belongs_to_the_version(self, tmp_path, monkeypatch):
        monkeypatch.setattr(version, "FOLDER", tmp_path)
        (tmp_path / "words").mkdir()
        words = tmp_path / "words" / "en.toml"
        found = set()
        for line in ("nuts = 'nut'", "nuts = 'nut, nuts'"):
            words.write_text(line)
            found.add(version.reading_version.__wrapped__())

        assert len(found) == 2
