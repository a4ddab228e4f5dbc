"""Parameters of control requests, from query or JSON, with a sentence for every mistake."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from partner_sandbox.http.message import SandboxRequest

LARGEST = 2**53  # what JSON carries in every language, and SQLite stores


class BadParams(Exception):
    def __init__(self, sentence: str, *, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass
class ControlParams:
    values: dict[str, Any] = field(default_factory=dict)
    path: list[str] = field(default_factory=list)  # the words after the first

    def text(self, name: str, default: str) -> str:
        value = self.values.get(name, default)
        if not isinstance(value, str):
            raise BadParams(f"`{name}` is a text.")
        return value

    def integer(self, name: str, default: int) -> int:
        value = self.values.get(name, default)
        try:
            number = int(value)
        except (TypeError, ValueError, OverflowError):
            raise BadParams(f"`{name}` is a whole number.") from None
        if number < 0:
            raise BadParams(f"`{name}` is not negative.")
        if number > LARGEST:
            raise BadParams(f"`{name}` is at most {LARGEST}.")
        return number

    def number(self, name: str, default: float) -> float:
        value = self.values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BadParams(f"`{name}` is a number.")
        return float(value)

    def boolean(self, name: str, *, default: bool) -> bool:
        value = self.values.get(name, default)
        if not isinstance(value, bool):
            raise BadParams(f"`{name}` is true or false.")
        return value

    def moment(self, name: str) -> datetime:
        try:
            moment = datetime.fromisoformat(self.text(name, ""))
        except ValueError:
            raise BadParams(f"`{name}` is an ISO 8601 instant.") from None
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def read_params(request: SandboxRequest, path: list[str]) -> ControlParams:
    values: dict[str, Any] = dict(request.parameters())
    if request.body.strip():
        try:
            data = json.loads(request.body)
        except ValueError:
            raise BadParams("The body is not JSON.") from None
        if not isinstance(data, dict):
            raise BadParams("The body is a JSON object.")
        values.update(data)
    return ControlParams(values, path)
