"""Saved views of the guest list: who may use them, and their addresses."""

from typing import NamedTuple

from django.http import QueryDict
from django.urls import reverse

from accounts.models import User
from customers.guest_list.pages import FILTERS, GuestList
from restaurants.access import can
from restaurants.models import Group, SavedView, SavedViewQuerySet

PAGE = "customers"
MOST_SHOWN = 100


class SavedViewLine(NamedTuple):
    """A line of the menu of views."""

    view: SavedView
    is_on: bool
    is_changeable: bool


class Menu(NamedTuple):
    offered: list[SavedViewLine]

    @property
    def current(self) -> SavedView | None:
        """The view that the list shows just now, one's own first."""
        on = [one for one in self.offered if one.is_on]
        own = [one for one in on if one.is_changeable]
        return (own or on)[0].view if on else None


def menu(guests: GuestList, user: User) -> Menu:
    """The views that the person may use, by name. One query, and one more for views of others."""
    here = "" if guests.q else guests.query
    rows = list(views_of(user).select_related("group", "owner")[:MOST_SHOWN])
    others = [view.pk for view in rows if view.owner_id != user.pk]
    theirs = (
        SavedView.objects.changeable_by(user).filter(pk__in=others).values_list("pk", flat=True)
    )
    fixed = set(others) - set(theirs) if others else set()
    return Menu(
        [
            SavedViewLine(view, view.query == here, view.pk not in fixed)
            for view in rows
            if may_use(view, user)
        ]
    )


def views_of(user: User) -> SavedViewQuerySet:
    return SavedView.objects.visible_to(user).filter(page=PAGE)


def keep(view: SavedView) -> SavedView:
    """Store a new view; one's own of the same name is replaced, also by a double click."""
    kept, _new = SavedView.objects.update_or_create(
        owner=view.owner,
        page=view.page,
        name=view.name,
        defaults={"query": view.query, "group": view.group},
    )
    return kept


def words_of(view: SavedView) -> QueryDict:
    return QueryDict(view.query)


def may_use(view: SavedView, user: User) -> bool:
    """Whether the person holds the right to every filter of it.

    Without one of them the list would show more than the name promises, and the name itself may
    reveal allergies.
    """
    shown = words_of(view).getlist("show")
    rights = {one.right for one in FILTERS if one.key in shown and one.right}
    return all(_holds(user, right, view.group) for right in rights)


def _holds(user: User, right: str, group: Group | None) -> bool:
    return can(user, right, group=group) if group else can(user, right)


def address_of(view: SavedView, *, frame: str) -> str:
    """The list as the view shows it, in the scope and on the day of the screen."""
    words = "&".join(filter(None, [view.query, frame.lstrip("?")]))
    return f"{reverse('customers:index')}?{words}"
