"""The entities that the partner knows, with our spelling of their fields.

Every field may be None: absent, null and unreadable look the same here, and differ in the raw
text that is kept beside. Remote enum words stay strings.
"""

from typing import Any, ClassVar
from uuid import UUID

from pydantic import Field, model_validator

from partner.payloads.reading import (
    Day,
    Entity,
    Flag,
    Instant,
    MealTime,
    Note,
    Number,
    Tags,
    Text,
    Whole,
    Word,
)
from partner.wording import vocabulary as known

# The parts of a slot that say for whom it is guarded. A rule without its size meets every party.
WHO_IS_GUARDED = {
    "hasPaymentGuaranteeRequirement",
    "guaranteeRequirementList",
    "guaranteeRequirementList.[]",
    "guaranteeRequirementList.[].offerUuid",
}

# The parts of a listed day or time that say what is on sale.
ON_SALE = {"hasNormalStock", "offers", "offerList"}

Words = dict[str, frozenset[str]]


class Optins(Entity):
    restaurant_newsletter: Flag | None = None


class CustomField(Entity):
    label_uuid: UUID | None = None
    label: Text | None = None
    type: Word | None = None
    value: Any = None
    value_uuid: UUID | None = None

    WORDS: ClassVar[Words] = {"type": known.FIELD_TYPES}


# --- Booking flow ------------------------------------------------------------------------------


class OnSale(Entity):
    """A day or a time that is listed. The contract names no part that says what is on sale: where
    a service sends none of them, being listed is all that it states."""

    has_normal_stock: Flag | None = None

    @model_validator(mode="before")
    @classmethod
    def _listed_is_on_sale(cls, payload: Any) -> Any:
        if not isinstance(payload, dict) or ON_SALE & payload.keys():
            return payload
        return payload | {"hasNormalStock": True}


class Availability(OnSale):
    date: Day | None = None
    offer_list: list[UUID] | None = None

    def joined(self, other: "Availability") -> "Availability":
        """A day that is listed twice, with what both entries have on sale."""
        offers = [*(self.offer_list or ()), *(other.offer_list or ())]
        stock = self.has_normal_stock or other.has_normal_stock
        return self.model_copy(
            update={"has_normal_stock": stock, "offer_list": list(dict.fromkeys(offers))}
        )


class Guarantee(Entity):
    guarantee_type: Word | None = None
    amount: Number | None = None
    minimum_cancellation_hours: Whole | None = None
    minimum_party_size: Whole | None = None
    # None: the rule belongs to the normal stock.
    offer_uuid: UUID | None = None

    WORDS: ClassVar[Words] = {"guarantee_type": known.GUARANTEES}


class Timeslot(OnSale):
    # Opaque: sent back as mealDate character for character.
    datetime: Text | None = None
    offers: list[UUID] | None = None
    has_payment_guarantee_requirement: Flag | None = None
    guarantee_requirement_list: list[Guarantee] | None = None

    def guarantee_for(self, party_size: int, *, offer_uuid: UUID | None = None) -> Guarantee | None:
        """Return the rule that this size with this offer meets, if any.

        The slot's own flag is too coarse: it is true when any offer at all is guarded.
        """
        rules = (r for r in self.guarantee_requirement_list or () if r.offer_uuid == offer_uuid)
        return next((r for r in rules if (r.minimum_party_size or 0) <= party_size), None)

    def joined(self, other: "Timeslot") -> "Timeslot":
        """A time that is listed twice, with the offers and guarantees of both.

        Where one of them hides whom it asks for a guarantee, both together do.
        """
        base = other if other.hides_guarantee else self
        both = [*(self.guarantee_requirement_list or ()), *(other.guarantee_requirement_list or ())]
        changes: dict[str, object] = {
            "offers": list(dict.fromkeys([*(self.offers or ()), *(other.offers or ())])),
            "has_normal_stock": self.has_normal_stock or other.has_normal_stock,
        }
        if not base.hides_guarantee:
            changes["guarantee_requirement_list"] = both
            changes["has_payment_guarantee_requirement"] = bool(both)
        return base.model_copy(update=changes)

    @property
    def hides_guarantee(self) -> bool:
        """Whether the slot may need a guarantee of somebody, and it cannot be read of whom."""
        if self._unreadable & WHO_IS_GUARDED:
            return True
        return self.has_payment_guarantee_requirement is not False and not (
            self.guarantee_requirement_list
        )


class OfferPayload(Entity):
    uuid: UUID | None = None
    name: Text | None = None
    description: Text | None = None
    price: Number | None = None


class Override(Entity):
    restaurant_uuid: UUID | None = None
    date: Day | None = None
    start_time: Text | None = None
    end_time: Text | None = None
    is_open: Flag | None = None


class BookedCustomer(Entity):
    """What all answers about a guest have."""

    customer_uuid: UUID | None = None
    email: Text | None = None
    first_name: Text | None = None
    last_name: Text | None = None
    phone: Text | None = None
    locale: Text | None = None
    civility: Word | None = None
    optins: Optins | None = None

    WORDS: ClassVar[Words] = {"civility": known.CIVILITIES}


class ReservationFacts(Entity):
    """What all answers about a booking have."""

    reservation_uuid: UUID | None = None
    restaurant_uuid: UUID | None = None
    # With the restaurant's own offset, as it was sent.
    meal_date: MealTime | None = None
    meal_status: Word | None = None
    party_size: Whole | None = None
    status: Word | None = None
    offer_uuid: UUID | None = None
    customer_note: Note | None = None
    restaurant_note: Note | None = None
    customer_uuid: UUID | None = None

    WORDS: ClassVar[Words] = {"status": known.STATUSES, "meal_status": known.MEAL_STATUSES}


class BookedReservation(ReservationFacts):
    """What a creation, an update or a cancellation answers. Read the reservation for the rest."""

    customer: BookedCustomer | None = None  # a cancellation has its uuid only


# --- Data --------------------------------------------------------------------------------------


class OfferDetails(Entity):
    offer_type: Word | None = None
    name: dict[str, Text | None] | None = None
    discount_percentage: Number | None = None
    preset_menu_type: Word | None = None
    price: Number | None = None
    currency: Text | None = None

    WORDS: ClassVar[Words] = {
        "offer_type": known.OFFER_TYPES,
        "preset_menu_type": known.MENU_TYPES,
    }


class UtmTracking(Entity):
    key: Word | None = None
    value: Text | None = None

    WORDS: ClassVar[Words] = {"key": known.UTM_KEYS}


class BillAmount(Entity):
    total_price: Number | None = None
    currency: Text | None = None


class ReservationPayload(ReservationFacts):
    custom_fields: list[CustomField] | None = None
    offer_details: OfferDetails | None = None
    utm_tracking_information: list[UtmTracking] | None = None
    bill_amount: BillAmount | None = None
    reservation_channel: Word | None = None
    created_at: Instant | None = None
    updated_at: Instant | None = None

    WORDS: ClassVar[Words] = {
        **ReservationFacts.WORDS,
        "reservation_channel": known.CHANNELS,
    }


class CustomerPayload(BookedCustomer):
    secondary_phone: Text | None = None
    birth_date: Day | None = None
    rank: Word | None = None
    computed_rank: Text | None = None
    is_vip: Flag | None = None
    is_promoter: Flag | None = None
    address: Text | None = None
    country: Text | None = None
    city: Text | None = None
    zipcode: Text | None = None
    allergies_and_intolerances: Tags | None = None
    dietary_restrictions: Tags | None = None
    spending_behaviour: Tags | None = None
    customer_relationship: Tags | None = None
    risk_level: Tags | None = None
    other_tags: Tags | None = None
    fav_food: Text | None = None
    fav_drinks: Text | None = None
    fav_seating: Text | None = None
    notes: Note | None = None
    origin_restaurant_uuid: UUID | None = None
    origin_restaurant_name: Text | None = None
    creation_date: Instant | None = None
    last_update_date: Instant | None = None
    custom_fields: list[CustomField] | None = None

    WORDS: ClassVar[Words] = {**BookedCustomer.WORDS, "rank": known.RANKS}


# --- Review flow -------------------------------------------------------------------------------


class ReviewedReservation(Entity):
    reservation_uuid: UUID | None = None
    meal_date: MealTime | None = None


class Reviewer(Entity):
    customer_uuid: UUID | None = None
    first_name: Text | None = None
    last_name: Text | None = None


class DinerRating(Entity):
    global_rating: Number | None = None
    ambience_rating: Number | None = None
    food_quality_rating: Number | None = None
    service_rating: Number | None = None
    price_evaluation: Word | None = None
    waiting_time_evaluation: Word | None = None
    noise_level_evaluation: Word | None = None

    WORDS: ClassVar[Words] = {
        "price_evaluation": known.PRICES,
        "waiting_time_evaluation": known.WAITING_TIMES,
        "noise_level_evaluation": known.NOISE_LEVELS,
    }


class Comment(Entity):
    content: Text | None = None
    language: Text | None = None
    publication_status: Word | None = None
    created_ts: Instant | None = None
    updated_ts: Instant | None = None
    published_ts: Instant | None = None
    moderation_reason: Word | None = None

    WORDS: ClassVar[Words] = {
        "publication_status": known.PUBLICATION_STATUSES,
        "moderation_reason": known.COMMENT_REASONS,
    }


class Reply(Comment):
    WORDS: ClassVar[Words] = {
        "publication_status": known.PUBLICATION_STATUSES,
        "moderation_reason": known.REPLY_REASONS,
    }


class ExperienceDetail(Entity):
    occasion: Word | None = None

    WORDS: ClassVar[Words] = {"occasion": known.OCCASIONS}


class ReviewPayload(Entity):
    review_uuid: UUID | None = None
    restaurant_uuid: UUID | None = None
    is_valid: Flag | None = None
    created_ts: Instant | None = None
    updated_ts: Instant | None = None
    reservation: ReviewedReservation | None = None
    customer: Reviewer | None = None
    diner_rating: DinerRating | None = None
    comment: Comment | None = None
    experience_detail: ExperienceDetail | None = None
    restaurant_reply: Reply | None = None


class ReplyAnswer(Entity):
    review_uuid: UUID | None = None
    restaurant_reply: Reply | None = None


# --- Phone -------------------------------------------------------------------------------------


class NextReservation(Entity):
    reservation_uuid: UUID | None = None
    meal_date: MealTime | None = None
    status: Word | None = None

    WORDS: ClassVar[Words] = {"status": known.STATUSES}


class PhoneMatch(Entity):
    customer_uuid: UUID | None = None
    first_name: Text | None = None
    last_name: Text | None = None
    phone: Text | None = None
    email: Text | None = None
    next_reservations: list[NextReservation] | None = Field(None, alias="nextReservationsList")


class CallAnswer(Entity):
    status: Number | None = None


class MilestoneAnswer(Entity):
    status_code: Number | None = None


# --- Point of sale -----------------------------------------------------------------------------


class PosInstance(Entity):
    uuid: UUID | None = None
    name: Text | None = None
    type: Text | None = None
    homepage_url: Text | None = None
    receipt_opening_url: Text | None = None
    oauth_authorize_url: Text | None = None
    oauth_token_url: Text | None = None
    oauth_scope: Tags | None = None
    available_on: Tags | None = None
    logo_path: Text | None = None
