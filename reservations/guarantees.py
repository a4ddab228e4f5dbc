"""Whether a slot can be booked here by this many people with this offer. Pure.

The slot's own flag is true as soon as any offer at all is guarded; the rules beneath it say for
whom. A card cannot be taken through the API, so a guarded choice is shown, explained, not sold.
"""

from enum import Enum
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from lib.labels import label_of
from partner.schemas import Guarantee, Timeslot
from reservations.words import GUARANTEES


class Verdict(Enum):
    FREE = "free"
    GUARDED = "guarded"
    NOT_SOLD = "not sold"  # without this offer, or only with one


class Judgement(NamedTuple):
    verdict: Verdict
    reason: str = ""

    @property
    def is_free(self) -> bool:
        return self.verdict is Verdict.FREE


def judge(slot: Timeslot, *, party_size: int, offer: UUID | None = None) -> Judgement:
    """Judge one choice by the rules that meet it."""
    if offer is None and not slot.has_normal_stock:
        return Judgement(Verdict.NOT_SOLD, _("Only with an offer."))
    if offer is not None and offer not in (slot.offers or ()):
        return Judgement(Verdict.NOT_SOLD, _("Not with this offer."))
    if rule := slot.guarantee_for(party_size, offer_uuid=offer):
        return Judgement(Verdict.GUARDED, sentence(rule))
    if slot.hides_guarantee:
        # Guarded by rules that were not sent or cannot be read: never promise such a table.
        return Judgement(Verdict.GUARDED, _("Needs a card guarantee."))
    return Judgement(Verdict.FREE)


def any_choice(slot: Timeslot, *, party_size: int) -> Judgement:
    """Judge a slot before an offer is chosen: free when any choice is, else the first reason."""
    choices: list[UUID | None] = [None, *(slot.offers or ())]
    judged = [judge(slot, party_size=party_size, offer=offer) for offer in choices]
    free = (one for one in judged if one.is_free)
    guarded = (one for one in judged if one.verdict is Verdict.GUARDED)
    return next(free, None) or next(guarded, None) or judged[0]


def sentence(rule: Guarantee) -> str:
    """“Card imprint 20 EUR from 6 people, free until 24 h before.”"""
    size = int(rule.minimum_party_size or 0)
    words = label_of(rule.guarantee_type or "", GUARANTEES) or _("Card guarantee")
    if rule.amount is not None:
        # The contract knows no currency field here: the amount is described as euros.
        words += _(" of %(amount)s EUR") % {"amount": rule.amount}
    if size > 1:
        words += _(" from %(size)s people") % {"size": size}
    if rule.minimum_cancellation_hours is not None:
        words += _(", free until %(hours)s h before") % {"hours": rule.minimum_cancellation_hours}
    return f"{words}."
