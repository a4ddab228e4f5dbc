"""All addresses, read from the URL configuration, so that new ones are covered."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.resolvers import RoutePattern

# Answers for machines.
NOT_PAGES = ("/webhooks/", "/live/", "/health/", "/metrics")


@dataclass(frozen=True)
class Address:
    """One URL pattern: its full name, and the words in angle brackets of its route."""

    name: str
    kwargs: tuple[str, ...]
    is_ours: bool

    def path(self, example: Callable[[str, str], Any]) -> str:
        """The address with an example, chosen by view and word, in place of each word."""
        return reverse(self.name, kwargs={word: example(self.name, word) for word in self.kwargs})

    @property
    def app(self) -> str:
        return self.name.split(":")[0]


def walk(
    resolver: URLResolver, names: tuple[str, ...] = (), kwargs: tuple[str, ...] = ()
) -> Iterator[Address]:
    """All addresses below a resolver, with its namespaces and parameters."""
    for pattern in resolver.url_patterns:
        words = (*kwargs, *words_of(pattern))
        if isinstance(pattern, URLResolver):
            inside = (*names, pattern.namespace) if pattern.namespace else names
            yield from walk(pattern, inside, words)
        else:
            yield Address(
                name=":".join([*names, pattern.name or ""]),
                kwargs=words,
                is_ours=not pattern.callback.__module__.startswith(("allauth.", "django.")),
            )


def words_of(pattern: URLPattern | URLResolver) -> tuple[str, ...]:
    route: Any = pattern.pattern
    return tuple(route.converters if isinstance(route, RoutePattern) else route.regex.groupindex)


def all_addresses() -> list[Address]:
    """Every address but those of the database admin, which is Django's own."""
    found = {one for one in walk(get_resolver()) if not one.name.startswith("admin:")}
    return sorted(found, key=lambda one: one.name)


def may_be_a_page(path: str) -> bool:
    return not path.startswith(NOT_PAGES)
