"""No text of an erased guest stays in a copy, whatever columns and fields are added later."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.apps import apps
from django.db import models

from customers.privacy import erasure
from customers.testing import make_customer
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.queue import sync_requests
from outbox import registry, transitions
from outbox.models import Intent
from partner.testing import recorded
from reservations.models import Reservation
from reservations.testing import make_intent, make_reservation
from reviews.models import Review, Stage, Work
from reviews.testing import make_reply_intent, make_review

NOW = datetime(2026, 11, 20, 19, tzinfo=UTC)
MARK = "Zorvath"
MAKERS: dict[Any, Any] = {Reservation: make_reservation, Review: make_review}
# Columns that hold words of the service or of the restaurant, never a guest's own.
OF_NO_GUEST: dict[Any, str] = {
    Reservation: """presence meal_date_text status meal_status offer_type offer_name offer_menu_type
        offer_currency bill_currency reservation_channel""",
    Review: """presence price_evaluation waiting_time_evaluation noise_level_evaluation occasion
        comment_language comment_status comment_moderation_reason reply reply_language
        reply_status reply_moderation_reason""",
}
ANSWERS = {Reservation: "get_reservation", Review: "get_review"}

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest(harbour):
    return make_customer(harbour)


def erased(model: Any, restaurant: Any, guest: Any, **fields: Any) -> Any:
    row = MAKERS[model](restaurant, customer=guest, **fields)
    erasure.erase(guest, actor=None, now=NOW)
    row.refresh_from_db()
    return row


def texts_of(model: Any) -> list[str]:
    kinds = (models.CharField, models.TextField, models.JSONField)
    names = [one.name for one in model._meta.concrete_fields if isinstance(one, kinds)]
    return [name for name in names if name not in OF_NO_GUEST[model].split()]


@pytest.mark.parametrize("model", MAKERS)
def test_it_works(quay, guest, model):
    fields = {name: {MARK: MARK} if name == "utm" else MARK for name in texts_of(model)}
    row = erased(model, quay, guest, **fields | {"raw": json.dumps({"notes": MARK})})

    assert [name for name in texts_of(model) if MARK in str(getattr(row, name))] == [], (
        f"a guest can be read in these columns of {model.__name__} after an erasure: add them to"
        " PERSONAL_FIELDS in personal_data.py of the app, or to OF_NO_GUEST here"
    )


@pytest.mark.parametrize("model", MAKERS)
def test_a_field_that_the_service_adds_is_erased_too(quay, guest, model):
    answer = recorded(ANSWERS[model])
    added = {"seatingPreference": MARK, "customer": {"nickname": MARK}, "comment": {"title": MARK}}
    row = erased(model, quay, guest, raw=json.dumps(answer | added))

    assert MARK not in row.raw


@pytest.mark.parametrize("model", MAKERS)
def test_what_a_day_is_counted_by_stays(quay, guest, model):
    answer = recorded(ANSWERS[model])
    row = erased(model, quay, guest, raw=json.dumps(answer))
    gone = {key for key, value in json.loads(row.raw).items() if value != answer[key]}

    assert gone <= {"customer", "comment", "customerNote", "restaurantNote", "customFields",
                    "utmTrackingInformation"}  # fmt: skip


def put_aside(kind: str, about: list[Any], answer: str) -> None:
    """Keep an unreadable answer about one of these, as the mirror does."""
    one = next(row.pk for row in about if row._meta.model_name == kind)
    sync_requests.request(
        [EntityRef(kind, one, EntityLocation())], priority=Priority.EVENT, now=NOW
    )
    SyncRequest.objects.update(evidence=answer, state=SyncRequest.State.PARKED)


@pytest.mark.parametrize("kind", ["customer", "reservation", "review"])
class TestUnreadAnswer:
    @pytest.fixture
    def about(self, quay, guest):
        return [guest, *(make(quay, customer=guest) for make in MAKERS.values())]

    def test_it_is_exported_and_erased(self, guest, about, kind):
        """It may be the only copy of what it says."""
        put_aside(kind, about, f"{MARK} {guest.pk}")
        held = json.dumps(erasure.collect(guest))
        erasure.erase(guest, actor=None, now=NOW)

        assert MARK in held
        assert columns_with_the_mark() == set()

    def test_of_perhaps_another_guest_it_is_not_exported(self, harbour, guest, about, kind):
        """A booking may have another guest by now."""
        other = make_customer(harbour).pk
        for named in ("", f"{other}", f"{guest.pk} {other}", str(other).upper()):
            put_aside(kind, about, f"{MARK} {named}")

            assert MARK not in json.dumps(erasure.collect(guest)), named


# What a change consists of, and what may be added to each of its parts one day.
ADDED = {"added": MARK, "more": {"added": [MARK]}}
SENT: dict[str, Any] = {
    "meal_date": "2026-11-20T20:00:00+01:00",
    "party_size": 4,
    "customer": {"email": MARK, "first_name": MARK, **ADDED},
    "guest": MARK,
    "customer_note": MARK,
    "restaurant_note": MARK,
    "changes": {"party_size": 4, "restaurant_note": MARK, **ADDED},
    "base": {"party_size": 2, "restaurant_note": MARK, **ADDED},
    "content": MARK,
    "language": "en",
    "before": MARK,
    "comment": MARK,
    "status": "ANSWERED",
    **ADDED,
}


def columns_with_the_mark() -> set[str]:
    """Every column of every table in which the guest can still be read."""
    kinds = (models.CharField, models.TextField, models.JSONField)
    return {
        f"{model.__name__}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, kinds)
        for value in model._base_manager.values_list(field.name, flat=True)
        if MARK in str(value)
    }


@pytest.mark.parametrize("model", MAKERS)
def test_no_field_that_is_added_to_a_sent_change_stays(quay, guest, model):
    """Of every action there is, before it is sent, while it is sent, and when it has ended."""
    row, state = MAKERS[model](quay, customer=guest), Intent.State
    about = {"kind": model.__name__.lower(), "uuid": row.pk, "payload": SENT, "reason": MARK}
    texts: dict[str, Any] = {"answer": MARK, "problem": MARK, "message": {"text": MARK}}
    for name in [one.name for one in registry.ACTIONS]:
        make_intent(quay, action=name, state=state.HELD, **about)
        make_intent(quay, action=name, state=state.CHECKING, **about)
        for ended in (state.DONE, state.REFUSED, state.ASKS, state.WITHDRAWN):
            make_intent(quay, action=name, state=ended, **about, **texts)
    erasure.erase(guest, actor=None, now=NOW)
    for under_way in Intent.objects.filter(state=state.CHECKING):
        transitions.close(under_way, state.DONE, answer=MARK)

    assert columns_with_the_mark() == set()


@pytest.mark.parametrize("ended", [Intent.State.DONE, Intent.State.REFUSED, Intent.State.ASKS])
def test_a_reply_that_ends_after_the_erasure_copies_nothing(quay, guest, ended):
    row = make_review(quay, customer=guest)
    sent = {"payload": SENT, "state": Intent.State.CHECKING, "sent_at": NOW}
    intent = make_reply_intent(quay, uuid=row.pk, **sent)
    Work.objects.filter(pk=row.pk).update(intent_key=intent.key, stage=Stage.SENDING, draft=MARK)
    erasure.erase(guest, actor=None, now=NOW)
    transitions.close(Intent.objects.get(pk=intent.pk), ended, message={"text": MARK})

    assert Work.objects.get(pk=row.pk).stage != Stage.SENDING
    assert columns_with_the_mark() == set()
