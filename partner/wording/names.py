"""Names that carry a brand: those of the service, and of the app in which restaurants work with it.

`PARTNER_NAMES` maps the neutral word to the real one, for scopes, fields, channels and
milestones alike. Outside this app only neutral words are used. Seating, no-shows, offers and
profiles are changed in the restaurants' app and not here, so many pages name it.
"""

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


def _host_app_name() -> str:
    # By name: the models import the words, and the words this module.
    connections = apps.get_model("partner", "Connection").objects
    names = set(connections.active().values_list("host_app_name", flat=True))
    # Of several, none is every reader's: the neutral phrase names no app of another account.
    return names.pop() if len(names) == 1 else ""


HOST_APP_NAME: ShortCache[str] = ShortCache(_host_app_name, usual="")


def host_app() -> str:
    """The configured name, or a neutral phrase that fits into the same sentences."""
    return HOST_APP_NAME.value() or _("the reservation app")


def naming_host_app(message: "str | Promise") -> "_StrPromise":
    """A sentence with `%(app)s`, completed when it is shown."""
    named: Any = lazy(lambda: str(message) % {"app": host_app()}, str)()
    return cast("_StrPromise", named)
