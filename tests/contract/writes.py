"""Every write that leaves the product: what it is about, how it is submitted, what it has done."""

from datetime import timedelta
from itertools import count
from typing import Any
from uuid import UUID, uuid4

from outbox import engine
from outbox.models import Intent
from partner import factory
from partner.payloads.bodies import NewCustomer
from phone import actions as calls
from phone.testing import make_call
from reservations import actions
from reviews import actions as replies

NUMBERS = count(1)
GUEST: dict[str, Any] = {
    "first_name": "Jo",
    "last_name": "Martin",
    "locale": "fr_FR",
    "civility": "mx",
}


class Case:
    """One write: how it is submitted, and how often the service has carried it out.

    A class for every action; its place is `ACTIONS` below.
    """

    action = ""
    endpoint = ""
    is_readable = True  # False: `look` never answers DONE, since the service shows no trace
    repeats = True  # False: `look` answers UNSURE, and only a person has it sent again

    def __init__(self, sandbox, place):
        self.sandbox = sandbox
        self.place = place
        self.api = factory.client()
        self.number = next(NUMBERS)
        self.prepare()
        self.intent = self.submit()

    def prepare(self):
        """Make what the write is about."""

    def submit(self):
        raise NotImplementedError

    def effects(self):
        raise NotImplementedError

    @property
    def day(self):
        """A day of this test's own, in the world's empty future."""
        return self.sandbox.today + timedelta(days=20 + self.number)

    def submit_intent(self, *, kind, uuid, **payload):
        about = {"kind": kind, "uuid": uuid, "restaurant": self.place, "payload": payload}
        return engine.submit(self.action, key=uuid4(), actor=None, **about)

    def free_slot(self):
        slots = self.api.timeslots(self.place.uuid, day=self.day, party_size=3).entity
        return str(next(one.datetime for one in slots if not one.guarantee_for(3)))

    def count(self, query, *values):
        return int(str(self.sandbox.rows(query, *values)[0][0]))


class Create(Case):
    action = actions.CREATE
    endpoint = "create_reservation"
    repeats = False

    def submit(self):
        self.email = f"guest{self.number}@example.com"
        payload = {"meal_date": self.free_slot(), "party_size": 2}
        customer = GUEST | {"email": self.email}
        return self.submit_intent(kind="reservation", uuid=None, customer=customer, **payload)

    def effects(self):
        return self.count(
            "SELECT COUNT(*) FROM reservation JOIN customer ON customer.id=customer_id"
            " WHERE email=?",
            self.email,
        )


class CreateTwice(Create):
    """The same guest was booked and cancelled a moment before: that is not the new booking."""

    def prepare(self):
        self.email = f"guest{self.number}@example.com"
        guest = NewCustomer(**GUEST | {"email": self.email})
        booked = self.api.create_reservation(
            self.place.uuid, meal_date=self.free_slot(), party_size=2, customer=guest
        )
        self.api.cancel_reservation(booked.entity.reservation_uuid or "")

    def effects(self):
        return super().effects() - 1


class OfBooking(Case):
    """A booking of this test's own stands."""

    def prepare(self):
        self.slot = self.free_slot()
        guest = NewCustomer(**GUEST | {"email": f"guest{self.number}@example.com"})
        booked = self.api.create_reservation(
            self.place.uuid, meal_date=self.slot, party_size=2, customer=guest
        )
        self.uuid: Any = booked.entity.reservation_uuid

    def has(self, condition: str):
        where = f"uuid=? AND {condition}"
        return self.count(f"SELECT COUNT(*) FROM reservation WHERE {where}", self.uuid.bytes)


class Resize(OfBooking):
    action = actions.UPDATE
    endpoint = "update_reservation"

    def submit(self):
        base = {"meal_date": self.slot, "party_size": 2, "restaurant_note": ""}
        about = {"kind": "reservation", "uuid": self.uuid}
        return self.submit_intent(changes={"party_size": 3}, base=base, **about)

    def effects(self):
        return self.has("party_size=3")


class Note(OfBooking):
    action = actions.UPDATE
    endpoint = "update_reservation"

    def submit(self):
        changes, base = {"restaurant_note": "By the\nwindow"}, {"restaurant_note": ""}
        about = {"kind": "reservation", "uuid": self.uuid}
        return self.submit_intent(changes=changes, base=base, **about)

    def effects(self):
        return self.has("body LIKE '%window%'")


class Cancel(OfBooking):
    action = actions.CANCEL
    endpoint = "cancel_reservation"

    def submit(self):
        return self.submit_intent(kind="reservation", uuid=self.uuid)

    def effects(self):
        return self.has("status='CANCELED'")


class Close(Case):
    action = actions.OVERRIDE
    endpoint = "override_availability"
    is_readable = False
    is_open = False

    def submit(self):
        payload = {"day": self.day.isoformat(), "is_open": self.is_open}
        about = {"kind": "availability", "uuid": self.place.uuid}
        return self.submit_intent(start_time="19:00", end_time="21:00", **payload, **about)

    def effects(self):
        """Switches are added up over there: the same one twice is the same as once."""
        last = self.sandbox.rows(
            "SELECT is_open FROM override WHERE day=? ORDER BY id DESC LIMIT 1",
            self.day.isoformat(),
        )
        return int(last == [(int(self.is_open),)])


class CloseAgain(Close):
    """Nothing is on sale: it was closed, opened and sold out, and looks closed all the same."""

    def prepare(self):
        times = {"start_time": "12:00", "end_time": "23:00"}
        self.api.override_availability(self.place.uuid, day=self.day, is_open=False, **times)
        self.api.override_availability(
            self.place.uuid, day=self.day, is_open=True, start_time="12:00"
        )


class Open(Close):
    """One time of the range has no outcome, so something is on sale before it is opened."""

    is_open = True

    def prepare(self):
        self.api.override_availability(
            self.place.uuid, day=self.day, is_open=False, start_time="19:30", end_time="21:00"
        )


class Reply(Case):
    action = replies.REPLY
    endpoint = "reply_to_review"

    def prepare(self):
        """There are few reviews that can be answered: each serves again, without its reply."""
        self.sandbox.change(
            "UPDATE review SET reply_status=NULL, body=json_remove(body, '$.reply')"
        )

    def submit(self):
        where = "comment_status='PUBLISHED' AND is_valid=1 AND restaurant_id=1"
        [(uuid,)] = self.sandbox.rows(f"SELECT uuid FROM review WHERE {where} LIMIT 1")
        assert isinstance(uuid, bytes)
        self.uuid = UUID(bytes=uuid)
        self.text = f"Thank you, guest {self.number}."
        texts = {"content": self.text, "before": "", "comment": ""}
        return self.submit_intent(kind="review", uuid=self.uuid, language="en", **texts)

    def effects(self):
        where = "uuid=? AND reply_status IS NOT NULL AND body LIKE ?"
        text = f"%{self.text}%"
        return self.count(f"SELECT COUNT(*) FROM review WHERE {where}", self.uuid.bytes, text)


class ReplySameAgain(Reply):
    """The same text stands there already, withdrawn: that it stands there proves nothing."""

    is_readable = False

    def submit(self):
        intent = super().submit()
        self.api.reply_to_review(self.uuid, content=self.text, language=None)
        Intent.objects.filter(pk=intent.pk).update(payload=intent.payload | {"before": self.text})
        intent.refresh_from_db()
        return intent

    def effects(self):
        """The language is what tells the two sendings apart."""
        where = "uuid=? AND json_extract(body, '$.reply.language')='en'"
        return self.count(f"SELECT COUNT(*) FROM review WHERE {where}", self.uuid.bytes)


class ReportCall(Case):
    action = calls.REPORT_CALL
    endpoint = "record_call"
    is_readable = False

    def submit(self):
        self.call = make_call(self.place)
        return self.submit_intent(kind="call", uuid=self.call.uuid, status="incoming")

    def effects(self):
        return self.count("SELECT COUNT(*) FROM call_record WHERE call_id=?", str(self.call.uuid))


class ReportMilestone(Case):
    action = calls.REPORT_MILESTONE
    endpoint = "report_milestone"
    is_readable = False

    def prepare(self):
        self.before = self.count("SELECT COALESCE(MAX(id), 0) FROM milestone")

    def submit(self):
        about = {"kind": "milestone", "uuid": self.place.uuid}
        return self.submit_intent(status="LeadReceived", **about)

    def effects(self):
        """A milestone is reached or not: the same one twice is the same as once."""
        where = "id>? AND status='LeadReceived'"
        return self.count(
            f"SELECT COUNT(DISTINCT status) FROM milestone WHERE {where}", self.before
        )


ACTIONS = [Create, Resize, Cancel, Close, Open, Reply, ReportCall, ReportMilestone]
# What looks like the effect before anything was sent.
PITFALLS = [CreateTwice, Note, CloseAgain, ReplySameAgain]
