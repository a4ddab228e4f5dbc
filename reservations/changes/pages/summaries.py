"""Intents about a booking in words, and what can be done about each."""

from datetime import date, datetime
from typing import NamedTuple

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from lib.dates import date_format
from lib.labels import labelled
from lib.text import as_data
from outbox import registry
from outbox.models import Intent
from outbox.refusals import refused_field
from reservations import actions
from reservations.actions.booking import answered_status, is_other
from reservations.actions.changing import CHANGED_MEANWHILE
from reservations.changes.corrections import correction_url
from reservations.models import Reservation
from reservations.service_clock import place_in_time
from reservations.words import notice_of
from restaurants.models import Restaurant

MOST = 20
State = Intent.State
TONES = {State.DONE: "good", State.REFUSED: "bad", State.ASKS: "warn", State.CHECKING: "warn"}
NO_CAPACITY = {"NO_AVAILABILITY", "PAYMENT_GUARANTEE_NOT_SUPPORTED"}
OVERRIDE_RIGHT = "reservations.override_availability"
CHANGE_RIGHT = "reservations.change_reservation"


class ChangeLine(NamedTuple):
    field: str
    before: str
    after: str


class ChangeSummary:
    """An intent as people read it. No queries of its own."""

    def __init__(self, intent: Intent, *, can_move: bool = True) -> None:
        self.intent = intent
        self.can_move = can_move  # whether its booking may still get another time or size

    @property
    def title(self) -> "str | Promise":
        return registry.get(self.intent.action).title

    @property
    def answered_status(self) -> str:
        """The status in the answer to a new booking, or "" without an answer."""
        if self.intent.action != actions.CREATE or self.intent.state != State.DONE:
            return ""
        answer = as_data(self.intent.answer)
        sent = answer.get("status") if isinstance(answer, dict) else None
        return answered_status(self.intent) or (sent if isinstance(sent, str) else "")

    @property
    def is_other(self) -> bool:
        """Whether the service booked something else than was sent."""
        return is_other(self.intent)

    @property
    def state_word(self) -> str:
        """The outcome. For an answered booking it is the booking's status."""
        if self.answered_status and not self.is_other:
            return str(notice_of(self.answered_status).title)
        return registry.state_word(self.intent)

    @property
    def headline(self) -> str:
        if self.answered_status and not self.is_other:
            return labelled(self.title, self.state_word)
        return registry.headline(self.intent)

    @property
    def tone(self) -> str:
        if self.is_other:
            return "warn"
        if status := self.answered_status or answered_status(self.intent):
            tone = notice_of(status).tone
            # A note is written on purpose on a booking that has no table: it is saved.
            return "warn" if tone == "bad" and self._is_about_note else tone
        return TONES.get(State(self.intent.state), "info")

    @property
    def made_at(self) -> datetime:
        """In the restaurant's local time, like everything else about a booking."""
        return self._as_local_time(self.intent.created_at)

    @property
    def tries_again_at(self) -> datetime | None:
        at = self.intent.tries_again_at
        return self._as_local_time(at) if at else None

    def _as_local_time(self, at: datetime) -> datetime:
        return self.intent.restaurant.local(at).replace(tzinfo=None)

    @property
    def is_news(self) -> bool:
        return self.intent.is_open or self.can_try_again or self.can_apply_again

    @property
    def is_undone(self) -> bool:
        return self.intent.state == State.WITHDRAWN

    @property
    def is_held(self) -> bool:
        return self.intent.state == State.HELD

    @property
    def can_apply_again(self) -> bool:
        """Whether the person may apply the change again after a colleague's."""
        return self.intent.problem == CHANGED_MEANWHILE

    @property
    def can_try_again(self) -> bool:
        return self.intent.state == State.ASKS

    @property
    def can_be_found(self) -> bool:
        """Whether a person may end the question of a new booking that they see in the service."""
        return self.can_try_again and self.intent.action == actions.CREATE

    @property
    def wants_other_times(self) -> bool:
        return self.intent.state == State.REFUSED and self.intent.problem in NO_CAPACITY

    @property
    def offers_other_times(self) -> bool:
        return self.wants_other_times and self.can_move

    @property
    def can_be_acknowledged(self) -> bool:
        """Whether its booking is marked on boards until somebody has taken note of it."""
        is_refusal = self.intent.state == State.REFUSED and bool(self.intent.problem)
        is_of_booking = self.intent.kind == "reservation" and self.intent.uuid is not None
        return is_refusal and is_of_booking and not self.can_apply_again

    @property
    def correction_url(self) -> str:
        """The address of the filled-in form of a change with a refused field, else ""."""
        is_open = self.can_move or refused_field(self.intent) == "restaurant_note"
        return correction_url(self.intent) if is_open else ""

    @property
    def wants_other_bookings(self) -> bool:
        return self.intent.state == State.REFUSED and self.intent.problem == "DOUBLE_BOOKING"

    @property
    def has_actions(self) -> bool:
        """Whether anything can be done about the change, where the reader may do it."""
        is_refusal = self.can_be_acknowledged or self.offers_other_times
        is_refusal |= self.wants_other_bookings
        is_open = self.intent.can_be_withdrawn or self.can_apply_again or self.can_try_again
        return is_open or is_refusal or bool(self.correction_url)

    @property
    def is_note_only(self) -> bool:
        """Whether only a note was refused, for lack of tables: each change sends time and size."""
        return self.wants_other_times and self._is_about_note

    @property
    def _is_about_note(self) -> bool:
        changes: dict[str, object] = self.intent.payload.get("changes", {})
        return changes.keys() == {"restaurant_note"}

    @property
    def summary(self) -> str:
        """One line for the history: “Time: 20:00 → 20:30”."""
        parts = (
            labelled(line.field, f"{line.before} → {line.after}" if line.before else line.after)
            for line in self.lines
        )
        return " · ".join(parts)

    @property
    def lines(self) -> list[ChangeLine]:
        """The requested change: “Time: 20:00 → 20:30”."""
        payload = self.intent.payload
        if self.intent.action == actions.UPDATE:
            return [
                _line(field, payload["base"].get(field), value, self.intent.restaurant)
                for field, value in payload["changes"].items()
            ]
        if self.intent.action == actions.CREATE:
            at = in_words("meal_date", payload["meal_date"], self.intent.restaurant)
            return [
                ChangeLine(_("Time"), "", at),
                ChangeLine(_("Party"), "", str(payload["party_size"])),
            ]
        if self.intent.action == actions.OVERRIDE:
            return [_switch(payload)]
        return []


def change_summaries(reservation: Reservation, *, can_move: bool) -> list[ChangeSummary]:
    """The latest intents about a booking, including the one that made it. One query.

    Those of its own group: the service of another account may have answered with any uuid.
    """
    about = Intent.objects.filter(
        Q(uuid=reservation.uuid) | Q(result_uuid=reservation.uuid),
        kind="reservation",
        restaurant__group__restaurants=reservation.restaurant_id,
    )
    rows = about.select_related("actor", "restaurant").order_by("-created_at", "-pk")[:MOST]
    return [ChangeSummary(intent, can_move=can_move) for intent in rows]


def right_of(intent: Intent) -> str:
    """The right needed to decide about this intent."""
    return OVERRIDE_RIGHT if intent.action == actions.OVERRIDE else CHANGE_RIGHT


def in_words(field: str, value: object, place: Restaurant) -> str:
    """Times as the clock at the restaurant shows them, whatever offset they came in."""
    if field == "meal_date":
        at = place_in_time(str(value or ""), place)
        words = date_format(place.local(at), "D j M Y, H:i") if at else ""
        return words or str(value or _("No date yet"))
    return str(value) if value else _("nothing")


def _line(field: str, before: object, after: object, place: Restaurant) -> ChangeLine:
    words = {"meal_date": _("Time"), "party_size": _("Party"), "restaurant_note": _("Note")}
    values = (in_words(field, value, place) for value in (before, after))
    return ChangeLine(words.get(field, field), *values)


def _switch(payload: dict[str, object]) -> ChangeLine:
    word = _("Open online") if payload["is_open"] else _("Close online")
    last = payload["end_time"] or payload["start_time"]
    day = date_format(date.fromisoformat(str(payload["day"])), "D j M Y")
    return ChangeLine(word, "", f"{day}, {payload['start_time']}–{last}")
