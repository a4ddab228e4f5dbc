"""The point-of-sale API's refusals in words: it has its own key, host and meanings."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from partner.errors import Ambiguous, NotSent, PartnerError
from pos.models import Logo

State = Logo.State


class LogoWords(NamedTuple):
    """How a sending ended. Nothing sends a logo again by itself: no word may promise it."""

    state: State
    sentence: "str | Promise"
    next_step: "str | Promise"


REFUSED_FILE = LogoWords(
    State.REFUSED,
    _("The service refused the file. The logo was not changed."),
    _("Look at the list of checks, or choose another picture."),
)
REFUSED_KEY = LogoWords(
    State.REFUSED,
    _("The service refused our key. The logo was not changed."),
    _("Enter the point-of-sale API key again on the connection page."),
)
FAULT = LogoWords(
    State.UNSURE,
    _("The service had a fault: it may have taken the logo or not."),
    _("Try again later; your file is kept."),
)
UNREADABLE = LogoWords(
    State.UNSURE,
    _("The service answered, but did not say that it took the logo."),
    _("Look into the manager application whether it is there, or send it again."),
)
NO_ANSWER = LogoWords(
    State.UNSURE,
    _("The service did not answer: it may have taken the logo or not."),
    _("Send it again; your file is kept."),
)
NOT_REACHED = LogoWords(
    State.REFUSED,
    _("The service cannot be reached. The logo was not changed."),
    _("Try again later; your file is kept."),
)
BY_STATUS = {
    400: REFUSED_FILE,
    401: REFUSED_KEY,
    403: REFUSED_KEY,
    404: LogoWords(
        State.REFUSED,
        _("The service has no point-of-sale entry with this identifier."),
        _("Check the identifier on the connection page."),
    ),
    409: REFUSED_FILE,
    413: REFUSED_FILE,
    415: LogoWords(
        State.REFUSED,
        _("The service says that this is not a PNG picture. The logo was not changed."),
        _("Save the picture as PNG and choose it again."),
    ),
    422: REFUSED_FILE,
    429: LogoWords(
        State.REFUSED,
        _("Too many requests at once. The logo was not changed."),
        _("Send it again in a minute; your file is kept."),
    ),
}


def words_of(error: PartnerError) -> LogoWords:
    """What happened, and what to do next. What was not sent for our own reasons says why itself."""
    if error.status in BY_STATUS:
        return BY_STATUS[error.status]
    if error.status is not None and error.status >= 500:
        return FAULT
    if error.status is not None:
        return UNREADABLE
    if isinstance(error, Ambiguous):
        return NO_ANSWER
    if isinstance(error, NotSent):
        return NOT_REACHED
    return LogoWords(State.REFUSED, error.sentence, error.next_step)
