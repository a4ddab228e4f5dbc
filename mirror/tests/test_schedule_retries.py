"""What becomes of a read that failed, by remedy."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import InterfaceError, OperationalError

from mirror.kinds import EntityLocation
from mirror.models import Priority, SyncRequest
from mirror.queue import parked, retry_schedule
from mirror.queue.sync_requests import Claim
from partner import errors

NOW = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
WAITING, PARKED, SETTLED = (
    SyncRequest.State.WAITING,
    SyncRequest.State.PARKED,
    SyncRequest.State.SETTLED,
)


def claim(*, attempts=0, confirms=0, priority=1, problem=""):
    return Claim(
        pk=1,
        kind="reservation",
        uuid=uuid4(),
        location=EntityLocation(),
        request_count=1,
        fetch_no=1,
        priority=priority,
        attempts=attempts,
        confirms=confirms,
        actor_id=None,
        slice_id=None,
        problem=problem,
    )


def outcome_after(error, **facts):
    return retry_schedule.after_failure(error, claim(**facts), now=NOW)


def test_an_outage_is_waited_out():
    outcome = outcome_after(errors.Unavailable(status=503))

    assert outcome.state == WAITING
    assert outcome.attempts == 1


def test_the_pauses_grow_and_have_an_end():
    short = outcome_after(errors.Unavailable(), attempts=0).not_before - NOW
    long = outcome_after(errors.Unavailable(), attempts=9).not_before - NOW
    longest = outcome_after(errors.Unavailable(), attempts=30).not_before - NOW

    assert short < long
    assert longest <= retry_schedule.LONGEST_PAUSE


@pytest.mark.parametrize("kind", [errors.Unavailable, errors.Throttled])
@pytest.mark.parametrize(("requested", "least"), [(30.0, 30), (0.0, 0), (7200.0, 900)])
def test_a_pause_that_the_service_asks_for_is_kept_by_every_worker(kind, requested, least):
    """A process keeps it for itself: another worker would take the read up within a second."""
    outcome = outcome_after(kind(retry_after=requested))

    assert outcome.not_before - NOW >= timedelta(seconds=least)
    assert outcome.not_before - NOW <= retry_schedule.LONGEST_PAUSE


def test_what_never_left_costs_no_attempt():
    outcome = outcome_after(errors.CircuitOpen(retry_after=10), attempts=2)

    assert (outcome.state, outcome.attempts) == (WAITING, 2)
    assert outcome.not_before >= NOW + timedelta(seconds=10)


@pytest.mark.parametrize(
    ("priority", "last"), [(Priority.EVENT, WAITING), (Priority.SWEEP, PARKED)]
)
def test_what_a_sweep_reads_of_a_held_endpoint_is_parked(priority, last):
    """A sweep would never end, and of an account whose sweep still runs no other begins."""
    claimed = {"priority": priority}
    for _ in range(retry_schedule.MOST_MALFORMED + 1):
        outcome = outcome_after(errors.EndpointHeld(retry_after=15), **claimed)
        assert outcome.not_before - NOW >= timedelta(seconds=15)
        claimed |= {"problem": outcome.problem, "attempts": outcome.attempts}

    assert outcome.state == last


def test_a_refused_credential_costs_no_attempt():
    assert outcome_after(errors.CredentialsRefused()).attempts == 0


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (errors.MissingScope(status=403), "scope"),
        (errors.NotConfigured(), "not-configured"),
        (errors.Refused(status=400, code="INVALID_ID"), "refused"),
    ],
)
def test_what_only_a_person_can_change_is_parked_with_a_sentence(error, problem):
    outcome = outcome_after(error)

    assert (outcome.state, outcome.problem) == (PARKED, problem)
    assert outcome.sentence


def test_a_group_that_has_not_accepted_the_terms_is_read_again_within_the_hour():
    """All of its records are refused until it has: nobody should press “Try again” for each."""
    refusal = errors.Refused(status=400, code="RESTAURANT_GROUP_NOT_READY")
    outcome = outcome_after(refusal)

    assert outcome.state == PARKED
    assert "terms" in str(outcome.sentence)
    assert outcome.not_before == NOW + timedelta(hours=1)


@pytest.mark.parametrize("error", [OperationalError("locked"), InterfaceError("closed")])
def test_a_database_that_is_away_while_it_is_read_parks_nothing(error):
    """The thread needs it for its token; parked, the list of a first copy would count as read."""
    outcome = outcome_after(error)

    assert (outcome.state, outcome.problem) == (WAITING, "unstored")


def test_a_fault_of_the_program_is_read_again_within_the_hour():
    outcome = outcome_after(KeyError("payload"))

    assert (outcome.state, outcome.not_before) == (PARKED, NOW + timedelta(hours=1))
    assert outcome.problem in parked.READ_AGAIN


def test_a_refusal_as_anothers_is_believed_the_third_time():
    error = errors.NotOurs(status=401)
    claimed: dict[str, object] = {}
    for _time in range(len(retry_schedule.REFUSED_AGAIN)):
        outcome = outcome_after(error, **claimed)
        assert (outcome.state, outcome.problem) == (WAITING, "not-ours")
        claimed = {"problem": outcome.problem, "attempts": outcome.attempts}

    assert outcome_after(error, **claimed).state == PARKED


def test_a_garbled_answer_is_requested_again():
    assert outcome_after(errors.Malformed(body="<html>")).state == WAITING


def test_an_answer_that_stays_garbled_is_parked_with_its_body():
    outcome = outcome_after(errors.Malformed(body="<html>"), attempts=retry_schedule.MOST_MALFORMED)

    assert (outcome.state, outcome.evidence) == (PARKED, "<html>")


def test_the_body_of_a_parked_answer_is_storable():
    """PostgreSQL refuses NUL, and a refused row would be read again for ever."""
    outcome = outcome_after(
        errors.Malformed(body="\0<html>\0"), attempts=retry_schedule.MOST_MALFORMED
    )

    assert outcome.evidence == "\ufffd<html>\ufffd"


def test_the_first_404_may_be_a_replica_that_lags():
    outcome = outcome_after(errors.NotFound(status=404))

    assert (outcome.state, outcome.gone) == (WAITING, False)
    assert outcome.not_before == NOW + timedelta(seconds=10)


def test_the_second_404_is_believed_and_looked_at_again():
    outcome = outcome_after(errors.NotFound(status=404), confirms=1)

    assert (outcome.state, outcome.gone) == (WAITING, True)


def test_after_the_last_look_a_404_settles():
    outcome = outcome_after(errors.NotFound(status=404), confirms=len(retry_schedule.CONFIRM_AFTER))

    assert (outcome.state, outcome.gone) == (SETTLED, True)


def test_an_event_without_news_is_looked_at_three_times():
    looks = [retry_schedule.confirm(claim(confirms=n), now=NOW) for n in range(4)]

    assert [look.state for look in looks] == [WAITING, WAITING, WAITING, SETTLED]
