"""State machine of intents: submit, hold, send, verify, close.

    held ──► waiting ──► sending ──► done | refused
      │         │           └─ unclear ─► checking ──► done | waiting again | asks
      └────┬────┘
       withdrawn

No transaction is open during a call. If a worker dies while sending, the lease of the row expires.
Then it is unknown whether the request arrived, so the outcome is looked up before the intent is
sent again. Intents about one entity are sent in the order in which they were submitted.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from mirror.models import Heartbeat
from outbox import registry, verification
from outbox.models import Intent, Message, say, say_error
from outbox.transitions import (
    LEASE,
    TURN,
    LeaseLost,
    client_of,
    close,
    notify_screens,
    pause_before_retry,
    redact_at_end,
    redact_closed,
    redact_open,
    redacted,
    renew_lease,
    requested_pause,
    reschedule,
)
from partner import errors
from restaurants.models import Restaurant

logger = logging.getLogger(__name__)

State = Intent.State
# A key may be refused for hours. Looking for a new one costs nothing.
LONGEST_WAIT_FOR_KEY = timedelta(minutes=1)
# What stops every intent alike. Trying each would only spread them over the next hour.
FOR_ALL = (errors.CircuitOpen.kind, errors.AuthSuspect.kind)


def submit(
    action: str,
    *,
    key: UUID,
    kind: str,
    uuid: UUID | None,
    restaurant: Restaurant,
    payload: dict[str, Any],
    actor: User | None,
    hold: timedelta = timedelta(0),
    reason: str = "",
) -> Intent:
    """Store an intent. No call is made, and the same form sent twice makes one row."""
    registry.get(action)
    now = timezone.now()
    Heartbeat.objects.note_clock(now=now)
    with transaction.atomic():
        intent, new = Intent.objects.get_or_create(
            key=key,
            defaults={
                "action": action,
                "kind": kind,
                "uuid": uuid,
                "restaurant": restaurant,
                "payload": payload,
                "actor": actor,
                "reason": reason,
                "created_at": now,
                "not_before": now + hold,
                "state": State.HELD if hold else State.WAITING,
            },
        )
        if new:
            registry.get(action).turned(intent)
            notify_screens(intent)
    return intent


def withdraw(intent: Intent, *, now: datetime) -> bool:
    """Withdraw an intent that is held or waits. False if it was already sent."""
    mine = Intent.objects.filter(pk=intent.pk, state__in=[State.HELD, State.WAITING], sent_at=None)
    with transaction.atomic():
        if not mine.update(state=State.WITHDRAWN, ended_at=now, version=F("version") + 1):
            return False
        intent.refresh_from_db()
        registry.get(intent.action).ended(intent)
        registry.get(intent.action).turned(intent)
        notify_screens(intent)
    return True


def stop_all(*, now: datetime) -> tuple[int, int]:
    """For a database restored from a backup. Returns how many were withdrawn, and how many a person
    decides about.

    What waited at that moment was most likely sent since, so nothing leaves by itself: not even
    what is harmless to send again, because others may have changed it since.
    """
    intents = list(Intent.objects.open().select_related("restaurant__group"))
    under_way = [intent for intent in intents if not withdraw(intent, now=now)]
    for intent in under_way:
        verification.ask_a_person(intent, registry.Found.UNSURE)
    return len(intents) - len(under_way), len(under_way)


def try_again(intent: Intent, *, now: datetime) -> bool:
    """Send an intent with an unknown outcome once more, by decision of a person."""
    asks = Intent.objects.filter(pk=intent.pk, state=State.ASKS)
    anew: dict[str, Any] = {"looks": 0, "ended_at": None, "problem": "", "message": {}}
    if intent.problem == verification.NOT_FOUND:
        anew["sent_at"] = None
    # A creation is looked for once more before it is repeated, unless the person did so.
    is_decided = registry.get(intent.action).repeats or intent.problem == verification.UNSURE
    is_missing = intent.problem == verification.NOT_FOUND  # it had left once all the same
    anew["unconfirmed_count"] = 0 if is_decided and not is_missing else 1
    with transaction.atomic():
        if not asks.update(state=State.WAITING, version=F("version") + 1, not_before=now, **anew):
            return False
        intent.refresh_from_db()
        registry.get(intent.action).turned(intent)
        notify_screens(intent)
    return True


def end_as_found(intent: Intent, *, message: Message) -> bool:
    """Close an intent with an unknown outcome: a person found its result in the service. False if
    it is another by now: a second person has decided, or its guest was erased."""
    if intent.state != State.ASKS:
        return False
    try:
        close(intent, State.DONE, problem="", message=message)
    except LeaseLost:
        return False
    return True


def answer(intent: Intent, *, message: Message) -> bool:
    """Close a refused intent whose question a person has answered. False if it is another by now:
    a second person has answered it, or its guest was erased."""
    same = Intent.objects.filter(pk=intent.pk, version=intent.version)
    with transaction.atomic():
        if not same.update(problem="", message=message, version=F("version") + 1):
            return False
        intent.refresh_from_db()
        registry.get(intent.action).turned(intent)
        notify_screens(intent)
    return True


def locked(intents: QuerySet[Intent]) -> list[Intent]:
    """The intents, which nobody else changes until the caller's transaction ends."""
    rows = intents.select_related("restaurant").order_by("pk")
    return list(rows.select_for_update(of=("self",)))


def redact(intents: Iterable[Intent], *, now: datetime) -> None:
    """Redact locked intents of an erased guest. See outbox.transitions."""
    for intent in intents:
        if not intent.is_open:
            redact_closed(intent)
        elif not intent.can_be_withdrawn:
            redact_at_end(intent)
        elif redacted(intent).can_be_sent:
            redact_open(intent)
        elif withdraw(intent, now=now):
            redact_closed(intent)


def work(*, now: datetime, most: int = 100) -> int:
    """Process due intents one after another. Returns how many steps were taken."""
    steps = 0
    while steps < most and (intent := claim(now=now)):
        step(intent)
        steps += 1
        now = timezone.now()
    return steps


def claim(*, now: datetime) -> Intent | None:
    """Take the next due intent whose earlier intents about the same entity have ended."""
    lapsed = Intent.objects.filter(state=State.SENDING, lease_until__lt=now)
    anew = {"not_before": now, "looks": 0, "lease_until": None, "version": F("version") + 1}
    count = F("unconfirmed_count") + 1
    lapsed.update(state=State.CHECKING, unconfirmed_count=count, **anew)
    with transaction.atomic():
        ready = due(now).select_for_update(skip_locked=True, of=("self",))
        intent = ready.first()
        if intent is None:
            return None
        has_turn = intent.state != State.CHECKING or _has_turn(intent, now=now)
        if not has_turn:
            intent.not_before = now + verification.REST
        elif intent.state == State.CHECKING:
            intent.not_before = now + LEASE  # a look is a lease too: it may be taken over later
            intent.lease_until = now + TURN
        else:
            intent.state, intent.lease_until = State.SENDING, now + LEASE
            intent.attempts = min(intent.attempts + 1, 30_000)
        intent.version += 1  # whoever held it before can change nothing of it any more
        intent.save(update_fields=["state", "lease_until", "not_before", "attempts", "version"])
    return intent if has_turn else claim(now=now)


def step(intent: Intent) -> None:
    """Send an intent, or look up its outcome. Ends at once where another worker has it by now."""
    action = registry.get(intent.action)
    try:
        if intent.state == State.CHECKING:
            verification.check(action, intent)
        else:
            _send(action, intent)
    except LeaseLost:
        logger.warning("outbox.lease_lost", extra={"intent": str(intent.key)})


def due(now: datetime) -> QuerySet[Intent]:
    """Intents that may be sent or looked up now, oldest first.

    Those of an account at which a call is under way come last, so that an account that answers
    slowly, or not at all, holds up its own changes only.
    """
    earlier = Intent.objects.filter(
        kind=OuterRef("kind"), uuid=OuterRef("uuid"), state__in=Intent.OPEN, pk__lt=OuterRef("pk")
    )
    looking = _looking(now).filter(action=OuterRef("action"), restaurant=OuterRef("restaurant"))
    ready = Intent.objects.open().filter(not_before__lte=now).exclude(state=State.SENDING)
    ready = ready.exclude(Q(state=State.CHECKING, uuid=None) & Exists(looking))
    return ready.exclude(Exists(earlier)).order_by(Exists(_under_way(now)), "created_at", "pk")


def _under_way(now: datetime) -> QuerySet[Intent]:
    same = OuterRef("restaurant__group__connection")
    busy = Q(state=State.SENDING) | Q(state=State.CHECKING, lease_until__gt=now)
    return Intent.objects.filter(busy, restaurant__group__connection=same)


def _looking(now: datetime) -> QuerySet[Intent]:
    return Intent.objects.filter(state=State.CHECKING, lease_until__gt=now)


def _has_turn(intent: Intent, *, now: datetime) -> bool:
    """Checked under a lock, because two workers may have chosen intents of one entity at once."""
    if intent.uuid is not None:
        return True
    Restaurant.objects.select_for_update(no_key=True).get(pk=intent.restaurant_id)
    rivals = _looking(now).filter(action=intent.action, restaurant=intent.restaurant_id)
    return not rivals.exists()


def _send(action: registry.Action, intent: Intent) -> None:
    # Committed before the call: if this process dies now, the row says that it may have left.
    renew_lease(intent, sent_at=intent.sent_at or timezone.now())
    try:
        answer = _request(action, intent)
    except errors.Ambiguous as error:
        verification.check_later(intent, error)
    except verification.SHUT as error:
        _send_later(intent, error)
    except errors.PartnerError as error:
        _end(action, intent, error)
    else:
        if answer is not None:
            _settle(action, intent, answer)


def _request(action: registry.Action, intent: Intent) -> Any:
    """Send the request; None if a repeated creation may already exist at the service."""
    client = client_of(intent)
    is_repeated = bool(intent.unconfirmed_count) and not action.repeats
    if is_repeated:
        if not verification.is_absent(action, intent, client):
            return None
        renew_lease(intent)  # the look may have taken longer than the lease
    return action.send(client, intent)


def _end(action: registry.Action, intent: Intent, error: errors.PartnerError) -> None:
    if isinstance(error, errors.Malformed) and error.is_read:
        _send_later(intent, error)  # what is read before the request cannot be read
    elif action.is_done(error):
        verification.confirm(action, intent, error)
    elif intent.unconfirmed_count or (not action.repeats and _may_be_there(intent, error)):
        verification.weigh_refusal(action, intent, error)
    else:
        verification.refuse(intent, error)


def _may_be_there(intent: Intent, error: errors.PartnerError) -> bool:
    """Whether a creation may have worked all the same: it left before, or a gateway has sent it
    twice, and it clashes with itself."""
    return intent.sent_at is not None or isinstance(error, errors.Conflict)


def _settle(action: registry.Action, intent: Intent, answer: Any) -> None:
    # An answer without a text (204) is taken only where the contract shows none.
    if answer.raw and not action.confirms(intent, answer):
        verification.check_later(intent, errors.Ambiguous(code="UNCONFIRMED"))
        return
    with transaction.atomic():
        settled = action.settle(intent, answer)
        message = say(settled.sentence, next_step=settled.next_step, **settled.params)
        fields = {"answer": answer.raw, "result_uuid": settled.uuid, "message": message}
        close(intent, State.DONE, problem="", **fields)
    _wake_the_others(intent)


def _send_later(intent: Intent, error: errors.PartnerError) -> None:
    """Not sent this time: the intent keeps its place, and can be withdrawn if it was never sent."""
    is_for_all = error.kind in FOR_ALL
    pause = min(timedelta(seconds=requested_pause(error)), LONGEST_WAIT_FOR_KEY)
    after = pause if is_for_all else pause_before_retry(intent, error)
    message = say_error(error, is_read=intent.sent_at is not None)  # it may have left before
    reason: dict[str, Any] = {"problem": error.kind, "message": message}
    reschedule(intent, State.WAITING, after=after, sent_at=intent.sent_at, **reason)
    if is_for_all:
        _let_the_others_wait(intent, intent.not_before, **reason)


def _let_the_others_wait(intent: Intent, until: datetime, **reason: Any) -> None:
    """While nothing can be sent, later intents wait too, in order, with the same message."""
    waiting = _of_one_account(intent).filter(state=State.WAITING, not_before__lt=until)
    waiting.update(not_before=until, version=F("version") + 1, **reason)


def _wake_the_others(intent: Intent) -> None:
    """Sending works again: make waiting intents due now, oldest first."""
    now = timezone.now()
    waiting = _of_one_account(intent).filter(state=State.WAITING, not_before__gt=now)
    waiting.filter(problem__in=FOR_ALL).update(not_before=now)


def _of_one_account(intent: Intent) -> QuerySet[Intent]:
    """The intents that leave by the same connection: what stops one of them stops all."""
    connection = intent.restaurant.group.connection_id
    return Intent.objects.filter(restaurant__group__connection=connection)
