"""Labels for the words of the service about a booking."""

from typing import NamedTuple

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from lib.labels import label_of
from partner.wording.names import naming_host_app

STATUSES = {
    "RECORDED": _("Confirmed"),
    "REQUESTED": _("Requested"),
    "REFUSED": _("Refused"),
    "CANCELED": _("Cancelled"),
    "NO_SHOW": _("No-show"),
}
MEAL_STATUSES = {
    "PARTIALLY_ARRIVED": _("Partly here"),
    "ARRIVED": _("Here"),
    "SEATED": _("Seated"),
    "BILL": _("Bill"),
    "LEFT": _("Left"),
}
# Readable words of the service are kept.
CHANNELS = {
    "Marketplace": _("Marketplace"),
    "Booking Module": _("Booking module"),
    "Marketplace Manager API": _("Partner (API)"),
    "Offline": _("Entered by staff"),
    "Walk-in": _("Walk-in"),
    "Cross Sell": _("Other venue of the group"),
    "SearchEngine": _("Search engine"),
    "TravelSite": _("Travel site"),
    "Guide": _("Guide"),
}
OFFER_TYPES = {
    "promotion": _("Promotion"),
    "presetMenu": _("Set menu"),
}
MENU_TYPES = {
    "generic": _("Set menu"),
    "group": _("Group menu"),
    "of_the_day": _("Menu of the day"),
    "brunch": _("Brunch"),
    "experience": _("Experience"),
    "card_brand": _("For holders of one card brand"),
}
GUARANTEES = {
    "imprint": _("Card imprint"),
    "prepayment": _("Prepayment"),
}
UTM_KEYS = {
    "utm_source": _("Campaign source"),
    "utm_medium": _("Campaign medium"),
    "utm_campaign": _("Campaign"),
}


CARD_BRAND = "card_brand"
CARD_BRAND_ONLY = _("Holders of one brand of card only; the card is checked at payment.")


def offer_kind(offer_type: str, menu_type: str) -> str:
    """The kind of an offer: that of its menu if there is one, else promotion or menu."""
    return label_of(menu_type, MENU_TYPES) if menu_type else label_of(offer_type, OFFER_TYPES)


def offer_restriction(menu_type: str) -> str:
    """Who may use an offer of this kind, or ""."""
    return str(CARD_BRAND_ONLY) if menu_type == CARD_BRAND else ""


class ChangeMark(models.TextChoices):
    """What a board marks of the changes that were sent from here: the more urgent, the later."""

    UNDER_WAY = "under-way", _("Change under way")
    REFUSED = "refused", _("Change refused")
    ASKS = "asks", _("Change to decide")

    @property
    def icon(self) -> str:
        """Never a triangle, which is an allergy or a late guest."""
        return {self.UNDER_WAY: "clock", self.REFUSED: "error", self.ASKS: "question"}[self]

    @property
    def is_urgent(self) -> bool:
        return self != self.UNDER_WAY


class Notice(NamedTuple):
    """What a status means for somebody who has just booked, and what to do next."""

    tone: str
    title: "str | Promise"
    text: "str | Promise" = ""


STATUS_NOTICES = {
    "RECORDED": Notice("good", _("Confirmed")),
    "REQUESTED": Notice(
        "warn",
        _("Asked, not confirmed"),
        naming_host_app(
            _("The restaurant decides in %(app)s. Until then it stands among the requests.")
        ),
    ),
    "REFUSED": Notice(
        "bad",
        _("Refused"),
        _("There is no table. Offer the guest another time, day or restaurant."),
    ),
    "CANCELED": Notice(
        "bad",
        _("Cancelled"),
        _("There is no table. Book again if the guest still wants to come."),
    ),
    "NO_SHOW": Notice(
        "bad",
        _("No-show"),
        _("The service has it as a guest who did not come. Book again for another time."),
    ),
}


def notice_of(status: str) -> Notice:
    """The notice of a status; an unknown one is no confirmation."""
    unknown = naming_host_app(_("This is no confirmation. Look at the booking in %(app)s."))
    title = label_of(status, STATUSES) or _("Unknown")
    return STATUS_NOTICES.get(status) or Notice("warn", title, unknown)


def party_in_words(size: int | None) -> str:
    """“4 people”; an unknown size is never shown as nobody."""
    if size is None:
        return gettext("Party of unknown size")
    return ngettext("%(n)s person", "%(n)s people", size) % {"n": size}
