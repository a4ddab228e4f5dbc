"""Checks whether this many people can book a slot with this offer from here. Pure.

The slot's own flag is true as soon as any offer needs a guarantee; its rules name which. The API
cannot take a card, so such a choice is shown and explained, not sold.
"""

from enum import Enum
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from lib.labels import label_of
from partner.schemas import Guarantee, Timeslot
from reservations.words import GUARANTEES


class CheckResult(Enum):
    FREE = "free"
    NEEDS_GUARANTEE = "guarded"
    NOT_SOLD = "not sold"  # at all, without this offer, or only with one


class GuaranteeCheck(NamedTuple):
    result: CheckResult
    reason: str = ""

    @property
    def is_free(self) -> bool:
        return self.result is CheckResult.FREE


def check_choice(slot: Timeslot, *, party_size: int, offer: UUID | None = None) -> GuaranteeCheck:
    """Check one choice against the rules that apply to it."""
    if not slot.has_normal_stock and not slot.offers:
        return GuaranteeCheck(CheckResult.NOT_SOLD, _("Nothing free."))
    if offer is None and not slot.has_normal_stock:
        return GuaranteeCheck(CheckResult.NOT_SOLD, _("Only with an offer."))
    if offer is not None and offer not in (slot.offers or ()):
        return GuaranteeCheck(CheckResult.NOT_SOLD, _("Not with this offer."))
    if rule := slot.guarantee_for(party_size, offer_uuid=offer):
        return GuaranteeCheck(CheckResult.NEEDS_GUARANTEE, sentence(rule))
    if slot.hides_guarantee:
        # Rules that are missing or unreadable guard it: never promise such a table.
        return GuaranteeCheck(CheckResult.NEEDS_GUARANTEE, _("Needs a card guarantee."))
    return GuaranteeCheck(CheckResult.FREE)


def any_choice(slot: Timeslot, *, party_size: int) -> GuaranteeCheck:
    """Check a slot before an offer is chosen: free when any choice is, else the first reason."""
    choices: list[UUID | None] = [None, *(slot.offers or ())]
    checked = [check_choice(slot, party_size=party_size, offer=offer) for offer in choices]
    free = (one for one in checked if one.is_free)
    guarded = (one for one in checked if one.result is CheckResult.NEEDS_GUARANTEE)
    return next(free, None) or next(guarded, None) or checked[0]


def sentence(rule: Guarantee) -> str:
    """“Card imprint 20 EUR from 6 people, free until 24 h before.”"""
    size = int(rule.minimum_party_size or 0)
    words = label_of(rule.guarantee_type or "", GUARANTEES) or _("Card guarantee")
    if rule.amount is not None:
        # The contract has no currency field here: it describes the amount as euros.
        words += _(" of %(amount)s EUR") % {"amount": rule.amount}
    if size > 1:
        words += _(" from %(size)s people") % {"size": size}
    if rule.minimum_cancellation_hours is not None:
        words += _(", free until %(hours)s h before") % {"hours": rule.minimum_cancellation_hours}
    return f"{words}."
