"""What becomes of a read that failed, by remedy."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from mirror import verdicts
from mirror.kinds import EntityLocation
from mirror.models import Request
from mirror.queue import Claim
from partner import errors

NOW = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
WAITING, PARKED, SETTLED = Request.State.WAITING, Request.State.PARKED, Request.State.SETTLED


def claim(*, attempts=0, confirms=0, priority=1):
    return Claim(
        pk=1,
        kind="reservation",
        uuid=uuid4(),
        location=EntityLocation(),
        wanted=1,
        fetch_no=1,
        priority=priority,
        attempts=attempts,
        confirms=confirms,
        actor_id=None,
        slice_id=None,
    )


def judge(error, **facts):
    return verdicts.failed(error, claim(**facts), now=NOW)


def test_an_outage_is_waited_out():
    verdict = judge(errors.Unavailable(status=503))

    assert verdict.state == WAITING
    assert verdict.attempts == 1


def test_the_pauses_grow_and_have_an_end():
    short = judge(errors.Unavailable(), attempts=0).not_before - NOW
    long = judge(errors.Unavailable(), attempts=9).not_before - NOW
    longest = judge(errors.Unavailable(), attempts=30).not_before - NOW

    assert short < long
    assert longest <= verdicts.LONGEST_PAUSE


def test_what_never_left_costs_no_attempt():
    verdict = judge(errors.CircuitOpen(retry_after=10), attempts=2)

    assert (verdict.state, verdict.attempts) == (WAITING, 2)
    assert verdict.not_before >= NOW + timedelta(seconds=10)


def test_a_refused_credential_costs_no_attempt():
    assert judge(errors.CredentialsRefused()).attempts == 0


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (errors.NotOurs(status=401), "not-ours"),
        (errors.MissingScope(status=403), "scope"),
        (errors.NotConfigured(), "not-configured"),
        (errors.Refused(status=400, code="INVALID_ID"), "refused"),
    ],
)
def test_what_only_a_person_can_change_is_parked_with_a_sentence(error, problem):
    verdict = judge(error)

    assert (verdict.state, verdict.problem) == (PARKED, problem)
    assert verdict.sentence


def test_a_garbled_answer_is_asked_for_again():
    assert judge(errors.Malformed(body="<html>")).state == WAITING


def test_an_answer_that_stays_garbled_is_parked_with_its_body():
    verdict = judge(errors.Malformed(body="<html>"), attempts=verdicts.MOST_MALFORMED)

    assert (verdict.state, verdict.evidence) == (PARKED, "<html>")


def test_the_body_of_a_parked_answer_is_storable():
    """PostgreSQL refuses NUL, and a refused row would be read again for ever."""
    verdict = judge(errors.Malformed(body="\0<html>\0"), attempts=verdicts.MOST_MALFORMED)

    assert verdict.evidence == "\ufffd<html>\ufffd"


def test_the_first_404_may_be_a_replica_that_lags():
    verdict = judge(errors.NotFound(status=404))

    assert (verdict.state, verdict.gone) == (WAITING, False)
    assert verdict.not_before == NOW + timedelta(seconds=10)


def test_the_second_404_is_believed_and_looked_at_again():
    verdict = judge(errors.NotFound(status=404), confirms=1)

    assert (verdict.state, verdict.gone) == (WAITING, True)


def test_after_the_last_look_a_404_settles():
    verdict = judge(errors.NotFound(status=404), confirms=len(verdicts.CONFIRM_AFTER))

    assert (verdict.state, verdict.gone) == (SETTLED, True)


def test_an_event_without_news_is_looked_at_three_times():
    looks = [verdicts.confirm(claim(confirms=n), now=NOW) for n in range(4)]

    assert [look.state for look in looks] == [WAITING, WAITING, WAITING, SETTLED]
