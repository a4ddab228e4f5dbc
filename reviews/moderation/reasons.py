"""Moderation reasons as sentences; unknown ones are made readable."""

from django.utils.translation import gettext_lazy as _

from lib.labels import label_of
from partner.wording.vocabulary import COMMENT_REASONS, REPLY_REASONS

PREFIXES = ("REFORMULATE_REPLY_", "REJECT_REPLY_", "REFORMULATE_", "REJECT_", "PUBLISH_")
WORDS = {
    "IRRELEVANT_CONTENT": _("It does not answer the comment."),
    "PROFANITY": _("Remove the swear words."),
    "INCORRECT_INFORMATION": _("Something in it is not correct."),
    "SPAM": _("It reads like advertising."),
    "THREATENING_LANGUAGE": _("Remove the threats."),
    "CONFIDENTIAL_SERVICE_INFO": _("Remove confidential information about the service."),
    "PRIVATE_DATA": _("Remove private data: names, numbers, addresses."),
    "INAPROPRIATE_CONTENT": _("Something in it is not appropriate."),
    "NOT_COMPLIANT": _("It does not follow the rules of the service."),
    "VIOLENCE": _("Remove what is violent."),
    "DISCRIMINATORY": _("Remove what is discriminatory."),
    "RESTAURANT_REQUEST": _("The restaurant asked for it."),
    "HARASSMENT_LANGUAGE": _("Remove what could be harassment."),
    "INAUTHENTIC": _("It does not look genuine."),
    "ALL_CAPS_UNINTELLIGIBLE_NON_ORIGINAL_CONTENT": _(
        "All capitals, not understandable, or a copied text."
    ),
    "REFORMULATION_PERIOD_ENDED": _("It was not rewritten in time."),
    "CAPITAL_LETTERS": _("All capitals."),
    "COMPARE_RS": _("It compares restaurants."),
    "FOOD_POISONING": _("It claims food poisoning."),
    "INCOHERENT_NOTATION": _("Words and ratings do not fit together."),
    "LINKS_PERSONAL_DATA": _("It holds links or personal data."),
    "OFFENSIVE_LANGUAGE": _("Its words are offensive."),
    "OFFER_NOT_APPLIED": _("An offer was not applied."),
    "OFFER_PARTIALLY_APPLIED": _("An offer was applied in part."),
    "OFFER_REFUSED_JUSTLY_BOOKING": _("The offer was rightly refused: the booking."),
    "OFFER_REFUSED_JUSTLY_CONDITIONS": _("The offer was rightly refused: its conditions."),
    "SERIOUS_DAMAGING_ACCUSATIONS": _("It holds serious accusations."),
    "SIMILAR_REVIEWS": _("It repeats another review."),
    "UNFINISHED_REVIEW": _("It is not finished."),
    "USER_REQUEST_TO_MODIFY_REVIEW": _("The guest asked to change it."),
    "USER_REVIEWING_ANOTHER_R": _("It is about another restaurant."),
    "VIOLENT_CONTENT": _("Its words are violent."),
    "CONFLICT_OF_INTERESTS_OR_FRAUD": _("A conflict of interests, or fraud."),
    "CUSTOMER_NOT_FOLLOW_MODERATION_RULES": _("The guest did not follow the rules."),
    "DISCOUNT_APPLIED_R_PROVIDED_PROOF": _("The restaurant proved that the discount was applied."),
    "RESTAURANT_CLOSED": _("The restaurant was closed."),
    "RESTAURANT_CLOSED_NO_COMPENSATION": _("The restaurant was closed."),
    "USER_CANCELLATION": _("The guest had cancelled."),
    "USER_NOT_PRESENT_IN_R": _("The guest was not there."),
    "USER_REQUEST_TO_REMOVE_REVIEW": _("The guest asked to remove it."),
    "BOOKING_NOT_TAKEN_INTO_ACCOUNT": _("The booking was not found at the restaurant."),
    "REPORT_ISSUE_R_PAGE": _("Something on the restaurant's page is wrong."),
    "LOYALTY_DISCOUNT_NOT_APPLIED": _("A loyalty discount was not applied."),
    "MARKETPLACE_PAY_NOT_AVAILABLE": _("Paying through the marketplace was not available."),
    "VIOLATION_ARTICLE_252": _("It breaks article 252 of the service's rules."),
    "GENERIC_TEMPLATE_PUBLISH": _("For no particular reason."),
    "GENERIC_TEMPLATE_REFORMULATE": _("It does not follow the rules of the service."),
    "GENERIC_TEMPLATE_REJECT": _("It does not follow the rules of the service."),
}


def _bare(reason: str) -> str:
    """Return a reason without its decision: one sentence serves a comment and a reply."""
    prefix = next((one for one in PREFIXES if reason.startswith(one)), "")
    return reason.removeprefix(prefix)


# By the whole word.
LABELS = {word: WORDS[_bare(word)] for word in COMMENT_REASONS | REPLY_REASONS}


def in_words(reason: str) -> str:
    """The sentence of a moderation reason, or the reason itself in plain letters."""
    return label_of(_bare(reason), WORDS)
