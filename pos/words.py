"""The point-of-sale API's refusals in words: it has its own key, host and meanings."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from partner.errors import Ambiguous, PartnerError


class LogoWords(NamedTuple):
    sentence: "str | Promise"
    next_step: "str | Promise"


BY_STATUS = {
    400: LogoWords(
        _("The service refused the file. The logo was not changed."),
        _("Look at the list of checks, or choose another picture."),
    ),
    401: LogoWords(
        _("The service refused our key. The logo was not changed."),
        _("Enter the point-of-sale API key again on the connection page."),
    ),
    404: LogoWords(
        _("The service has no point-of-sale entry with this identifier."),
        _("Check the identifier on the connection page."),
    ),
    415: LogoWords(
        _("The service says that this is not a PNG picture. The logo was not changed."),
        _("Save the picture as PNG and choose it again."),
    ),
    500: LogoWords(
        _("The service had a fault: it may have taken the logo or not."),
        _("Try again later; your file is kept."),
    ),
}
UNREADABLE = LogoWords(
    _("The service answered, but did not say that it took the logo."),
    _("Look into the manager application whether it is there, or send it again."),
)
NO_ANSWER = LogoWords(
    _("The service did not answer: it may have taken the logo or not."),
    _("Send it again; your file is kept."),
)


def words_of(error: PartnerError) -> LogoWords:
    """What happened, and what to do next. Errors of no own wording use the common table."""
    if error.status in BY_STATUS:
        return BY_STATUS[error.status]
    if error.status is not None and error.status < 300:
        return UNREADABLE
    if error.status is not None and error.status > 500:
        return BY_STATUS[500]
    if isinstance(error, Ambiguous):
        return NO_ANSWER
    return LogoWords(error.sentence, error.next_step)
