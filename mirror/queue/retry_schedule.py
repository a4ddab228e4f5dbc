"""Retry schedule: the next state of a request after a failed or an unconvincing read.

Pure functions, by the remedy of the error and never by its status.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext as _

from lib.text import storable
from mirror.models import Priority, SyncRequest
from mirror.queue.handover import GONE, INCOMPLETE, NEVER, NOT_OURS
from mirror.queue.sync_requests import PARKED_AGAIN, Claim
from partner import errors

# An event announced news and the answer had none, or a 404: replicas lag, so read again.
CONFIRM_AFTER = (timedelta(seconds=10), timedelta(seconds=60), timedelta(minutes=5))
# The first 404 may be a replica that lags, as may the first answer that names a restaurant which is
# not set up here; the second, ten seconds later, is believed.
GONE_AFTER = 1
# Each event begins the looks anew. With less than ten seconds between them, a 404 is believed so
# long after the first one: that read began ten seconds later, however long it took.
GONE_WITHIN = CONFIRM_AFTER[0] + timedelta(seconds=25)
# A garbled or foreign answer is usually a proxy's passing fault; after these it is shown to a
# person, and the record is read again once an hour (mirror/queue/parked.py).
MOST_MALFORMED = 6
# A required field that vanished is believed when a read that began so much later lacks it as well.
MISSING_AGAIN = timedelta(minutes=5)
LONGEST_PAUSE = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class RequestOutcome:
    """The next state of a request row."""

    state: str = SyncRequest.State.SETTLED
    not_before: datetime | None = None
    attempts: int = 0
    confirms: int = 0
    problem: str = ""
    sentence: str = ""
    evidence: str = ""
    gone: bool = False
    elsewhere: UUID | None = None  # the restaurant to which it moved
    priority: int | None = None  # of a later look, if not that of the request

    def later_priority(self, requested: int) -> int:
        """Nothing that is read later by itself is as urgent as what a person waits for."""
        return max(requested, Priority.EVENT) if self.priority is None else self.priority


SERVED = RequestOutcome()


# What is refused so is read twice more before that is believed: a gateway may err once, or the key
# may just have been revoked, and then the reads that were under way are refused alike.
REFUSED_AGAIN = (timedelta(seconds=10), timedelta(minutes=2))
# Without a connection, or with one whose key or address is missing, nothing is sent: to look
# whether there is one by now costs nothing.
CONFIGURED_AGAIN = timedelta(minutes=2)
NOT_CONFIGURED = "not-configured"
SCOPE = "scope"
# What only a person can change, by the word under which the health page lists it.
PARKED = {
    errors.NotOurs: NOT_OURS,
    errors.MissingScope: SCOPE,
    errors.NotConfigured: NOT_CONFIGURED,
    errors.Malformed: "malformed",
    errors.Foreign: "foreign",
    errors.EndpointHeld: "foreign",
}
# Of these the reason is in the service, and passes: they are read again by themselves.
PASSING = ("malformed", "foreign")
# The group has still to accept the terms of the service: until then all of its records are refused.
NOT_READY, NOT_READY_CODE = "not-ready", "RESTAURANT_GROUP_NOT_READY"


def after_failure(error: Exception, claim: Claim, *, now: datetime) -> RequestOutcome:
    if not isinstance(error, errors.PartnerError):
        return _broken_off(error, claim, now=now)
    if isinstance(error, errors.NotFound):
        return _not_found(claim, now=now)
    # A sweep must end, and the thousands that it reads must not come back every moment.
    if isinstance(error, errors.EndpointHeld) and claim.priority > Priority.EVENT:
        return _by_remedy(error, claim, now=now)
    if isinstance(error, errors.NotSent | errors.CredentialsRefused | errors.NotActive):
        return _wait(claim, now=now, error=error)
    if isinstance(error, errors.Retryable):
        facts = {"problem": "failing", "sentence": sentence_of(error)}
        return _later(claim, now=now, at_least=_requested(error), **facts)
    return _by_remedy(error, claim, now=now)


def _by_remedy(error: errors.PartnerError, claim: Claim, *, now: datetime) -> RequestOutcome:
    problem = PARKED.get(type(error), "refused")
    if error.code == NOT_READY_CODE:
        outcome = parked(NOT_READY, sentence_of(error))
        return replace(outcome, not_before=now + PARKED_AGAIN)
    if problem in PASSING and claim.attempts < MOST_MALFORMED:
        facts = {"problem": problem, "sentence": sentence_of(error)}
        return _later(claim, now=now, at_least=_requested(error), **facts)
    outcome = parked(problem, sentence_of(error), evidence=getattr(error, "body", ""))
    if problem in PASSING:
        outcome = replace(outcome, attempts=claim.attempts, not_before=now + PARKED_AGAIN)
    elif problem == NOT_OURS:
        outcome = _refused(outcome, claim, now=now)
    elif problem == NOT_CONFIGURED:
        outcome = replace(outcome, not_before=now + CONFIGURED_AGAIN)
    return outcome


def _broken_off(error: Exception, claim: Claim, *, now: datetime) -> RequestOutcome:
    """Nothing of it is about the record: a database that was busy as its token was read, or a fault
    of the program."""
    if isinstance(error, OperationalError | InterfaceError):
        return unstored(claim, now=now)
    return replace(parked("crash", sentence_of(error)), not_before=now + PARKED_AGAIN)


def _refused(outcome: RequestOutcome, claim: Claim, *, now: datetime) -> RequestOutcome:
    """Parked for good at the third refusal, or the next one after that; not read yet until then.

    What an event or a person has read in between proves nothing, and the schedule stays.
    """
    times = claim.attempts if claim.problem == NOT_OURS else 0
    was_parked = claim.problem == NOT_OURS and not claim.attempts
    at = _instant(claim) if times else None
    # One that is further ahead was planned by a clock that has been set back.
    is_early = at is not None and now < at <= now + REFUSED_AGAIN[-1]
    if not is_early:
        if was_parked or times >= len(REFUSED_AGAIN):
            return replace(outcome, not_before=NEVER)
        at, times = now + REFUSED_AGAIN[times], times + 1
    return replace(
        outcome,
        state=SyncRequest.State.WAITING,
        not_before=at,
        attempts=times,
        evidence=at.isoformat() if at else "",
    )


def _instant(claim: Claim) -> datetime | None:
    """The one that the last read has left as its evidence."""
    return datetime.fromisoformat(claim.evidence) if claim.evidence else None


def incomplete(lost: Sequence[str], *, since: datetime, now: datetime) -> RequestOutcome:
    """The answer lacks fields of our copy: read once more before anything is erased."""
    fields = ",".join(lost)
    return RequestOutcome(
        state=SyncRequest.State.WAITING,
        not_before=max(since + MISSING_AGAIN, now + CONFIRM_AFTER[0]),
        attempts=1,
        problem=INCOMPLETE,
        sentence=_("The answer lacks %(fields)s. The copy stays as it is until a later one does.")
        % {"fields": fields},
        evidence=f"{since.isoformat()} {fields}",
    )


def lacking_since(claim: Claim, lost: Sequence[str]) -> datetime | None:
    """Return when a read first lacked exactly these fields; None if the last one had others."""
    at, _space, fields = claim.evidence.partition(" ")
    is_same = claim.problem == INCOMPLETE and fields == ",".join(lost)
    return datetime.fromisoformat(at) if is_same else None


def unstored(claim: Claim, *, now: datetime) -> RequestOutcome:
    """The database was busy: read again, because the answer may have changed by then."""
    sentence = _("The database was busy. The record is read again in a moment.")
    return _later(claim, now=now, problem="unstored", sentence=sentence)


def unstorable(answer: str, *, now: datetime) -> RequestOutcome:
    """A fault of the program or of its database: a later version may know better."""
    sentence = _("The answer could not be stored. The copy here is the one from before.")
    return replace(parked("unstorable", sentence, evidence=answer), not_before=now + PARKED_AGAIN)


def busy_listing() -> str:
    return _("The database was busy. The list is read again in a moment.")


def confirm(claim: Claim, *, now: datetime, reread_at: datetime | None = None) -> RequestOutcome:
    """The answer had no change although an event announced one: read again a few times."""
    if claim.confirms >= len(CONFIRM_AFTER):
        return again(reread_at) if reread_at else SERVED
    return RequestOutcome(
        state=SyncRequest.State.WAITING,
        not_before=now + CONFIRM_AFTER[claim.confirms],
        confirms=claim.confirms + 1,
    )


def again(at: datetime, *, priority: Priority = Priority.EVENT) -> RequestOutcome:
    """Settled, and to be read again later without an event."""
    return RequestOutcome(state=SyncRequest.State.WAITING, not_before=at, priority=priority)


def parked(problem: str, sentence: str, *, evidence: str = "") -> RequestOutcome:
    return RequestOutcome(
        state=SyncRequest.State.PARKED,
        problem=problem,
        sentence=sentence,
        evidence=storable(evidence[:65536]),
    )


def sentence_of(error: Exception) -> str:
    return str(getattr(error, "sentence", "") or _("The read failed for a reason we do not know."))


def no_longer_there() -> RequestOutcome:
    return RequestOutcome(gone=True, problem=GONE, sentence=_("No longer exists in the service."))


def _not_found(claim: Claim, *, now: datetime) -> RequestOutcome:
    if claim.confirms >= len(CONFIRM_AFTER):
        return no_longer_there()
    since = (_instant(claim) if claim.problem == GONE else None) or now
    gone = claim.confirms >= GONE_AFTER or now - since >= GONE_WITHIN
    evidence = since.isoformat()
    return replace(confirm(claim, now=now), gone=gone, problem=GONE, evidence=evidence)


def _later(
    claim: Claim,
    *,
    now: datetime,
    problem: str,
    sentence: str,
    at_least: timedelta = timedelta(0),
) -> RequestOutcome:
    """Exponential back-off with full jitter; failures of the service never park an entity."""
    attempts = min(claim.attempts + 1, 30_000)
    longest = min(timedelta(seconds=2 ** min(attempts, 10)), LONGEST_PAUSE)
    pause = longest * random.uniform(0.25, 1)  # noqa: S311  # jitter, no secret
    return RequestOutcome(
        state=SyncRequest.State.WAITING,
        not_before=now + max(pause, at_least),
        attempts=attempts,
        confirms=claim.confirms,
        problem=problem,
        sentence=sentence,
    )


def _requested(error: errors.PartnerError) -> timedelta:
    """The pause that the service asks for (Retry-After): of every worker, not of one process. Or
    that of an endpoint that is held."""
    is_stated = isinstance(error, errors.Retryable) and error.has_retry_after
    seconds = getattr(error, "retry_after", 0.0) if is_stated else 0.0
    return min(timedelta(seconds=seconds), LONGEST_PAUSE)


def _wait(claim: Claim, *, now: datetime, error: Exception) -> RequestOutcome:
    """The request was not sent: no attempt is counted, the row keeps its place."""
    pause = float(getattr(error, "retry_after", None) or 1.0)
    pause = min(pause, LONGEST_PAUSE.total_seconds())
    return RequestOutcome(
        state=SyncRequest.State.WAITING,
        not_before=now + timedelta(seconds=pause * random.uniform(1, 1.3)),  # noqa: S311  # jitter
        attempts=claim.attempts,
        confirms=claim.confirms,
        problem="waiting",
        sentence=sentence_of(error),
    )
