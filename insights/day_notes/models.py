"""A holiday or an event: a few words about some days, of a group or of one restaurant."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Self

from auditlog.registry import auditlog
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from restaurants.models import Group, Restaurant

RIGHT = "restaurants.change_restaurant"


class DayNoteQuerySet(models.QuerySet["DayNote"]):
    def visible_to(self, user: User) -> Self:
        places = Restaurant.objects.visible_to(user)
        of_group = Q(restaurant=None, group__in=Group.objects.visible_to(user))
        return self.filter(Q(restaurant__in=places) | of_group)

    def changeable_by(self, user: User) -> Self:
        of_group = Q(restaurant=None, group__in=Group.objects.run_by(user, RIGHT))
        places = Restaurant.objects.visible_to(user, RIGHT)
        return self.filter(Q(restaurant__in=places) | of_group)

    def about(self, restaurants: Iterable[Restaurant], first: date, last: date) -> Self:
        """Notes that touch these days, of these restaurants or of their groups."""
        found = list(restaurants)
        groups = {one.group_id for one in found}
        places = Q(restaurant__in=[one.pk for one in found]) | Q(restaurant=None, group__in=groups)
        return self.filter(places, first__lte=last, last__gte=first)


class DayNote(models.Model):
    group = models.ForeignKey(Group, models.CASCADE, related_name="+")
    restaurant = models.ForeignKey(Restaurant, models.CASCADE, null=True, related_name="+")
    first = models.DateField(_("from"))
    last = models.DateField(_("until"))
    text = models.CharField(_("note"), max_length=80)

    objects = DayNoteQuerySet.as_manager()

    class Meta:
        ordering = ["first", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(last__gte=F("first")), name="day_note_ends_late")
        ]
        indexes = [models.Index(fields=["group", "last"], name="day_note_of_a_group")]

    def __str__(self) -> str:
        return self.text

    @property
    def place(self) -> Group | Restaurant:
        return self.restaurant or self.group


def notes_by_day(
    restaurants: Iterable[Restaurant], first: date, last: date
) -> dict[date, list[str]]:
    """The words of each day; several restaurants' notes name theirs. One query."""
    places = {one.pk: one for one in restaurants}
    found: dict[date, list[str]] = defaultdict(list)
    notes = DayNote.objects.about(places.values(), first, last)
    for begins, ends, text, place in notes.values_list("first", "last", "text", "restaurant_id"):
        of_one = places[place] if place and len(places) > 1 else None
        words = f"{text} ({of_one.label})" if of_one else text
        for number in range((min(ends, last) - max(begins, first)).days + 1):
            found[max(begins, first) + timedelta(days=number)].append(words)
    return dict(found)


auditlog.register(DayNote)
