"""Names that carry a brand: those of the service, and of the app in which restaurants work with it.

`PARTNER_NAMES` maps the neutral word to the real one, for scopes, fields, channels and
milestones alike. Outside this app only neutral words are used. Seating, no-shows, offers and
profiles are changed in the restaurants' app and not here, so many pages name it.
"""

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from django.apps import apps
from django.conf import settings
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext as _

from lib.processes.short_cache import ShortCache
from partner.endpoints import FULL

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def real(neutral: str) -> str:
    """Return the word that is sent."""
    names: dict[str, str] = settings.PARTNER_NAMES
    return names.get(neutral, neutral)


def real_scope(neutral: str) -> str:
    """Return a scope's real name; all of them share the prefix of full access."""
    return real(FULL) + neutral.removeprefix(FULL)


def neutral(word: str) -> str:
    """Return the word that we know for one that was received."""
    return _reverse(tuple(settings.PARTNER_NAMES.items())).get(word, word)


@lru_cache(maxsize=2)
def _reverse(names: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {real: neutral for neutral, real in names}


def _host_app_names() -> dict[int, str]:
    # By name: the models import the words, and the words this module.
    connections = apps.get_model("partner", "Connection").objects
    return dict(connections.values_list("pk", "host_app_name"))


HOST_APP_NAMES: ShortCache[dict[int, str]] = ShortCache(_host_app_names, usual={})
# Returns the connections of whoever reads; set for one request.
READER: "ContextVar[Callable[[], Iterable[int | None]] | None]" = ContextVar("reader", default=None)


# Returns whether whoever reads can open the connection under Setup; set for one request.
OPENS_SETUP: "ContextVar[Callable[[], bool] | None]" = ContextVar("opens_setup", default=None)


def by_reader(with_setup: "str | Promise", without: "str | Promise") -> "_StrPromise":
    """A next step under Setup, and in its place what somebody without Setup can do."""

    def chosen() -> str:
        can_open = OPENS_SETUP.get()
        return str(with_setup if can_open is None or can_open() else without)

    step: Any = lazy(chosen, str)()
    return cast("_StrPromise", step)


def host_app() -> str:
    """The name in the reader's account, or a neutral phrase that fits into the same sentences.

    Nobody reads the name of another account: where theirs differ, or it is not known who reads,
    the phrase stands there. Costs the query for the reader's places where names differ.
    """
    known = HOST_APP_NAMES.value()
    names = set(known.values())
    if len(names) > 1:
        reader = READER.get()
        names = {known.get(pk or 0, "") for pk in reader()} if reader else set()
    return (names.pop() if len(names) == 1 else "") or _("the reservation app")


def naming_host_app(message: "str | Promise") -> "_StrPromise":
    """A sentence with `%(app)s`, completed when it is shown."""
    named: Any = lazy(lambda: str(message) % {"app": host_app()}, str)()
    return cast("_StrPromise", named)
