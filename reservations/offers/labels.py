"""Kinds of offers and menus in the words of a restaurant; an unknown one stays as it was sent."""

from django.utils.translation import gettext_lazy as _

OFFER_TYPES = {"promotion": _("Special offer"), "presetMenu": _("Menu")}
MENU_TYPES = {
    "generic": _("Set menu"),
    "group": _("Group menu"),
    "of_the_day": _("Menu of the day"),
    "brunch": _("Brunch"),
    "experience": _("Experience"),
    "card_brand": _("Menu for card holders"),
}


def kind_label(offer_type: str, menu_type: str) -> str:
    if menu_type:
        return str(MENU_TYPES.get(menu_type, menu_type))
    return str(OFFER_TYPES.get(offer_type, offer_type))
