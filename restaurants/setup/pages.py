"""The setup page: its links, and the steps to the real service until all are done."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise

from lib.registration import ExtensionPoint
from restaurants.access import can
from restaurants.setup.links import SETUP_LINKS, SetupLink


@dataclass(frozen=True, kw_only=True)
class SetupStep:
    """A step to the real service. `is_done` reads from the database whether it is done."""

    place: int
    title: Promise
    text: Promise
    url_name: str
    anchor: str = ""
    is_done: Callable[[], bool]

    @property
    def url(self) -> str:
        return reverse(self.url_name) + self.anchor


SETUP_STEPS: ExtensionPoint[SetupStep] = ExtensionPoint(
    "Steps to the real service", order=lambda step: step.place
)


@dataclass(frozen=True)
class StepLine:
    step: SetupStep
    is_done: bool


@dataclass(frozen=True)
class SetupPage:
    links: list[SetupLink]
    steps: list[StepLine]

    @property
    def done(self) -> list[StepLine]:
        return [line for line in self.steps if line.is_done]

    @property
    def has_open_steps(self) -> bool:
        return len(self.done) < len(self.steps)


def setup_page(user: Any) -> SetupPage:
    """What this person may set up. One query per step, none without the right to connect."""
    steps = list(SETUP_STEPS) if can(user, "partner.change_connection") else []
    return SetupPage(
        links=[link for link in SETUP_LINKS if can(user, link.right)],
        steps=[StepLine(step, step.is_done()) for step in steps],
    )
