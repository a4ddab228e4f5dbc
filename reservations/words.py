"""The service's words about a booking as people read them."""

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

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
# The service's own words stay as they are where they are words already.
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
UTM_KEYS = {
    "utm_source": _("Campaign source"),
    "utm_medium": _("Campaign medium"),
    "utm_campaign": _("Campaign"),
}


def party_in_words(size: int | None) -> str:
    """“4 people”; a size that is not known is never shown as nobody."""
    if size is None:
        return gettext("Party of unknown size")
    return ngettext("%(n)s person", "%(n)s people", size) % {"n": size}
