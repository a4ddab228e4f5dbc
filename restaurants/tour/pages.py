"""How far a person is on the tour: kept in the session, so that it can be left and resumed."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from restaurants.models import Restaurant
from restaurants.tour import sandbox
from restaurants.tour.steps import TOUR_STEPS, TourStep

SESSION_KEY = "tour"


@dataclass(frozen=True)
class TourLine:
    step: TourStep
    is_played: bool


class Tour:
    def __init__(self, session: Any) -> None:
        self._state: dict[str, Any] = session.get(SESSION_KEY, {})
        self._played: dict[str, list[str]] = self._state.get("played", {})

    @property
    def is_on(self) -> bool:
        """Whether it was begun and not left."""
        return bool(self._state.get("is_on"))

    @property
    def lines(self) -> list[TourLine]:
        return [TourLine(step, step.name in self._played) for step in TOUR_STEPS]

    @property
    def last(self) -> TourStep | None:
        """The step that was played last, whose lesson is shown."""
        return TOUR_STEPS.named(list(self._played)[-1]) if self._played else None

    @property
    def following(self) -> TourStep | None:
        return next((line.step for line in self.lines if not line.is_played), None)

    @property
    def number(self) -> int:
        """The position of the last step, from one."""
        return [line.step for line in self.lines].index(self.last) + 1 if self.last else 0

    def result_of(self, step: TourStep) -> tuple[str, UUID] | None:
        """What came of a step, and in which restaurant."""
        played = self._played.get(step.name)
        return (played[0], UUID(played[1])) if played else None

    def with_played(self, step: TourStep, result: str, place: Restaurant) -> dict[str, Any]:
        """The state once a step was played: the newest comes last."""
        others = {name: found for name, found in self._played.items() if name != step.name}
        return {"is_on": True, "played": {**others, step.name: [result, str(place.uuid)]}}

    def left(self) -> dict[str, Any]:
        return {**self._state, "is_on": False}


def stage(restaurants: list[Restaurant]) -> Restaurant:
    """Where it happens: the restaurant in reach that is in the middle of dinner, else the first."""
    rank = {uuid: number for number, uuid in enumerate(sandbox.at_dinner())}
    return min(restaurants, key=lambda place: rank.get(str(place.uuid), len(rank)))
