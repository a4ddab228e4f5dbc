"""The team's notes on guests and what people have decided about readings of notes, and both for
queries of many bookings.
"""

from collections.abc import Iterable
from typing import Any, Self
from uuid import UUID

from django.db import models
from django.db.models import Aggregate, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce, Concat
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class JoinedTexts(Aggregate):
    """Texts of several rows as one, with spaces between."""

    function = "STRING_AGG"
    template = "%(function)s(%(expressions)s, ' ')"
    output_field = models.TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, function="GROUP_CONCAT", **context)


class ReadNotes(models.Model):
    """Base of rows with notes. Of what was read in them only “nothing at all” is ever relied upon,
    and only where these word lists found it: whatever else is read again when it is shown.

    Both columns are null where nobody has read. Where no word stands no list finds one: such a row
    names none, and tells nothing.
    """

    notes_read_by = models.PositiveIntegerField(null=True)  # allergies.version.reading_number
    notes_tell = models.BooleanField(null=True)  # of an allergy or a diet, stated or perhaps

    class Meta:
        abstract = True


def unread(reading_number: int, prefix: str = "") -> Q:
    """Rows that nobody has read, or other word lists than these."""
    return (
        Q(**{f"{prefix}notes_tell__isnull": True})
        | Q(**{f"{prefix}notes_read_by__lt": reading_number})
        | Q(**{f"{prefix}notes_read_by__gt": reading_number})
    )


def may_tell(reading_number: int, prefix: str = "") -> Q:
    """Rows in which these word lists may find something."""
    return Q(**{f"{prefix}notes_tell": True}) | unread(reading_number, prefix)


class NoteDecisionQuerySet(models.QuerySet["NoteDecision"]):
    def about(self, uuids: Iterable[UUID | None]) -> Self:
        return self.filter(about__in=[uuid for uuid in uuids if uuid])


class NoteDecision(models.Model):
    """Somebody has confirmed or dismissed one thing that a note says.

    `digest` is a keyed hash of the whole note and of what was read in it: another note undoes the
    decision. No word of the guest is stored.
    """

    class Outcome(models.TextChoices):
        CONFIRMED = "c", _("confirmed")
        DISMISSED = "d", _("dismissed")

    about = models.UUIDField()  # a booking, or a guest with all their bookings
    is_of_guest = models.BooleanField()
    digest = models.CharField(max_length=64)
    outcome = models.CharField(max_length=1, choices=Outcome)
    decided_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField()

    objects = NoteDecisionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["about", "digest"], name="a_reading_is_decided_once")
        ]

    def __str__(self) -> str:
        return f"{self.about} {self.get_outcome_display()}"


class InternalNote(models.Model):
    """The team's own note on a guest, stored only here: the API cannot change guests."""

    customer_uuid = models.UUIDField(primary_key=True)
    text = models.TextField(_("internal note"), blank=True)
    changed_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    changed_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.customer_uuid)


def internal_note_text(column: str) -> Coalesce:
    """The internal note on a row's guest, for queries of many bookings.

    One look-up in the index for each row.
    """
    note = InternalNote.objects.filter(pk=OuterRef(column)).values("text")
    return Coalesce(Subquery(note), Value(""), output_field=models.TextField())


def decisions_text(column: str) -> Coalesce:
    """All decisions about a row's booking or guest as one text, for queries of many bookings.

    One look-up in the index for each row. `decisions.parse` reads the text.
    """
    about = NoteDecision.objects.filter(about=OuterRef(column)).order_by().values("about")
    joined = about.annotate(text=JoinedTexts(Concat("digest", "outcome"))).values("text")
    return Coalesce(Subquery(joined), Value(""), output_field=models.TextField())
