"""Every enum word of the contract, in one place.

`IN_ANSWERS` names them by where they stand in an answer: the small world holds each of them, and
its test walks this table.
"""


def _with(prefix: str, words: str) -> tuple[str, ...]:
    return tuple(prefix + word for word in words.split())


CIVILITIES = _with(
    "",
    """mr mrs ms mr_and_mrs mx doctor professor counsel ambassador madam_ambassador president
    madam_president magister chef lord prince princess count countess duke duchess sir lady
    highness baron baroness company""",
)
RANKS = ("gold", "silver", "bronze", "caution")
FIELD_TYPES = ("boolean", "string", "integer")

STATUSES = ("RECORDED", "CANCELED", "NO_SHOW", "REQUESTED", "REFUSED")
MEAL_STATUSES = ("PARTIALLY_ARRIVED", "ARRIVED", "SEATED", "BILL", "LEFT")
CHANNELS = (
    "Marketplace",
    "Booking Module",
    "Marketplace Manager API",
    "Offline",
    "Walk-in",
    "Cross Sell",
    "SearchEngine",
    "TravelSite",
    "Guide",
)
OFFER_TYPES = ("promotion", "presetMenu")
MENU_TYPES = ("generic", "group", "of_the_day", "brunch", "experience", "card_brand")
UTM_KEYS = ("utm_source", "utm_medium", "utm_campaign")
GUARANTEES = ("imprint", "prepayment")

PUBLICATION_STATUSES = (
    "NOT_REVIEWED",
    "REJECTED",
    "PUBLISHED",
    "WAITING_REFORMULATE",
    "ARCHIVED",
    "DELETED",
)
PRICES = ("VERY_CHEAP", "CHEAP", "AVERAGE", "EXPENSIVE", "VERY_EXPENSIVE")
WAITING_TIMES = ("VERY_FAST", "FAST", "AVERAGE", "SLOW", "VERY_SLOW")
NOISE_LEVELS = ("VERY_QUIET", "QUIET", "MODERATE", "LOUD", "VERY_LOUD")
OCCASIONS = ("BUSINESS", "FRIENDS", "ROMANTIC", "FAMILY", "ALONE")

# The prefix of a reason says the decision. Published comments may have one too.
PUBLISHED_REASONS = _with(
    "PUBLISH_",
    """BOOKING_NOT_TAKEN_INTO_ACCOUNT GENERIC_TEMPLATE_PUBLISH OFFER_NOT_APPLIED
    OFFER_PARTIALLY_APPLIED REPORT_ISSUE_R_PAGE LOYALTY_DISCOUNT_NOT_APPLIED""",
)
REFORMULATE_REASONS = _with(
    "REFORMULATE_",
    """CAPITAL_LETTERS COMPARE_RS DISCRIMINATORY FOOD_POISONING GENERIC_TEMPLATE_REFORMULATE
    INCOHERENT_NOTATION IRRELEVANT_CONTENT LINKS_PERSONAL_DATA OFFENSIVE_LANGUAGE
    OFFER_NOT_APPLIED OFFER_REFUSED_JUSTLY_BOOKING OFFER_REFUSED_JUSTLY_CONDITIONS
    SERIOUS_DAMAGING_ACCUSATIONS SIMILAR_REVIEWS MARKETPLACE_PAY_NOT_AVAILABLE
    UNFINISHED_REVIEW USER_REQUEST_TO_MODIFY_REVIEW USER_REVIEWING_ANOTHER_R VIOLENT_CONTENT""",
)
REJECT_REASONS = _with(
    "REJECT_",
    """CONFLICT_OF_INTERESTS_OR_FRAUD CUSTOMER_NOT_FOLLOW_MODERATION_RULES
    DISCOUNT_APPLIED_R_PROVIDED_PROOF GENERIC_TEMPLATE_REJECT REFORMULATION_PERIOD_ENDED
    RESTAURANT_CLOSED RESTAURANT_CLOSED_NO_COMPENSATION USER_CANCELLATION
    USER_NOT_PRESENT_IN_R USER_REQUEST_TO_REMOVE_REVIEW VIOLATION_ARTICLE_252""",
)
REFORMULATE_REPLY_REASONS = _with(
    "REFORMULATE_REPLY_",
    """IRRELEVANT_CONTENT PROFANITY INCORRECT_INFORMATION SPAM THREATENING_LANGUAGE
    CONFIDENTIAL_SERVICE_INFO PRIVATE_DATA INAPROPRIATE_CONTENT NOT_COMPLIANT VIOLENCE
    DISCRIMINATORY RESTAURANT_REQUEST HARASSMENT_LANGUAGE INAUTHENTIC
    ALL_CAPS_UNINTELLIGIBLE_NON_ORIGINAL_CONTENT""",
)
REJECT_REPLY_REASONS = _with(
    "REJECT_REPLY_", "NOT_COMPLIANT REFORMULATION_PERIOD_ENDED RESTAURANT_REQUEST"
)

CALL_STATUSES = _with("", "SONNERIE DECROCHE RACCROCHE ABANDON incoming missed answered ended")
MILESTONES = (
    "LeadReceived",
    "DiscoveryOngoing",
    "QuestionnaireSent",
    "FailedDiscovery",
    "HardwareInTransit",
    "FailedDelivery",
    "HardwareToBeInstalled",
    "FailedInstallation",
    "InstallationCompleted",
)

IN_ANSWERS = {
    "customer.civility": CIVILITIES,
    "customer.rank": RANKS,
    "customer.customFields.type": FIELD_TYPES,
    "reservation.status": STATUSES,
    "reservation.mealStatus": MEAL_STATUSES,
    "reservation.reservationChannel": CHANNELS,
    "reservation.offerDetails.offerType": OFFER_TYPES,
    "reservation.offerDetails.presetMenuType": MENU_TYPES,
    "reservation.utmTrackingInformation.key": UTM_KEYS,
    "reservation.customFields.type": FIELD_TYPES,
    "review.dinerRating.priceEvaluation": PRICES,
    "review.dinerRating.waitingTimeEvaluation": WAITING_TIMES,
    "review.dinerRating.noiseLevelEvaluation": NOISE_LEVELS,
    "review.experienceDetail.occasion": OCCASIONS,
    "review.comment.publicationStatus": PUBLICATION_STATUSES,
    "review.comment.moderationReason": PUBLISHED_REASONS + REFORMULATE_REASONS + REJECT_REASONS,
    "review.restaurantReply.publicationStatus": PUBLICATION_STATUSES,
    "review.restaurantReply.moderationReason": REFORMULATE_REPLY_REASONS + REJECT_REPLY_REASONS,
    "timeslot.guaranteeRequirementList.guaranteeType": GUARANTEES,
}
