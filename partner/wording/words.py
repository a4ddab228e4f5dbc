"""Sentences for people, by error code of the partner.

Each row: what happened · what did *not* happen (added after a write) · what to do next.
Looked up by the partner's code first, then by the kind of error.
"""

import re
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from partner.wording.names import by_reader, naming_host_app

INVALID = re.compile(r"^INVALID_[A-Z0-9_]+$")
# A status that the contract does not list, from an answer without a code.
UNLISTED = re.compile(r"HTTP_(\d{3})")
NOTHING_CHANGED = _("Nothing was changed.")
# For people who have no Setup: what works meanwhile, and who can mend it.
WITHOUT_SETUP = naming_host_app(
    _("Do it in %(app)s meanwhile, and show this sentence to whoever set up the connection.")
)
# Instead, of a change that is still to be sent, or may have gone through: it would be done twice.
UNDO_FIRST = naming_host_app(
    _(
        "It is sent by itself once this is mended. To do it in %(app)s meanwhile, undo it here"
        " first. Show this sentence to whoever set up the connection."
    )
)
LOOK_FIRST = naming_host_app(
    _(
        "It may have gone through: look in %(app)s before you do it there. Show this sentence to"
        " whoever set up the connection."
    )
)


class Words(NamedTuple):
    sentence: "str | Promise"
    next_step: "str | Promise" = ""
    not_done: "str | Promise" = NOTHING_CHANGED


BY_CODE: dict[str, Words] = {
    "NO_AVAILABILITY": Words(
        _("There is no room for this booking."), _("Choose another time, size or restaurant.")
    ),
    "PAYMENT_GUARANTEE_NOT_SUPPORTED": Words(
        _("This time needs a card guarantee, which cannot be taken here."),
        _("Choose a time without a guarantee, or hand over the booking link."),
    ),
    "REVIEW_HAS_NO_PUBLISHED_COMMENT": Words(
        _("The comment is not published, so a reply is not possible yet."),
        _("Send the reply when the comment has been published."),
        _("Your draft is kept."),
    ),
    "RESTAURANT_GROUP_NOT_READY": Words(
        _("The group has not accepted the electronic booking terms in the restaurant tool."),
        _("Ask the owner to accept the terms there."),
    ),
    "CANCELLATION_ERROR": Words(
        _("This booking can no longer be cancelled."), naming_host_app(_("Open it in %(app)s."))
    ),
    "CUSTOMER_NOT_FOUND": Words(
        _("This guest no longer exists in the service."), _("Keep or erase our copy.")
    ),
    "RESERVATION_NOT_FOUND": Words(
        _("This booking no longer exists in the service."), _("Keep or erase our copy.")
    ),
    "RESTAURANT_NOT_FOUND": Words(
        _("The service does not know this restaurant."),
        by_reader(_("Check the restaurant's identifier."), WITHOUT_SETUP),
    ),
    "REVIEW_NOT_FOUND": Words(
        _("This review was removed from the service."), _("Our copy is hidden.")
    ),
    "PHONE_NUMBER_NOT_FOUND": Words(
        _("The service has no number written exactly like this."),
        _("Search the guests here, or book as a new guest."),
    ),
    "DOUBLE_BOOKING": Words(
        _("This clashes with another booking."), _("Look at the guest's other bookings.")
    ),
    "DOUBLE_CANCELLATION": Words(_("This booking is already cancelled."), _("Close.")),
    "RATE_LIMIT": Words(
        _("Too many requests at once."), _("It is tried again by itself in a moment.")
    ),
    # Ours, not the service's.
    "CONNECTION_NOT_ACTIVE": Words(
        _("The connection is paused: nothing is sent or read."),
        _("It goes on by itself once the connection is in use again."),
    ),
    "INTERNAL_SERVER_ERROR": Words(
        _("The service had a fault."), _("It is tried again by itself."), ""
    ),
    "ACCESS_DENIED": Words(
        _("The client id or secret was refused, or the client is not enabled for this API."),
        by_reader(
            _("Check the client id, the secret and the audience; then ask the integrations team."),
            WITHOUT_SETUP,
        ),
    ),
    "UNAUTHORIZED_CLIENT": Words(
        _("This kind of sign-in is not allowed for the client."),
        by_reader(
            _("Send the integrations team the text below."),
            WITHOUT_SETUP,
        ),
    ),
    "KEY_MISSING": Words(
        _("The stored credentials cannot be opened: an encryption key is missing."),
        by_reader(
            _("Put the key back into ENCRYPTION_KEYS, or enter the credentials again."),
            WITHOUT_SETUP,
        ),
    ),
    "ADDRESS_REFUSED": Words(
        _("The address of the service points to a private network."),
        by_reader(
            _("Correct the address of the connection."),
            WITHOUT_SETUP,
        ),
    ),
}

BY_KIND: dict[str, Words] = {
    "throttled": BY_CODE["RATE_LIMIT"],
    "unavailable": Words(_("The service is unavailable."), _("It is tried again by itself.")),
    "shifting": Words(
        _("The list changes faster than it can be read."), _("It is read again by itself.")
    ),
    "not_sent": Words(_("The service cannot be reached."), _("It is tried again by itself.")),
    "circuit_open": Words(
        _("The service is down. We keep trying, and go on when it is back."),
        _("It is tried again by itself."),
    ),
    "busy": Words(
        _("Too much is being asked of the service right now."), _("Try again in a moment.")
    ),
    "auth_suspect": Words(
        _("The service refuses our key everywhere, although it should be valid."),
        by_reader(
            _(
                "By the service's rule a key is not renewed before its end. Wait for it, or ask"
                " for a new one on the connection page."
            ),
            WITHOUT_SETUP,
        ),
    ),
    "ambiguous": Words(
        _("The service did not say whether it did this."), _("We look and tell you."), ""
    ),
    "not_found": Words(_("The service does not know this record."), _("Check the identifier.")),
    "not_ours": Words(
        _("The key works, but this restaurant, group or record does not belong to it."),
        by_reader(
            _("Check the identifier in the set-up."),
            WITHOUT_SETUP,
        ),
    ),
    "missing_scope": Words(
        _("Our key lacks the right for this."),
        by_reader(
            _("Setup → Connection lists the missing right. The service’s team grants it."),
            WITHOUT_SETUP,
        ),
    ),
    "conflict": Words(_("The service's state says otherwise."), _("Reload and look again.")),
    "refused": Words(_("The service did not accept this."), _("Check what was entered.")),
    "invalid": Words(_("This cannot be sent."), _("Correct what was entered.")),
    "malformed": Words(
        _("The service sent an answer that we cannot read."),
        by_reader(
            _("Check the address of the connection. If it is right, ask the service’s team."),
            WITHOUT_SETUP,
        ),
    ),
    "foreign": Words(
        _("The service answered with something else than what was asked for."),
        _("It is tried again by itself."),
    ),
    "credentials_refused": BY_CODE["ACCESS_DENIED"],
    "not_configured": Words(
        _("No connection to the service is set up."),
        by_reader(_("Set up the connection."), WITHOUT_SETUP),
    ),
    "error": Words(_("Something went wrong with the service."), _("Try again later.")),
}

# What the part after INVALID_ may be about. Its spelling is not published (START_DATE or
# STARTDATE), so letters alone are compared.
FIELDS: dict[str, tuple[str, "str | Promise"]] = {
    "MEALDATE": ("meal_date", _("the date and time")),
    "PARTYSIZE": ("party_size", _("the party size")),
    "EMAIL": ("email", _("the e-mail address")),
    "PHONE": ("phone", _("the telephone number")),
    "PHONENUMBER": ("phone", _("the telephone number")),
    "CALLPHONENUMBER": ("phone", _("the telephone number")),
    "FIRSTNAME": ("first_name", _("the first name")),
    "LASTNAME": ("last_name", _("the last name")),
    "LOCALE": ("locale", _("the language")),
    "LANGUAGE": ("language", _("the language")),
    "CIVILITY": ("civility", _("the title")),
    "OFFERUUID": ("offer_uuid", _("the offer")),
    "CUSTOMERNOTE": ("customer_note", _("the guest's note")),
    "RESTAURANTNOTE": ("restaurant_note", _("the staff note")),
    "CONTENT": ("content", _("the text")),
    "STARTDATE": ("start", _("the first day")),
    "ENDDATE": ("end", _("the last day")),
    "STARTTIME": ("start_time", _("the first time")),
    "ENDTIME": ("end_time", _("the last time")),
    "DATE": ("date", _("the day")),
    "RESTAURANTUUID": ("restaurant", _("the restaurant's identifier")),
    "GROUPUUID": ("group", _("the group's identifier")),
    "STATUS": ("status", _("the status")),
    "CUSTOMER": ("customer", _("the guest's details")),
    "RESTAURANTNEWSLETTER": ("newsletter", _("the newsletter")),
    "OPTINS": ("newsletter", _("the newsletter")),
    "ISOPEN": ("is_open", _("the opening or closing")),
    "LOGO": ("logo", _("the picture")),
    "BODY": ("", _("the form as a whole")),
    "ID": ("", _("the identifier")),
}
# What a field may stand in: INVALID_CUSTOMER_EMAIL is the e-mail address of the customer.
PARENTS = ("CUSTOMER", "OPTINS")


def field_of(code: str) -> str:
    """Return the field that a code names, as we spell it, or ""."""
    return _field(code)[0]


def is_about_a_field(code: str) -> bool:
    return bool(INVALID.match(code))


def sentence(code: str, *, kind: str, is_read: bool) -> str:
    words = _find(code, kind=kind)
    if is_about_a_field(code):
        text = _invalid_sentence(code)
    elif status := UNLISTED.fullmatch(code):
        text = now("The service answered %(status)s, in a form that is not in its contract.")
        text %= {"status": status[1]}
    else:
        text = str(words.sentence)
    return text if is_read else f"{text} {words.not_done}".strip()


def next_step(code: str, *, kind: str, is_queued: bool = False) -> str:
    """What to do next. A queued change is tried again by itself, a read by a person."""
    if is_queued and kind == "busy":
        kind = "not_sent"
    return str(_find(code, kind=kind).next_step)


def next_step_of_open(code: str, *, kind: str, is_unsent: bool) -> str:
    """What to do while a change is still to be sent, or looked up: never the same elsewhere."""
    step = next_step(code, kind=kind, is_queued=True)
    return str(UNDO_FIRST if is_unsent else LOOK_FIRST) if step == str(WITHOUT_SETUP) else step


def _find(code: str, *, kind: str) -> Words:
    return BY_CODE.get(code.upper()) or BY_KIND[kind]


def _field(code: str) -> tuple[str, "str | Promise"]:
    if not is_about_a_field(code):
        return "", ""
    name = code.removeprefix("INVALID_")
    unknown = now("the field “%(name)s”") % {"name": name.replace("_", " ").lower()}
    return _known_field(name.replace("_", "")) or ("", unknown)


def _known_field(letters: str) -> "tuple[str, str | Promise] | None":
    """Look a field up, first as it is, then without what it stands in."""
    if letters in FIELDS:
        return FIELDS[letters]
    inner = (letters.removeprefix(one) for one in PARENTS if letters.startswith(one))
    return next((found for rest in inner if (found := _known_field(rest))), None)


def _invalid_sentence(code: str) -> str:
    return now("The service did not accept %(field)s.") % {"field": _field(code)[1]}
