"""The questions, in the order in which an owner asks them. Each is a function of the parameters."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from insights.answers import InsightAnswer
from insights.forms import InsightParams
from insights.questions import absence, bookings, diets, fullness, money, ratings


@dataclass(frozen=True)
class Question:
    slug: str
    title: Promise
    answer: Callable[[InsightParams], InsightAnswer]
    right: str = ""  # what it takes at a restaurant beside the right to see insights
    days_ahead: int = 0  # how far it may look at what is booked


QUESTIONS = {
    question.slug: question
    for question in (
        Question("fullness", _("How full were we?"), fullness.answer),
        Question("absence", _("Who did not come?"), absence.answer),
        Question("spend", _("What did guests spend?"), money.spend),
        Question("channels", _("Where do bookings come from?"), bookings.channels),
        Question("ratings", _("How did guests rate us, and did we answer?"), ratings.answer),
        Question("lead", _("How far ahead do they book?"), bookings.lead),
        Question(
            "diets",
            _("What do our guests not eat?"),
            diets.answer,
            right="customers.view_health",
            days_ahead=60,
        ),
        Question("campaigns", _("Which campaigns pay?"), money.campaigns),
    )
}
