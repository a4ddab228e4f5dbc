"""Inputs of days and clock times, written as browsers read them whatever the reader's language.

Django writes a day as the language does: of “27/11/2026” a browser shows an empty field.
"""

from typing import Any

from django import forms


class DayInput(forms.DateInput):
    input_type = "date"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%Y-%m-%d")


class ClockInput(forms.TimeInput):
    input_type = "time"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%H:%M")
