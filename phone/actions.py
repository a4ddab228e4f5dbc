"""What is reported to the service: calls, and the milestones of the telephone's onboarding."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _lazy

from accounts.models import User
from lib.labels import label_of
from outbox.models import Intent
from outbox.registry import Action, Found, IntentSubject, Look, Settled, Subjects
from partner.errors import InvalidRequest
from phone import numbers
from phone.milestones import FINAL
from phone.milestones import label_of as milestone_label
from phone.models import Call, Event

NOTED = _lazy("The service has noted: %(milestone)s.")
REPORT_CALL = "phone.call"
REPORT_MILESTONE = "phone.milestone"
# In place of a caller's number that nobody knows.
HIDDEN = "anonymous"
# A service that fails for hours must not get every call of the day when it is back.
WORTH_TELLING = timedelta(hours=2)


def send_call(client: Any, intent: Intent) -> Any:
    """Both numbers in their two spellings, read from the call: the intent holds no number."""
    call = Call.objects.filter(uuid=intent.uuid).first() if intent.uuid else None
    if call is None:
        raise InvalidRequest(field="call", sentence=_lazy("This call is no longer kept."))
    if timezone.now() - intent.created_at > WORTH_TELLING:
        raise InvalidRequest(field="call", sentence=_lazy("This call is long over."))
    country = intent.restaurant.country
    local = numbers.local(call.number, country=country) if call.number else ""
    return client.report_call(
        intent.restaurant.uuid,
        status=intent.payload["status"],
        caller_id=local or call.caller_id or HIDDEN,
        is_valid_phone=bool(call.number),
        phone_number=call.number or None,
        at=call.began_at,
        call_id=call.uuid,
    )


def send_milestone(client: Any, intent: Intent) -> Any:
    return client.report_integration_status(intent.restaurant.uuid, status=intent.payload["status"])


def settle_milestone(intent: Intent, _answer: Any) -> Settled:
    label = milestone_label(intent.payload["status"])
    return Settled(sentence=NOTED, params={"milestone": label})


def confirms_call(_intent: Intent, answer: Any) -> bool:
    return _is_good(answer.entity.status)


def confirms_milestone(_intent: Intent, answer: Any) -> bool:
    return _is_good(answer.entity.status_code)


def _is_good(status: Any) -> bool:
    """Both answers consist of a status of their own, beside that of HTTP."""
    return status is not None and 200 <= status < 300


def subjects_of_calls(intents: Sequence[Intent], _user: User) -> Subjects:
    """Which step of a call was reported; the caller's number is not shown. No queries."""
    labels = dict(Event.choices)
    return {one.pk: _status(label_of(one.payload["status"], labels)) for one in intents}


def subjects_of_milestones(intents: Sequence[Intent], _user: User) -> Subjects:
    """Which step of the installation was reported. No queries."""
    return {one.pk: _status(milestone_label(one.payload["status"])) for one in intents}


def _status(label: str) -> IntentSubject:
    return IntentSubject(changes=(label,))


def look(_client: Any, _intent: Intent) -> Look:
    """It cannot be read back, and reporting the same twice changes nothing over there."""
    return Look(Found.UNPROVEN)


def look_for_milestone(_client: Any, intent: Intent) -> Look:
    """The final one also gives access to the whole group, perhaps again after it was withdrawn."""
    is_final = intent.payload["status"] == FINAL
    return Look(Found.UNSURE if is_final else Found.UNPROVEN)


OWN_ACTIONS = (
    Action(
        name=REPORT_CALL,
        title=_lazy("Report a call"),
        done=_lazy("Call reported"),
        subjects=subjects_of_calls,
        send=send_call,
        confirms=confirms_call,
        look=look,
    ),
    Action(
        name=REPORT_MILESTONE,
        title=_lazy("Report a telephone milestone"),
        done=_lazy("Milestone reported"),
        subjects=subjects_of_milestones,
        send=send_milestone,
        confirms=confirms_milestone,
        look=look_for_milestone,
        settle=settle_milestone,
    ),
)
