"""Looks up the outcome of an intent that was sent without a conclusive answer.

An answer counts only if the action confirms it, or if it is a 204 where the client takes that for
one. Anything else (no answer, an error, an empty object, foreign JSON) leaves the outcome unknown:
the state is read from the service, never guessed.
"""

import logging
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import Error, transaction
from django.utils.translation import gettext_lazy as _

from outbox.models import Intent, say, say_error
from outbox.registry import Action, Found, Look, Settled
from outbox.transitions import LeaseLost, client_of, close, pause_before_retry, reschedule
from partner import errors
from restaurants.models import Restaurant

logger = logging.getLogger(__name__)

State = Intent.State
# A write that may have happened shows up late in lists: look three times before believing “no”.
LOOK_AFTER = (timedelta(0), timedelta(seconds=8), timedelta(seconds=60))
# What cannot be proven is sent again: soon first, since somebody may be waiting for it.
RESEND_AFTER = (timedelta(seconds=2), timedelta(seconds=8), timedelta(seconds=60))
# After so many sendings without a confirmation a person must hear of it.
MOST_SENDINGS = 5
# After so many looks that ended in a fault of ours, too.
MOST_FAULTS = 5
REST = timedelta(seconds=0.5)  # between two reads of a list that was refused
# After these nothing has happened, and an intent waits. A connection that is gone may come back.
SHUT = (errors.Retryable, errors.CredentialsRefused, errors.NotConfigured, errors.Foreign)

UNSURE = "unsure"
NOT_FOUND = "not-found"
NOT_CONFIRMED = "not-confirmed"
CHECKING = _(
    "The service did not answer clearly. We look whether it went through: do not send it again."
)
WENT_THROUGH = _("Found: it went through.")
# The questions to a person after a check: our code, what is known, what to do next.
QUESTIONS = {
    Found.NOT_DONE: (
        NOT_FOUND,
        _("Not found in the service: safe to try again."),
        _("Try again"),
    ),
    Found.UNPROVEN: (
        NOT_CONFIRMED,
        _("The service did not confirm it."),
        _("Try again: sending it twice does no harm."),
    ),
    Found.UNSURE: (
        UNSURE,
        _("We cannot tell whether it went through."),
        _("Look there first. Try again only if it is missing."),
    ),
}


def check_later(intent: Intent, error: errors.PartnerError) -> None:
    """Schedule a look-up: the intent was sent, and its answer is not conclusive."""
    reschedule(
        intent,
        State.CHECKING,
        after=LOOK_AFTER[0],
        looks=0,
        unconfirmed_count=intent.unconfirmed_count + 1,
        problem=error.kind,
        message=say(CHECKING),
    )


def check(action: Action, intent: Intent) -> None:
    """Read the service's state; then close, look again, send again, or have a person decide."""
    try:
        look = _looked_up(action, intent)
    except (LeaseLost, Error):  # of the database, or a connection that is gone
        raise
    except Exception:  # a fault of ours, or an answer that nobody thought of
        logger.exception("outbox.look_failed", extra={"intent": str(intent.key)})
        _look_after_fault(intent)
    else:
        if look:
            _believe(action, intent, look)


def is_absent(action: Action, intent: Intent, client: Any) -> bool:
    """Look once more before a creation is repeated; do not repeat it if it may exist."""
    try:
        look = action.look(client, intent)
    except (*SHUT, errors.Malformed):
        raise
    except errors.PartnerError as error:
        ask_about(intent, error)
        return False
    if look.found is Found.DONE:
        _close_as_found(intent, look)
    elif look.found is not Found.NOT_DONE:
        ask_a_person(intent, look.found)
    return look.found is Found.NOT_DONE


def weigh_refusal(action: Action, intent: Intent, refusal: errors.PartnerError) -> None:
    """An earlier sending may have worked: the refusal stands only where a look shows none of it."""
    look = _looked_up(action, intent)
    if look is None:
        return
    if look.found is Found.DONE:
        _close_as_found(intent, look)
    elif look.found is Found.UNSURE:
        ask_a_person(intent, look.found)
    else:
        refuse(intent, refusal, is_nothing_done=look.found is Found.NOT_DONE)


def confirm(action: Action, intent: Intent, refusal: errors.PartnerError) -> None:
    """The service refuses what is so already, by ours or another's doing: see whether it is so."""
    look = _looked_up(action, intent)
    if look is None:
        return
    if look.found is not Found.DONE:
        check_later(intent, refusal)
    elif intent.unconfirmed_count:
        _close_as_found(intent, look)
    else:
        message = say_error(refusal, is_read=True)
        close(intent, State.DONE, problem=refusal.code, message=message)


def refuse(intent: Intent, error: errors.PartnerError, *, is_nothing_done: bool = True) -> None:
    message = say_error(error, is_read=not is_nothing_done)
    close(intent, State.REFUSED, problem=error.code or error.kind, message=message)


def check_again(intent: Intent) -> None:
    """Look once more, now: what was found has become that of another intent."""
    reschedule(intent, State.CHECKING, after=timedelta(0), message=say(CHECKING))


def ask_about(intent: Intent, error: errors.PartnerError) -> None:
    """The state cannot be read: show the reason and have a person decide."""
    close(intent, State.ASKS, problem=error.kind, message=say_error(error, is_read=True))


def _looked_up(action: Action, intent: Intent) -> Look | None:
    """What a look finds; None where nothing can be read, and the intent waits or asks for that."""
    try:
        return action.look(client_of(intent), intent)
    except (*SHUT, errors.Malformed) as error:
        _look_later(intent, error)
    except errors.PartnerError as error:
        ask_about(intent, error)
    return None


def _believe(action: Action, intent: Intent, look: Look) -> None:
    may_resend = action.repeats and intent.unconfirmed_count < MOST_SENDINGS
    if look.found is Found.DONE:
        _close_as_found(intent, look)
    elif look.found is Found.UNPROVEN and may_resend:
        # It may have happened, so it cannot be withdrawn: the first sending stays on record.
        after = RESEND_AFTER[min(intent.unconfirmed_count, len(RESEND_AFTER)) - 1]
        reschedule(intent, State.WAITING, after=after, looks=0)
    elif look.found is not Found.UNPROVEN and intent.looks + 1 < len(LOOK_AFTER):
        looks = intent.looks + 1
        after = LOOK_AFTER[looks]
        reschedule(intent, State.CHECKING, after=after, looks=looks, message=say(CHECKING))
    elif look.found is Found.NOT_DONE and may_resend:
        # It certainly has not happened, so it waits like any other intent.
        reschedule(intent, State.WAITING, after=timedelta(0), looks=0, sent_at=None, message={})
    else:
        ask_a_person(intent, look.found)


def _look_later(intent: Intent, error: errors.PartnerError) -> None:
    reschedule(
        intent,
        State.CHECKING,
        after=pause_before_retry(intent, error),
        rest=REST,
        message=say_error(error, is_read=True),
    )


def _look_after_fault(intent: Intent) -> None:
    if intent.looks + 1 < MOST_FAULTS:
        after = LOOK_AFTER[-1]
        reschedule(intent, State.CHECKING, after=after, looks=intent.looks + 1)
    else:
        ask_a_person(intent, Found.UNSURE)


def _close_as_found(intent: Intent, look: Look) -> None:
    found = look.settled or Settled(sentence=WENT_THROUGH)
    message = say(found.sentence, next_step=found.next_step, **found.params)
    with transaction.atomic():
        if look.uuid and _is_of_another(intent, look.uuid):
            check_again(intent)
        else:
            close(intent, State.DONE, problem="", result_uuid=look.uuid, message=message)


def _is_of_another(intent: Intent, uuid: UUID) -> bool:
    """Whether a look for another intent found the same meanwhile. The others wait until the end of
    the transaction. The intent is locked before its restaurant, as in `outbox.engine.claim`."""
    Intent.objects.select_for_update(of=("self",)).get(pk=intent.pk)
    Restaurant.objects.select_for_update(no_key=True).get(pk=intent.restaurant_id)
    return Intent.objects.exclude(pk=intent.pk).filter(result_uuid=uuid).exists()


def ask_a_person(intent: Intent, found: Found) -> None:
    problem, sentence, next_step = QUESTIONS[found]
    close(intent, State.ASKS, problem=problem, message=say(sentence, next_step=next_step))
