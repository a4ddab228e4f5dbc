"""Labels of what the audit trail stores in English: verbs, names of details, kinds of rows.

The stored words stay, because scripts read them (`additional_data`); people read these. One table,
so that a translator reads all verbs at once; a test compares it with every call of `audit.record`.
"""

import re
from typing import Any

from auditlog.models import LogEntry
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from accounts import audit
from lib.labels import Labels, label_of, language_label

VERBS: Labels = {
    "accepted an invitation": _("Accepted an invitation"),
    "allowed an offline copy": _("Allowed an offline copy"),
    "approved a purge": _("Approved that guests are erased"),
    "became the first admin": _("Became the first admin"),
    "confirmed a reading": _("Confirmed what a note says"),
    "dismissed a reading": _("Dismissed what a note says"),
    "ended an ownership": _("Took an ownership away"),
    "erased a guest": _("Erased a guest"),
    "exported a guest": _("Exported a guest’s data"),
    "exported guests": _("Exported guests"),
    "exported calendar": _("Exported the calendar"),
    "exported calendar hours": _("Exported the hours of arrival"),
    "exported insights heat map": _("Exported the heat map"),
    "exported insights expected": _("Exported the forecast"),
    "exported insights forecast errors": _("Exported the errors of the forecast"),
    "exported insights prep sheet": _("Exported the prep sheet"),
    "exported phone numbers": _("Exported phone numbers to fix"),
    "exported reservations": _("Exported bookings"),
    "exported review figures": _("Exported figures of reviews"),
    "exported reviews": _("Exported reviews"),
    "gave a role back": _("Gave a role back"),
    "failed a PIN": _("Entered a wrong PIN"),
    "failed the second factor": _("Entered a wrong code"),
    "failed to sign in": _("Entered a wrong password"),
    "had a push address renewed": _("A browser changed its address for push messages"),
    "had deliveries routed again": _("Had deliveries processed again"),
    "invited a person": _("Invited a person"),
    "lost the second factor": _("Second factor removed on the server"),
    "made a sign-in link": _("Made a sign-in link"),
    "made an owner": _("Made an owner"),
    "moved a group": _("Moved a group to another connection"),
    "marked a booking": _("Marked a booking"),
    "phone.report_milestone": _("Reported a telephone milestone"),
    "phone.revoke_token": _("Stopped the old address of the telephone"),
    "phone.rotate_token": _("Made a new address for the telephone"),
    "pos.send_logo": _("Sent the logo"),
    "reservations.make_feed": _("Made a calendar address"),
    "reservations.revoke_feed": _("Stopped a calendar address"),
    "revealed contacts": _("Revealed a guest’s contacts"),
    "set a PIN": _("Set a PIN"),
    "shared a device": _("Shared a device"),
    "signed in": _("Signed in"),
    "stopped an offline copy": _("Stopped an offline copy"),
    "stopped sharing a device": _("Stopped sharing a device"),
    "took a role for a while": _("Took a role for a limited time"),
    "switched push messages off": _("Switched push messages off"),
    "switched push messages on": _("Switched push messages on"),
    "switched": _("Took over a shared device"),
    "took a decision back": _("Took a decision about a note back"),
    "took a mark back": _("Took a mark back"),
    "withdrew an invitation": _("Withdrew an invitation"),
}
# As earlier versions stored it.
ROUTED_AGAIN = re.compile(r"had \d+ deliveries routed again")

ACTIONS = {
    LogEntry.Action.CREATE: _("Created"),
    LogEntry.Action.UPDATE: _("Changed"),
    LogEntry.Action.DELETE: _("Removed"),
    LogEntry.Action.ACCESS: _("Looked at"),
}

KEYS: Labels = {
    "address": _("address"),
    "as": _("file"),
    "booking": _("booking"),
    "count": _("number"),
    "end": _("outcome"),
    "from": _("person’s number before"),
    "group": _("group"),
    "guest": _("guest"),
    "hours": _("hours"),
    "mark": _("mark"),
    "minutes": _("minutes"),
    "reason": _("reason"),
    "role": _("role"),
    "rows": _("rows"),
    "size": _("size in bytes"),
    "status": _("step"),
}

# Fields whose models give no words: Django would make English ones of the columns' names.
FIELDS: Labels = {
    "covers": _("covers"),
    "created_at": _("made at"),
    "group": _("group"),
    "language": _("language"),
    "made_at": _("made at"),
    "made_by": _("made by"),
    "owner": _("person"),
    "previous_expires_at": _("the old address works until"),
    "restaurant": _("restaurant"),
    "role": _("role"),
    "rotated_at": _("new address since"),
    "service": _("service"),
    "user": _("person"),
    "weekday": _("weekday"),
}
# What a field without choices stores as a code.
CODES: dict[str, Labels] = {
    "service": {"morning": _("Breakfast"), "midday": _("Lunch"), "evening": _("Dinner")},
    "weekday": {str(number): name for number, name in WEEKDAYS.items()},
}

MODELS: Labels = {
    "user": _("Person"),
    "secondfactorrule": _("Second factor"),
    "shareddevice": _("Shared device"),
    "group": _("Group"),
    "restaurant": _("Restaurant"),
    "serviceperiod": _("Service"),
    "membership": _("Role"),
    "offlinedevice": _("Offline copy"),
    "connection": _("Connection"),
    "posidentity": _("Point of sale"),
    "logo": _("Logo"),
    "phonesystem": _("Telephone system"),
    "reservation": _("Booking"),
    "feed": _("Calendar address"),
    "rules": _("Rules of reviews"),
    "servicetarget": _("Target of a service"),
    "daynote": _("Note of a day"),
}
# Their text is a sentence for developers or a stored code.
NAMELESS = frozenset({"feed", "logo", "phonesystem", "secondfactorrule", "servicetarget"})


def verb_label(verb: str) -> str:
    """What a person did, in words; a verb that is not known is shown as it was stored."""
    if ROUTED_AGAIN.fullmatch(verb):
        verb = "had deliveries routed again"
    titles = {one.verb: one.title for one in audit.LABELS if one.title}
    return str(VERBS.get(verb) or titles.get(verb) or verb)


def key_label(key: str) -> str:
    return label_of(key, KEYS)


def code_label(field: Any, stored: str) -> str:
    """The word of a code; anything else as it was stored."""
    if field.name == "language":
        return language_label(stored)
    return str(CODES.get(field.name, {}).get(stored, stored))


def target_label(model: str, name: str) -> str:
    """The kind of a row and its name: “Restaurant Quay”."""
    kind = label_of(model, MODELS)
    return kind if model in NAMELESS else f"{kind} {name}"
