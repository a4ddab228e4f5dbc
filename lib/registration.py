"""What apps add to other apps: extension points, and one registration object per app.

An app that may not import those above it declares an `ExtensionPoint`. Each app that adds something
to it says so in its `registration.py`:

    REGISTRATION = Registration(KINDS.add(REVIEW), ACTIONS.add(REPLY), GUEST_PANELS.add(PANEL))

`RegistrationMixin`, in its `AppConfig`, reads that once at start. `manage.py wiring` lists
all points with what each app adds to them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

T = TypeVar("T")


class AddedEntry(NamedTuple):
    point: str
    app: str
    entry: Any


added: list[AddedEntry] = []


class ExtensionPoint(Generic[T]):
    """Entries of one type, in the order of the apps unless `order` sorts them."""

    def __init__(self, title: str, *, order: Callable[[T], Any] | None = None) -> None:
        self.title = title
        self.entries: list[T] = []
        self._order = order

    def __iter__(self) -> Iterator[T]:
        return iter(self.entries)

    def named(self, name: str) -> T:
        """The entry whose `name` is this; KeyError if no app has added one."""
        for entry in self.entries:
            if getattr(entry, "name", None) == name:
                return entry
        raise KeyError(name)

    def add(self, *entries: T) -> "Addition[T]":
        """State what an app adds. It is added when the app starts."""
        return Addition(self, entries)

    def fill(self, entries: tuple[T, ...]) -> None:
        for entry in entries:
            if _identity(entry) in map(_identity, self.entries):
                sentence = f"{self.title}: two entries are called {_identity(entry)!r}"
                raise ImproperlyConfigured(sentence)
            self.entries.append(entry)
        if self._order:
            self.entries.sort(key=self._order)


def _identity(entry: Any) -> Any:
    """What an address, a row or a lookup names an entry by; of a function it is itself."""
    return getattr(entry, "name", None) or getattr(entry, "key", None) or entry


@dataclass(frozen=True)
class Addition(Generic[T]):
    point: ExtensionPoint[T]
    entries: tuple[T, ...]


class Registration:
    """Everything that one app adds to others, and to its own extension points."""

    def __init__(self, *additions: Addition[Any]) -> None:
        self.additions = additions


class RegistrationMixin:
    """For the `AppConfig` of an app with a `registration.py`: reads it, once models are ready."""

    name: str
    label: str

    def ready(self) -> None:
        registration: Registration = import_string(f"{self.name}.registration.REGISTRATION")
        for addition in registration.additions:
            addition.point.fill(addition.entries)
            added.extend(
                AddedEntry(addition.point.title, self.label, entry) for entry in addition.entries
            )
