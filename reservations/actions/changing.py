"""The action that changes the time, the size or the team's note of a booking.

`payload` is `{"changes": {…}, "base": {…}}`: what is to change, and what the person saw before.
The booking is fetched just before the change is sent, because every change carries time and size
(the contract requires both): stale ones would revert a colleague's change.
"""

from datetime import datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from lib import coerce
from lib.labels import readable
from lib.text import words_of
from outbox.models import Intent, next_step_of, say, sentence_of
from outbox.registry import Found, Look, Redacted, Settled, only
from outbox.transitions import renew_lease
from partner.errors import Conflict
from partner.payloads.bodies import UNSET, Unset
from reservations.actions import booking
from reservations.service_clock import moment, place_in_time
from reservations.words import STATUS_NOTICES
from restaurants.models import Restaurant

CHANGED_MEANWHILE = "CHANGED_MEANWHILE"
MEANWHILE = _("Changed meanwhile: now %(time)s, %(size)s people. Your change was not sent.")
UNDATED_MEANWHILE = _(
    "Changed meanwhile: now without a date, %(size)s people. Your change was not sent."
)
NOTE_MEANWHILE = _("Changed meanwhile: the note is now “%(note)s”. Yours was not sent.")
KEEP_OR_INSIST = _("Keep theirs, or apply yours again.")
# In place of “Saved”, for a booking that has no table any more.
ENDED_WORDS = {
    "CANCELED": _("Saved, but the booking is cancelled"),
    "REFUSED": _("Saved, but the booking is refused"),
    "NO_SHOW": _("Saved, but the booking is a no-show"),
}


class State(NamedTuple):
    """The three things that can be changed. `meal_date` is the service's own text, or ""."""

    meal_date: str
    party_size: int | None
    restaurant_note: str
    has_no_date: bool = False  # the service sent null

    @property
    def sent_date(self) -> str | None | Unset:
        """The value that leaves the date as it is: an unreadable one is not sent."""
        if moment(self.meal_date):
            return self.meal_date
        return None if self.has_no_date else UNSET

    def differs(self, field: str, value: Any) -> bool:
        """Compare a value with the present one: two forms of one instant are equal."""
        if field == "meal_date":
            return not _is_same_time(moment(self.meal_date), moment(value))
        return bool((getattr(self, field) or "") != (value or ""))

    def lacks(self, field: str, value: Any) -> bool:
        """Whether it is something else, and no note that the service has only reformatted."""
        if field == "restaurant_note":
            return words_of(self.restaurant_note) != words_of(value or "")
        return self.differs(field, value)

    def contradicts(self, field: str, value: Any) -> bool:
        """Whether an answer contradicts a value: a missing time or size does not."""
        is_there = field == "restaurant_note" or bool(getattr(self, field))
        return is_there and self.lacks(field, value)

    def has(self, changes: dict[str, Any]) -> bool:
        return not any(self.lacks(field, wanted) for field, wanted in changes.items())


class ChangedMeanwhile(Conflict):
    """Someone else changed the booking after the person had opened the form. Nothing was sent."""

    def __init__(self, now: State, intent: Intent, *, is_note: bool) -> None:
        super().__init__(code=CHANGED_MEANWHILE)
        before, at = (
            _local(text, intent.restaurant)
            for text in (intent.payload["base"].get("meal_date"), now.meal_date)
        )
        is_other_day = at is not None and (before is None or at.date() != before.date())
        time = at if is_other_day else f"{at:%H:%M}" if at else ""
        text, size = MEANWHILE if at else UNDATED_MEANWHILE, now.party_size or "?"
        self.message = say(text, next_step=KEEP_OR_INSIST, time=time, size=size)
        if is_note:
            self.message = say(NOTE_MEANWHILE, next_step=KEEP_OR_INSIST, note=now.restaurant_note)

    @property
    def sentence(self) -> str:
        return sentence_of(self.message)

    @property
    def next_step(self) -> str:
        return next_step_of(self.message)


def send(client: Any, intent: Intent) -> Any:
    now = read(client, intent)
    changes, base = intent.payload["changes"], intent.payload["base"]
    # A note does not affect time and size: they are sent unchanged, whatever they are now. Nor do
    # they affect the note, which is not sent with them: a newer one stays.
    is_move = bool(changes.keys() - {"restaurant_note"})
    watched = changes.keys() | ({"meal_date", "party_size"} if is_move else set())
    theirs = {field for field in watched & base.keys() if now.differs(field, base[field])}
    # A booking that is already as requested, whoever changed it, is no conflict.
    if theirs and not now.has(changes):
        raise ChangedMeanwhile(now, intent, is_note=theirs == {"restaurant_note"})
    renew_lease(intent)
    return client.update_reservation(
        intent.uuid,
        meal_date=changes.get("meal_date", now.sent_date),
        party_size=changes.get("party_size", now.party_size or UNSET),
        restaurant_note=changes.get("restaurant_note", UNSET),
    )


def redact(payload: dict[str, Any]) -> Redacted:
    """Keep time and size, which identify nobody, unlike a note."""
    kept = ("meal_date", "party_size")
    rest = {part: only(payload.get(part, {}), kept) for part in ("changes", "base")}
    return Redacted(rest, can_be_sent=bool(rest["changes"]))


def look(client: Any, intent: Intent) -> Look:
    """Done when all is as requested, not done when all is as before, else unsure."""
    answer = client.reservation(intent.uuid)
    now, settled = _state_of(answer), settle(intent, answer)
    changes, base = intent.payload["changes"], intent.payload["base"]
    is_exact = not any(now.differs(field, wanted) for field, wanted in changes.items())
    untouched = not any(now.differs(field, base[field]) for field in changes)
    if untouched and not is_exact:
        return Look(Found.NOT_DONE)  # also where only the line breaks of a note were to change
    if now.has(changes):
        return Look(Found.DONE, settled=settled if settled.sentence else None)
    return Look(Found.UNSURE)


def confirms(intent: Intent, answer: Any) -> bool:
    """Whether nothing in the answer contradicts the request."""
    now, changes = _state_of(answer), intent.payload["changes"]
    answered = (
        changes if "restaurantNote" in answer.payload else changes.keys() - {"restaurant_note"}
    )
    return not any(now.contradicts(field, changes[field]) for field in answered)


def settle(_intent: Intent, answer: Any) -> Settled:
    """A change may make a booking a request again, which is not confirmed, or find it ended."""
    status = answer.entity.status
    if status in (None, "", "RECORDED"):
        return Settled()
    if status in ENDED_WORDS:
        return Settled(sentence=STATUS_NOTICES[status].text, params={"status": status})
    sentence = booking.ANSWERS.get(status, booking.OTHER_ANSWER)
    known = status if status in booking.ANSWERS else readable(status)
    return Settled(sentence=sentence, params={"status": known})


def word(intent: Intent) -> str:
    """In place of “Saved”, where the booking is not confirmed."""
    return str(ENDED_WORDS.get(booking.answered_status(intent)) or booking.word(intent))


def _is_same_time(one: datetime | None, other: datetime | None) -> bool:
    if one and other and (one.tzinfo is None or other.tzinfo is None):
        return one.replace(tzinfo=None) == other.replace(tzinfo=None)  # the restaurant's local time
    return one == other


def _local(text: str | None, restaurant: Restaurant) -> datetime | None:
    at = place_in_time(text, restaurant) if text else None
    return restaurant.local(at) if at else None


def read(client: Any, intent: Intent) -> State:
    return _state_of(client.reservation(intent.uuid))


def _state_of(answer: Any) -> State:
    sent = answer.payload.get("mealDate")
    return State(
        meal_date=sent if isinstance(sent, str) else "",
        party_size=answer.entity.party_size,
        restaurant_note=coerce.text(answer.entity.restaurant_note),
        has_no_date=sent is None,
    )
