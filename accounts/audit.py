"""The audit trail: what people did besides changing rows, which auditlog records itself."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from auditlog.models import LogEntry
from django.db import models
from django.dispatch import Signal
from django.utils.functional import Promise

from accounts.models import User
from lib.labels import Labels
from lib.registration import ExtensionPoint


class VerbLabels(NamedTuple):
    """The labels of the enum words among the details of a verb, and a label of the verb itself.

    Fixed verbs have theirs in restaurants/audit_trail/words.py; a title is for composed ones.
    """

    verb: str
    labels: Labels
    title: "str | Promise" = ""


LABELS: ExtensionPoint[VerbLabels] = ExtensionPoint("Words of the audit trail")

# An entry was written by `record`: with it, its target and the places that it is within.
recorded = Signal()


def record(
    user: User | None,
    verb: str,
    target: models.Model | None = None,
    details: dict[str, Any] | None = None,
    *,
    within: Iterable[models.Model] = (),
) -> None:
    """Record that a person did something: exported, revealed, switched, signed in.

    `details` holds amounts and sources, never a guest's name, a number or a secret.
    `within` names the groups or restaurants where it was done, if the target does not. What the
    shell did has no user, and a target.
    """
    entry = LogEntry.objects.log_create(
        target or user,
        force_log=True,
        action=LogEntry.Action.ACCESS,
        actor=user,
        additional_data={"verb": verb, **(details or {})},
    )
    recorded.send(LogEntry, entry=entry, target=target or user, within=within)
