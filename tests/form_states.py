"""Objects in every state that a page can show, for the walk over all forms.

Keys are those of `tests/url_examples.py`; a word that is missing here has one object there.
"""

from datetime import date, timedelta
from itertools import cycle
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from django.utils import timezone

from customers.models import Customer, DuplicateScore, PurgeQuestion
from customers.testing import make_customer
from customers.testing import make_saved_view as make_saved_list
from mirror.models import Job, Mirrored, SyncRequest
from outbox.models import Intent
from partner.testing import FakeTransport, pos_identity, speak_through
from phone.models import Call
from phone.testing import make_call, make_system
from pos.models import Logo
from pos.testing import make_logo
from reservations import actions
from reservations.actions.changing import CHANGED_MEANWHILE
from reservations.models import Feed, Reservation
from reservations.testing import DINNER, LONG_AGO, make_host_mark, make_intent, make_reservation
from restaurants.testing import Cast, make_invitation, make_member, make_user
from reviews.actions import REPLY
from reviews.inbox.placement import place_reviews
from reviews.models import PUBLICATION_STATUSES, Review, ReviewAlert, Stage, Work
from reviews.testing import make_comment, make_review, make_saved_reply, make_saved_view
from webhooks.models import Delivery
from webhooks.testing import delivery

State = Intent.State
Objects = dict[str, list[Any]]
STATUSES = ("RECORDED", "REQUESTED", "CANCELED", "REFUSED", "NO_SHOW")
REFUSALS = (CHANGED_MEANWHILE, "NO_AVAILABILITY", "DOUBLE_BOOKING", "INVALID_PARTY_SIZE")
TIME = "2026-01-17T20:00:00+01:00"
CHANGE = {
    "changes": {"party_size": 5},
    "base": {"party_size": 2, "meal_date": TIME, "restaurant_note": ""},
}
BOOKING = {
    "meal_date": TIME,
    "party_size": 4,
    "customer": {
        "email": "jo@example.org",
        "first_name": "Jo",
        "last_name": "Martin",
        "locale": "fr_FR",
        "civility": "mx",
    },
    "offer_uuid": None,
    "without_slot": False,
    "customer_note": "",
    "restaurant_note": "",
}
SWITCH = {"day": "2026-01-17", "start_time": "19:00", "end_time": "21:30", "is_open": False}


def service() -> FakeTransport:
    """A transport that answers all calls of the pages, and a bookable time."""
    slot: dict[str, Any] = {
        "datetime": TIME,
        "offers": None,
        "hasNormalStock": True,
        "hasPaymentGuaranteeRequirement": False,
        "guaranteeRequirementList": [],
    }
    return FakeTransport(
        list_party_sizes=(200, [2, 4]),
        list_availabilities=(200, [{"date": "2026-01-17", "hasNormalStock": True}]),
        list_timeslots=(200, [slot]),
        list_offers=(200, []),
        find_customer_by_phone=200,
        get_customer=200,
        get_reservation=200,
        list_customers=200,
        list_reservations=200,
        list_reviews=200,
        get_review=200,
        upload_logo=200,
        token="another-token",
    )


def connect() -> None:
    """Set up everything that an admin can set up, each with an old address beside the new one."""
    speak_through(service(), previous_expires_at=timezone.now() + timedelta(days=1))
    pos_identity()
    make_system().rotate(now=timezone.now())


def in_use(cast: Cast) -> Objects:
    """A group in the middle of a service, with objects in every state."""
    Feed.make(cast.quay, by=cast.alice, now=timezone.now())
    bookings, reviews = bookings_of(cast), reviews_of(cast)
    return {
        "reservations:show.uuid": [one.uuid for one in bookings],
        "reservations.uuid": [one.uuid for one in bookings[: len(STATUSES) + 2]],
        "reservations.key": [one.key for one in intents_of(cast)],
        "reviews:show.uuid": [one.uuid for one in reviews],
        "reviews.uuid": [one.uuid for one in reviews[:2]],
        "customers.uuid": guests_of(cast),
        "phone.uuid": calls_of(cast),
        "mirror.pk": jobs_and_requests_of(cast),
        "webhooks.pk": deliveries(),
        "pos.pk": [make_logo(state=state).pk for state in Logo.State],
        "people.pk": people_of(cast),
        "insights.slug": ["fullness"],
        "reviews:edit_reply.pk": [make_saved_reply(cast.harbour).pk],
        "reviews:delete_view.pk": [make_saved_view(one).pk for one in (cast.alice, cast.dora)],
        "customers:edit_view.uuid": [make_saved_list(one).uuid for one in (cast.bob, cast.dora)],
        "paths": paths_of(cast, bookings[0]),
    }


def paths_of(cast: Cast, booking: Reservation) -> list[str]:
    """Addresses with words that no link holds: chosen by hand, or typed into a form of a search."""
    scope = f"scope={cast.quay.uuid}"
    chosen = f"day=2026-01-17&size=4&slot={quote(TIME)}"
    return [
        f"/reservations/new/?{scope}",
        f"/reservations/new/?{scope}&{chosen}",
        f"/reservations/{booking.uuid}/change/?{chosen}",
        f"/reservations/availability/?{scope}&day=2026-01-17&start=19:00&end=21:30",
        f"/reservations/brief/?{scope}&day=2026-01-17",
        f"/customers/?q={quote('+33199007777')}",
        "/reviews/?low=1",
        "/reviews/?who=me",
    ]


def bookings_of(cast: Cast) -> list[Reservation]:
    """Bookings of every status, deleted, past; and one for every state of its latest change."""
    phone = {"phone": "+33199001234", "phone_e164": "+33199001234"}
    guest = make_customer(cast.harbour, email="jo@example.org", **phone)
    known = {"customer": guest, "meal_date_text": TIME}
    rows = [make_reservation(cast.quay, status=status, **known) for status in STATUSES]
    rows.append(make_reservation(cast.quay, customer_note="Allergic to nuts", **known))
    make_host_mark(rows[-1])
    rows.append(make_reservation(cast.quay, presence=Mirrored.Presence.GONE, **known))
    rows.append(make_reservation(cast.quay, meal_at=DINNER - timedelta(days=1), **known))
    for state in State:
        rows.append(make_reservation(cast.quay, **known))
        make_intent(cast.quay, uuid=rows[-1].uuid, state=state, **sent_or_not(state))
    for problem in REFUSALS:
        rows.append(make_reservation(cast.quay, **known))
        change = {"action": actions.UPDATE, "payload": CHANGE, "problem": problem}
        make_intent(cast.quay, uuid=rows[-1].uuid, state=State.REFUSED, **change)
    return rows


def sent_or_not(state: Intent.State) -> dict[str, Any]:
    sent = {} if state in (State.HELD, State.WAITING) else {"sent_at": LONG_AGO}
    return sent | {"message": {"text": "Confirmed.", "params": {}, "next": ""}}


def intents_of(cast: Cast) -> list[Intent]:
    """Intents in every state, of every action that can need a decision, with every refusal."""
    uuid = make_reservation(cast.quay).uuid
    about: dict[str, dict[str, Any]] = {
        actions.CREATE: {"payload": BOOKING, "uuid": None},
        actions.CANCEL: {"uuid": uuid},
        actions.UPDATE: {"payload": CHANGE, "uuid": uuid},
        actions.OVERRIDE: {"payload": SWITCH, "kind": "availability", "uuid": cast.quay.uuid},
    }
    made = [
        make_intent(
            cast.quay,
            action=actions.CREATE,
            state=state,
            **about[actions.CREATE],
            **sent_or_not(state),
        )
        for state in State
    ]
    asks = [
        make_intent(cast.quay, action=action, state=State.ASKS, **fields)
        for action, fields in about.items()
    ]
    refused = [
        make_intent(cast.quay, action=action, state=State.REFUSED, problem=problem, **about[action])
        for action, problem in zip(cycle((actions.UPDATE, actions.CREATE)), REFUSALS, strict=False)
    ]
    return made + asks + refused


def reviews_of(cast: Cast) -> list[Review]:
    """Every state of a comment and of a reply, every stage of an answer, every end of a sending."""
    rows = [make_review(cast.quay)]
    rows += [make_comment(cast.quay, comment_status=status) for status in PUBLICATION_STATUSES]
    rows += [
        make_comment(cast.quay, reply="Thank you.", reply_status=status)
        for status in PUBLICATION_STATUSES
    ]
    for stage in Stage:
        rows.append(make_comment(cast.quay))
        work_on(rows[-1], stage=stage, draft="Dear Jo, thank you.", drafted_by=cast.bob)
    for state, person in zip(State, cycle((cast.alice, cast.bob, None)), strict=False):
        rows.append(make_comment(cast.quay))
        intent = reply_intent(rows[-1], state)
        stage = Stage.SENDING if intent.is_open else Stage.DRAFT
        sentence = "" if intent.is_open else "It was not sent."
        work_on(rows[-1], intent_key=intent.key, stage=stage, assignee=person, sentence=sentence)
    rows.append(make_comment(cast.quay))
    work_on(rows[-1], archived_at=timezone.now(), queue="archived")
    ReviewAlert.objects.bulk_create(
        ReviewAlert(user=person, review=rows[0], at=timezone.now(), in_app=True, by_mail=False)
        for person in (cast.alice, cast.bob, cast.dora)
    )
    return rows


def work_on(review: Review, **fields: Any) -> None:
    Work.objects.filter(pk=review.pk).update(**fields)
    if "queue" not in fields:
        place_reviews([review], timezone.now())


def reply_intent(review: Review, state: Intent.State) -> Intent:
    payload = {"content": "Thank you.", "language": "en", "before": "", "comment": ""}
    about = {"action": REPLY, "kind": "review", "uuid": review.pk, "payload": payload}
    return make_intent(review.restaurant, state=state, **about, **sent_or_not(state))


def guests_of(cast: Cast) -> list[Any]:
    """Two possible duplicates, a guest deleted at the service, an erased guest."""
    one, other = sorted(
        (make_customer(cast.harbour, phone="+33199001235") for _n in range(2)),
        key=lambda guest: guest.uuid,
    )
    DuplicateScore.objects.create(
        one=one.uuid,
        other=other.uuid,
        group=cast.harbour,
        score=90,
        signs=["phone"],
        found_at=timezone.now(),
    )
    PurgeQuestion.objects.create(raised_at=timezone.now(), count=60)
    rows = [one, make_customer(cast.harbour, presence=Mirrored.Presence.GONE)]
    rows.append(make_customer(cast.harbour))
    Customer.objects.filter(pk=rows[-1].pk).update(presence=Mirrored.Presence.ERASED)
    return [guest.uuid for guest in rows]


def calls_of(cast: Cast) -> list[Any]:
    """It rings, somebody talks, it was missed, it ended; the service knows the caller or not."""
    now = timezone.now()
    moments: list[dict[str, Any]] = [
        {},
        {"answered_at": now},
        {"missed_at": now},
        {"ended_at": now},
        {"number": "", "caller_id": ""},
        {"number": "+33199004321", "caller_id": "0199004321"},
        *({"service": word} for word in Call.Service.values),
    ]
    return [make_call(cast.quay, began_at=now, **fields).uuid for fields in moments]


def jobs_and_requests_of(cast: Cast) -> list[int]:
    day = date(2026, 1, 1)
    times = {"since": day, "until": day, "started_at": timezone.now()}
    jobs = [
        Job.objects.create(purpose=Job.Purpose.BACKFILL, state=state, **times)
        for state in Job.State
    ]
    at = {"requested_at": timezone.now(), "not_before": timezone.now()}
    for state in SyncRequest.State:
        SyncRequest.objects.create(kind="reservation", uuid=uuid4(), state=state, **at)
    return [job.pk for job in jobs]


def deliveries() -> list[int]:
    made = [delivery(uuid4().bytes, state=state) for state in Delivery.State]
    return [one.pk for one in made]


def people_of(cast: Cast) -> list[int]:
    """The user, a colleague, a deactivated and an invited person, one of another group."""
    left = make_user("left@example.org", is_active=False)
    invited = make_user("invited@example.org")
    for person in (left, invited):
        make_member(person, cast.quay)
    for email in (cast.dora.email, "fay2@example.org"):
        make_invitation(email, cast.quay, cast.dora)
    return [one.pk for one in (cast.dora, cast.bob, left, invited, cast.charlie)]
