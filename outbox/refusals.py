"""Shows the refusal of a change at the field of its form."""

from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from django import forms

from accounts.models import User
from outbox.models import Intent
from partner.wording import words


class RefusedField(NamedTuple):
    """A refusal that is shown at a choice, not at a field of a form."""

    field: str
    sentence: str

    @classmethod
    def of(cls, intent: Intent) -> "RefusedField":
        return cls(refused_field(intent), intent.sentence)


def names_a_field(intent: Intent) -> bool:
    """Whether the service, or the local check before it, refused one field of the change."""
    return intent.state == Intent.State.REFUSED and words.is_about_a_field(intent.problem)


def refused_change(key: object, *, action: str, user: User) -> Intent | None:
    """The refused change named in the query string, if the user may see it."""
    try:
        wanted = UUID(str(key))
    except ValueError:
        return None
    rows = Intent.objects.visible_to(user).filter(key=wanted, action=action)
    intent = rows.select_related("restaurant").first()
    return intent if intent is not None and names_a_field(intent) else None


def refused_field(intent: Intent) -> str:
    """The field that was refused, as `partner.wording.words` has it, or "" where it is unknown."""
    return words.field_of(intent.problem)


def show_refusal(
    form: forms.Form, intent: Intent, *, names: Mapping[str, str] | None = None
) -> None:
    """Put the refusal at its field of a bound form, or above the form where it has no such field.

    `names` translates the fields that the form calls otherwise.
    """
    found = refused_field(intent)
    field = (names or {}).get(found, found)
    form.add_error(field if field in form.fields else None, intent.sentence)
