"""Turns events into messages, one per device, and sends those that are due.

The rows are the queue. What is promised: a message is sent at least once as long as it is true and
not out of date; a worker that dies between the sending and the deletion of the row sends it again,
with the same topic and tag, so that the repeat takes the place of the first.
"""

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.push import vapid, web_push
from accounts.push.models import PushDevice, PushPreferences
from accounts.push.web_push import PushAnswer, PushOutcome, Subscription
from lib.encryption import DecryptionFailed
from lib.processes.isolation import isolated
from live.push.kinds import PushKind, kind_of
from live.push.models import PushEvent, PushMessage
from live.push.payloads import build_message, build_test
from partner.http.transport import PooledTransport, Transport

logger = logging.getLogger(__name__)

FIRST_PAUSE = timedelta(seconds=15)
LONGEST_PAUSE = timedelta(minutes=15)
# A run ends after so long; the next one goes on. Other tasks need the worker's threads too.
RUN = timedelta(seconds=30)


@dataclass
class PushRun:
    """One run of a worker: its clock, its connections, and the services that did not answer it."""

    began_at: datetime
    transport: Transport = field(default_factory=PooledTransport)
    silent: set[str] = field(default_factory=set)  # origins
    started: float = field(default_factory=time.monotonic)

    @property
    def now(self) -> datetime:
        return self.began_at + timedelta(seconds=time.monotonic() - self.started)


def send_due(*, now: datetime) -> int:
    """Expand new events and send due messages. Returns how many the push services took."""
    expand(now=now)
    run, taken = PushRun(now), 0
    while run.now < now + RUN and (message := PushMessage.objects.all().claim(now=run.now)):
        with isolated(logger, "push.message_failed", push=message.pk):
            taken += send_one(message, run, now=run.now)
    return taken


def expand(*, now: datetime) -> int:
    """Create the messages of new events. Returns how many."""
    made = 0
    while True:
        with transaction.atomic():
            event = PushEvent.objects.due().select_for_update(skip_locked=True).first()
            if event is None:
                return made
            with isolated(logger, "push.event_failed", event=event.pk), transaction.atomic():
                made += _create_messages(event, now=now)
            PushEvent.objects.filter(pk=event.pk).update(expanded_at=now)


def _create_messages(event: PushEvent, *, now: datetime) -> int:
    rows = [
        PushMessage(event=event, device=device, not_before=now)
        for device in _devices(event, now=now)
    ]
    return len(PushMessage.objects.bulk_create(rows))


def _devices(event: PushEvent, *, now: datetime) -> Iterator[PushDevice]:
    kind = kind_of(event)
    if kind is None or not is_worth_sending(event, kind, now=now):
        return
    concerned: dict[int, bool] = {}
    devices = PushDevice.objects.select_related("user__push_preferences")
    for device in devices:
        user = device.user
        if user.pk not in concerned:
            concerned[user.pk] = user.is_active and wants(user, kind, event)
        if concerned[user.pk]:
            yield device


def is_worth_sending(event: PushEvent, kind: PushKind, *, now: datetime) -> bool:
    return now < event.expires_at and kind.holds(event, now)


def wants(user: User, kind: PushKind, event: PushEvent) -> bool:
    preferences = PushPreferences.objects.filter(user=user).first()
    return bool(preferences and kind.name in preferences.kinds and kind.concerns(user, event))


def send_one(message: PushMessage, run: PushRun, *, now: datetime) -> bool:
    """Send a claimed message, unless it is over, unwanted by now, or it is quiet there."""
    event, device = message.event, message.device
    kind = kind_of(event)
    if not device.is_signed_in:
        device.delete()
        return False
    if kind is None or not is_worth_sending(event, kind, now=now):
        message.delete()
        return False
    if not wants(device.user, kind, event):
        message.delete()
        return False
    if quiet := _quiet_for(device.user, event, now=now):
        _postpone(message, to=now + quiet)
        return False
    return _deliver(message, kind, run, now=now)


def _quiet_for(user: User, event: PushEvent, *, now: datetime) -> timedelta:
    """How long it is quiet for this person, by the clock of the restaurant."""
    preferences = PushPreferences.objects.filter(user=user).first()
    local = event.restaurant.local(now) if event.restaurant else timezone.localtime(now)
    return preferences.quiet_for(local.time()) if preferences else timedelta()


def _postpone(message: PushMessage, *, to: datetime) -> None:
    """Keep the message until then, or delete it if it will be out of date."""
    if to >= message.event.expires_at:
        message.delete()
    else:
        PushMessage.objects.filter(pk=message.pk).update(not_before=to)


def _deliver(message: PushMessage, kind: PushKind, run: PushRun, *, now: datetime) -> bool:
    try:
        subscription = subscription_of(message.device)
        signer = vapid.signer()
    except DecryptionFailed:
        logger.error("push.secrets_unreadable")
        _postpone(message, to=now + LONGEST_PAUSE)
        return False
    if subscription.origin in run.silent:
        _postpone(message, to=now + pause_after(message.attempts))
        return False
    web = build_message(message.event, kind, message.device, now=now)
    answer = web_push.send(subscription, web, signer=signer, transport=run.transport, now=now)
    if answer.outcome == PushOutcome.NO_ANSWER:
        run.silent.add(subscription.origin)
    return settle(message, answer, origin=subscription.origin, now=run.now)


def subscription_of(device: PushDevice) -> Subscription:
    """The decrypted subscription. One query; raises `DecryptionFailed`."""
    row = PushDevice.objects.defer(None).get(pk=device.pk)
    return Subscription(row.endpoint, row.p256dh, row.auth)


def settle(message: PushMessage, answer: PushAnswer, *, origin: str, now: datetime) -> bool:
    """Store what the push service answered. Returns whether it took the message."""
    note_answer(message.device, answer, origin=origin, now=now)
    if answer.outcome in (PushOutcome.REFUSED, PushOutcome.NO_ANSWER):
        wait = max(pause_after(message.attempts), timedelta(seconds=answer.retry_after))
        _postpone(message, to=now + wait)
    elif answer.outcome != PushOutcome.GONE:  # the device took its messages with it
        message.delete()
    return answer.outcome == PushOutcome.ACCEPTED


def note_answer(device: PushDevice, answer: PushAnswer, *, origin: str, now: datetime) -> None:
    """What the page of the person shows of the device; one that has ended is removed."""
    if answer.outcome == PushOutcome.ACCEPTED:
        device.note_accepted(now=now)
    elif answer.outcome == PushOutcome.GONE:
        device.delete()
    else:
        facts = {"origin": origin, "status": answer.status, "device": device.pk}
        logger.warning("push.not_taken", extra=facts)
        device.note_problem(answer.problem, now=now)


def send_test(device: PushDevice, *, now: datetime) -> PushAnswer:
    """Send a message that says that it is a test, now, whatever the hour. Waits for the answer."""
    try:
        subscription, signer = subscription_of(device), vapid.signer()
    except DecryptionFailed:
        return PushAnswer(PushOutcome.NO_ANSWER)
    web = build_test(device, url=reverse("push:index"))
    transport = PooledTransport()
    answer = web_push.send(subscription, web, signer=signer, transport=transport, now=now)
    note_answer(device, answer, origin=subscription.origin, now=now)
    return answer


def pause_after(attempts: int) -> timedelta:
    return min(FIRST_PAUSE * (1 << min(attempts - 1, 10)), LONGEST_PAUSE)
