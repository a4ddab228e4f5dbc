"""An offer as it is chosen for a new booking."""

from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from partner.schemas import OfferPayload
from reservations.guarantees import GuaranteeCheck
from reservations.offers.booked import BookedOffer


class OfferChoice(NamedTuple):
    uuid: UUID | None
    name: str
    description: str
    price: Any
    check: GuaranteeCheck
    kind: str = ""
    restriction: str = ""  # who may use it


def offer_choice(
    offer: OfferPayload, booked: BookedOffer | None, check: GuaranteeCheck
) -> OfferChoice:
    kind, restriction = (booked.kind, booked.restriction) if booked else ("", "")
    words = offer_name(offer), offer.description or ""
    return OfferChoice(offer.uuid, *words, offer.price, check, kind, restriction)


def offer_name(offer: OfferPayload) -> str:
    """The name of the offer, or enough of its uuid to distinguish it."""
    return offer.name or _("Offer %(id)s") % {"id": str(offer.uuid)[:8]}
