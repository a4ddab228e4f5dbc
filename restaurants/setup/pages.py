"""The setup page: its links, and the guide to the real service until all its steps are done."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise

from lib.processes.short_cache import ShortCache
from lib.registration import ExtensionPoint
from restaurants.access import can
from restaurants.setup.links import SETUP_LINKS, SetupLink


@dataclass(frozen=True, kw_only=True)
class SetupStep:
    """A step to the real service. `is_done` reads from the database whether it is done."""

    place: int
    title: Promise
    text: Promise
    action: Promise
    url_name: str
    anchor: str = ""
    is_done: Callable[[], bool]
    is_optional: bool = False
    # Somebody else has to act: the guide goes on meanwhile.
    is_waiting: bool = False
    # A sentence on how far it is, while it runs.
    progress: Callable[[], str] = str

    @property
    def url(self) -> str:
        return reverse(self.url_name) + self.anchor

    @property
    def url_namespace(self) -> str:
        return self.url_name.split(":")[0]


SETUP_STEPS: ExtensionPoint[SetupStep] = ExtensionPoint(
    "Steps to the real service", order=lambda step: step.place
)


@dataclass(frozen=True)
class StepLine:
    step: SetupStep
    is_done: bool

    @property
    def is_open(self) -> bool:
        """Whether the guide is not over before this is done."""
        return not self.is_done and not self.step.is_optional


@dataclass(frozen=True)
class SetupGuide:
    """The steps, each worked out from what is stored, so that it can be left and resumed."""

    lines: list[StepLine]
    section: str = ""  # the app of the page on which it is shown

    @property
    def done(self) -> list[StepLine]:
        return [line for line in self.lines if line.is_done]

    @property
    def is_over(self) -> bool:
        return not any(line.is_open for line in self.lines)

    @property
    def current(self) -> StepLine | None:
        """The step to take now; one that waits for somebody else only when nothing else is left."""
        left = [line for line in self.lines if line.is_open]
        return next((line for line in left if not line.step.is_waiting), next(iter(left), None))

    @property
    def here(self) -> StepLine | None:
        """The step of the page that is shown: of several, the first that is not done and whose
        turn has come."""
        mine = [line for line in self._reached if line.step.url_namespace == self.section]
        return next((line for line in mine if not line.is_done), mine[-1] if mine else None)

    @property
    def _reached(self) -> list[StepLine]:
        """The steps up to the current one."""
        last = self.lines.index(self.current) if self.current else len(self.lines)
        return self.lines[: last + 1]

    @property
    def number(self) -> int:
        return self.lines.index(self.here) + 1 if self.here else len(self.done)

    @property
    def following(self) -> StepLine | None:
        """Where "Next" leads: the next step after this page's that is not done."""
        after = self.lines[self.number :] if self.here else []
        return next((line for line in after if not line.is_done), self.current)


def setup_guide(user: Any, *, section: str = "") -> SetupGuide | None:
    """The guide for somebody who may connect the service, and may know how far all groups are.

    One query per step.
    """
    may_see_all = user.owns_installation or user.runs_instance
    if not (may_see_all and can(user, "partner.change_connection")):
        return None
    return SetupGuide([StepLine(step, step.is_done()) for step in SETUP_STEPS], section)


def _is_over() -> bool:
    return not any(StepLine(step, step.is_done()).is_open for step in SETUP_STEPS)


# So that the setup pages of an installation in use run no query for the guide.
GUIDE_IS_OVER: ShortCache[bool] = ShortCache(_is_over, usual=True)


@dataclass(frozen=True)
class SetupPage:
    links: list[SetupLink]
    guide: SetupGuide | None


def setup_page(user: Any) -> SetupPage:
    """What this person may set up."""
    links = [link for link in SETUP_LINKS if can(user, link.right)]
    return SetupPage(links, setup_guide(user))
