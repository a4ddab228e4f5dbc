"""Every refusal that the contract knows: what happened, what did not, and what to do next."""

from datetime import timedelta

import pytest
from django.utils import timezone, translation

from outbox.models import Intent, say, say_error
from partner.errors import Conflict, MissingScope, NotFound, NotOurs, Refused
from partner.wording import words
from reservations import actions
from reservations.testing import make_intent, make_reservation
from restaurants.testing import sign_in

pytestmark = pytest.mark.django_db
State = Intent.State
CODES = [
    (Refused, "NO_AVAILABILITY"),
    (Refused, "PAYMENT_GUARANTEE_NOT_SUPPORTED"),
    (Refused, "CANCELLATION_ERROR"),
    (Refused, "RESTAURANT_GROUP_NOT_READY"),
    (Refused, "INVALID_MEAL_DATE"),
    (Refused, "INVALID_CUSTOMER_EMAIL"),
    (Refused, ""),
    (NotFound, "RESERVATION_NOT_FOUND"),
    (NotFound, "RESTAURANT_NOT_FOUND"),
    (NotFound, "Restaurant not found"),
    (NotOurs, ""),
    (MissingScope, ""),
    (Conflict, "DOUBLE_BOOKING"),
    (Conflict, ""),
]


@pytest.mark.parametrize(("kind", "code"), CODES)
def test_every_refusal_says_what_did_not_happen_and_what_is_next(kind, code):
    answer = say_error(kind(code=code, method="PATCH", path="/v1/x", status=400))
    intent = Intent(message=answer)

    assert intent.sentence.endswith("Nothing was changed.")
    assert intent.next_step


def test_a_sentence_has_the_language_of_its_reader(monkeypatch):
    kept = Intent(message=say(words.NOTHING_CHANGED))
    with translation.override("fr"):
        french = str(translation.gettext("Nothing was changed."))

        assert kept.sentence == french


def test_what_is_kept_is_never_translated():
    with translation.override("fr"):
        assert say(words.NOTHING_CHANGED)["text"] == "Nothing was changed."


class TestPage:
    def page(self, user, row, **fields):
        make_intent(row.restaurant, uuid=row.uuid, state=State.REFUSED, **fields)
        return sign_in(user).get(row.get_absolute_url()).content.decode()

    def test_no_table_leads_to_other_times(self, bob, quay):
        row = make_reservation(quay, meal_at=timezone.now() + timedelta(days=1))
        answer = say_error(Refused(code="NO_AVAILABILITY", method="PATCH"))
        payload = {"changes": {"party_size": 9}, "base": {"party_size": 2}}
        fields = {"action": actions.UPDATE, "payload": payload, "problem": "NO_AVAILABILITY"}
        page = self.page(bob, row, message=answer, **fields)

        assert "There is no room for this booking. Nothing was changed." in page
        assert "Other times" in page

    def test_a_note_refused_for_lack_of_tables_is_explained(self, bob, quay):
        row = make_reservation(quay)
        payload = {"changes": {"restaurant_note": "x"}, "base": {"restaurant_note": ""}}
        fields = {"action": actions.UPDATE, "payload": payload, "problem": "NO_AVAILABILITY"}

        assert "The note was not saved" in self.page(bob, row, **fields)

    def test_the_history_names_who_did_what(self, bob, quay):
        row = make_reservation(quay)
        payload = {"changes": {"party_size": 4}, "base": {"party_size": 2}}
        known = {"uuid": row.uuid, "actor": bob, "state": State.DONE}
        make_intent(quay, action=actions.UPDATE, payload=payload, **known)
        page = self.page(bob, row)

        assert "1 earlier change sent from here" in page
        assert "Party: 2 → 4" in page
        assert "Bob" in page

    def test_a_refusal_stays_first_when_a_later_change_was_undone(self, bob, quay):
        row = make_reservation(quay)
        make_intent(quay, uuid=row.uuid, state=State.WITHDRAWN, created_at=timezone.now())
        page = self.page(bob, row)

        assert "Undone, nothing was sent" in page
        assert "Refused" in page
        assert "earlier change" not in page
