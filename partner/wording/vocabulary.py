"""The enum words that the contract lists. Others are kept, shown as they are, and counted."""


def _with(prefix: str, words: str) -> frozenset[str]:
    return frozenset(prefix + word for word in words.split())


CIVILITIES = _with(
    "",
    """mr mrs ms mr_and_mrs mx doctor professor counsel ambassador madam_ambassador president
    madam_president magister chef lord prince princess count countess duke duchess sir lady
    highness baron baroness company""",
)
RANKS = frozenset({"gold", "silver", "bronze", "caution"})
FIELD_TYPES = frozenset({"boolean", "string", "integer"})

STATUSES = frozenset({"RECORDED", "CANCELED", "NO_SHOW", "REQUESTED", "REFUSED"})
MEAL_STATUSES = frozenset({"PARTIALLY_ARRIVED", "ARRIVED", "SEATED", "BILL", "LEFT"})
CHANNELS = frozenset(
    {
        "Marketplace",
        "Booking Module",
        "Marketplace Manager API",
        "Offline",
        "Walk-in",
        "Cross Sell",
        "SearchEngine",
        "TravelSite",
        "Guide",
    }
)
OFFER_TYPES = frozenset({"promotion", "presetMenu"})
MENU_TYPES = frozenset({"generic", "group", "of_the_day", "brunch", "experience", "card_brand"})
UTM_KEYS = frozenset({"utm_source", "utm_medium", "utm_campaign"})
GUARANTEES = frozenset({"imprint", "prepayment"})

PUBLICATION_STATUSES = frozenset(
    {"NOT_REVIEWED", "REJECTED", "PUBLISHED", "WAITING_REFORMULATE", "ARCHIVED", "DELETED"}
)
PRICES = frozenset({"VERY_CHEAP", "CHEAP", "AVERAGE", "EXPENSIVE", "VERY_EXPENSIVE"})
WAITING_TIMES = frozenset({"VERY_FAST", "FAST", "AVERAGE", "SLOW", "VERY_SLOW"})
NOISE_LEVELS = frozenset({"VERY_QUIET", "QUIET", "MODERATE", "LOUD", "VERY_LOUD"})
OCCASIONS = frozenset({"BUSINESS", "FRIENDS", "ROMANTIC", "FAMILY", "ALONE"})

COMMENT_REASONS = (
    _with(
        "PUBLISH_",
        """BOOKING_NOT_TAKEN_INTO_ACCOUNT GENERIC_TEMPLATE_PUBLISH OFFER_NOT_APPLIED
        OFFER_PARTIALLY_APPLIED REPORT_ISSUE_R_PAGE LOYALTY_DISCOUNT_NOT_APPLIED""",
    )
    | _with(
        "REFORMULATE_",
        """CAPITAL_LETTERS COMPARE_RS DISCRIMINATORY FOOD_POISONING GENERIC_TEMPLATE_REFORMULATE
        INCOHERENT_NOTATION IRRELEVANT_CONTENT LINKS_PERSONAL_DATA OFFENSIVE_LANGUAGE
        OFFER_NOT_APPLIED OFFER_REFUSED_JUSTLY_BOOKING OFFER_REFUSED_JUSTLY_CONDITIONS
        SERIOUS_DAMAGING_ACCUSATIONS SIMILAR_REVIEWS MARKETPLACE_PAY_NOT_AVAILABLE
        UNFINISHED_REVIEW USER_REQUEST_TO_MODIFY_REVIEW USER_REVIEWING_ANOTHER_R VIOLENT_CONTENT""",
    )
    | _with(
        "REJECT_",
        """CONFLICT_OF_INTERESTS_OR_FRAUD CUSTOMER_NOT_FOLLOW_MODERATION_RULES
        DISCOUNT_APPLIED_R_PROVIDED_PROOF GENERIC_TEMPLATE_REJECT REFORMULATION_PERIOD_ENDED
        RESTAURANT_CLOSED RESTAURANT_CLOSED_NO_COMPENSATION USER_CANCELLATION
        USER_NOT_PRESENT_IN_R USER_REQUEST_TO_REMOVE_REVIEW VIOLATION_ARTICLE_252""",
    )
)
REPLY_REASONS = _with(
    "REFORMULATE_REPLY_",
    """IRRELEVANT_CONTENT PROFANITY INCORRECT_INFORMATION SPAM THREATENING_LANGUAGE
    CONFIDENTIAL_SERVICE_INFO PRIVATE_DATA INAPROPRIATE_CONTENT NOT_COMPLIANT VIOLENCE
    DISCRIMINATORY RESTAURANT_REQUEST HARASSMENT_LANGUAGE INAUTHENTIC
    ALL_CAPS_UNINTELLIGIBLE_NON_ORIGINAL_CONTENT""",
) | _with("REJECT_REPLY_", "NOT_COMPLIANT REFORMULATION_PERIOD_ENDED RESTAURANT_REQUEST")

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
