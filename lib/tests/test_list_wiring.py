"""What apps add to each other, and the command that lists it."""

from dataclasses import dataclass
from io import StringIO

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from lib.registration import ExtensionPoint


def test_it_works():
    point: ExtensionPoint[str] = ExtensionPoint("Letters")
    point.fill(point.add("b", "a").entries)

    assert list(point) == ["b", "a"]


def test_an_order_sorts_what_several_apps_add():
    point: ExtensionPoint[str] = ExtensionPoint("Letters", order=str)
    point.fill(("b",))
    point.fill(("a",))

    assert list(point) == ["a", "b"]


def test_an_unknown_name_is_an_error():
    with pytest.raises(KeyError):
        ExtensionPoint("Letters").named("x")


@dataclass(frozen=True)
class Named:
    name: str
    label: str


@dataclass(frozen=True)
class Keyed:
    key: str
    label: str


@pytest.mark.parametrize(
    "entries",
    [
        ("a", "a"),
        (Named("late", "Late"), Named("late", "Too late")),
        (Keyed("x", "1"), Keyed("x", "2")),
    ],
    ids=["itself", "by-name", "by-key"],
)
def test_two_entries_of_one_name_are_refused(entries: tuple[object, object]):
    point: ExtensionPoint[object] = ExtensionPoint("Filters")
    point.fill(entries[:1])

    with pytest.raises(ImproperlyConfigured, match="Filters: two entries are called"):
        point.fill(entries[1:])


def test_the_command_names_app_and_entry():
    out = StringIO()
    call_command("wiring", stdout=out)
    lines = out.getvalue().splitlines()

    assert "Actions that are sent" in lines
    assert "  reservations  reservation.cancel" in lines
    assert "  mirror        mirror.health.clocks.section" in lines
    assert "  webhooks      webhooks.models.Delivery" in lines
