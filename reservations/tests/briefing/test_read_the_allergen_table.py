"""The kitchen's table: each allergen once, its certainties apart, and what a note calls over."""

import re
from dataclasses import replace

import pytest

from accounts.models import User
from customers.allergies.mentions import findings_in
from customers.note_decisions.decisions import CONFIRMED, digest_in
from customers.note_decisions.models import NoteDecision
from customers.testing import make_customer
from reservations.briefing.acknowledgements import digest_of
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

DAY = "2026-01-17"
OVER = "Nut allergy - resolved"
NO_LONGER = "no longer, a note says: ask"

pytestmark = pytest.mark.django_db


def brief(user):
    return sign_in(user).get("/reservations/brief/", {"day": DAY})


def rows(user):
    """The name, the certainty and the number of parties of each row."""
    table = brief(user).context["brief"].allergens
    return [(row.name, row.label, len(row.parties)) for row in table]


def bodies(user):
    """The part of the table that belongs to one allergen, for each."""
    table = brief(user).content.decode().partition('class="table allergens"')[2]
    return re.findall("<tbody>(.*?)</tbody>", table.partition("</table>")[0], re.DOTALL)


@pytest.fixture
def nuts_in_each_way(quay, harbour):
    guest = make_customer(harbour, allergies_and_intolerances=["Nuts"])
    make_reservation(quay, customer=guest)
    for note in ("Allergic to nuts", "no nuts please", OVER, "Allergic to fish"):
        make_reservation(quay, customer_note=note)


def test_it_works(bob, nuts_in_each_way):
    fish, nuts = bodies(bob)

    assert (fish.count("Fish"), fish.count("<tr")) == (1, 1)
    assert (nuts.count("Nuts"), nuts.count("<tr")) == (1, 4)


def test_no_certainty_is_hidden_or_added_to_another(bob, nuts_in_each_way):
    assert rows(bob) == [
        ("Fish", "in a note", 1),
        ("Nuts", "tagged", 1),
        ("Nuts", "in a note", 1),
        ("Nuts", "perhaps: ask", 1),
        ("Nuts", NO_LONGER, 1),
    ]


def test_the_name_is_read_out_with_every_row_of_its_allergen(bob, nuts_in_each_way):
    fish, nuts = bodies(bob)

    assert re.findall(r'<th scope="rowgroup" rowspan="(\d)">(\w+)</th>', fish + nuts) == [
        ("1", "Fish"),
        ("4", "Nuts"),
    ]
    assert nuts.count('scope="row"') == 4


def test_names_that_differ_by_an_accent_stay_apart(bob, quay, harbour):
    for tags in (["Pâte"], ["Pate"], ["Pâte"]):
        guest = make_customer(harbour, allergies_and_intolerances=tags)
        make_reservation(quay, customer=guest)

    assert sorted(rows(bob)) == [("Pate", "tagged", 1), ("Pâte", "tagged", 2)]
    assert len(bodies(bob)) == 2


class TestOver:
    def test_what_a_note_calls_over_keeps_its_line(self, bob, quay):
        make_reservation(quay, customer_note=OVER)

        assert rows(bob) == [("Nuts", NO_LONGER, 1)]

    def test_it_takes_nothing_from_a_tag(self, bob, quay, harbour):
        guest = make_customer(harbour, allergies_and_intolerances=["Nuts"])
        make_reservation(quay, customer=guest, restaurant_note=OVER)

        assert rows(bob) == [("Nuts", "tagged", 1), ("Nuts", NO_LONGER, 1)]

    def test_it_takes_nothing_from_another_note(self, bob, quay):
        make_reservation(quay, customer_note="Allergic to nuts", restaurant_note=OVER)

        assert rows(bob) == [("Nuts", "in a note", 1), ("Nuts", NO_LONGER, 1)]

    def test_what_is_confirmed_counts_as_stated(self, bob, quay):
        row = make_reservation(quay, customer_note=OVER)
        (hint,) = findings_in(OVER)
        NoteDecision.objects.create(
            about=row.pk,
            is_of_guest=False,
            digest=digest_in(OVER, hint),
            outcome=CONFIRMED,
            decided_by=bob,
            decided_at=DINNER,
        )

        assert rows(bob) == [("Nuts", "in a note", 1)]

    @pytest.mark.parametrize(
        ("language", "words"),
        [
            ("fr", "plus le cas selon une note\N{NO-BREAK SPACE}: demander"),
            ("es", "ya no, según una nota: preguntar"),
        ],
    )
    def test_it_is_read_in_three_languages(self, bob, quay, language, words):
        User.objects.filter(pk=bob.pk).update(language=language)
        make_reservation(quay, customer_note=OVER)

        assert words in "".join(bodies(bob))

    def test_ticks_and_papers_of_before_hold(self, bob, quay):
        """An upgrade would put every such line on top as changed, with nothing new to read."""
        make_reservation(quay, customer_note=OVER)
        (line,) = brief(bob).context["brief"].careful
        (mention,) = line.mentions
        before = [replace(one, is_cancelled=False) for one in mention.findings]

        assert digest_of(line._replace(mentions=[mention._replace(findings=before)])) == line.digest
