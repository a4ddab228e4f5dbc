"""The name of the app in which restaurants work with the service, as sentences use it.

Seating, no-shows, offers and profiles are changed there and not here, so many pages name it.
"""

from typing import TYPE_CHECKING, Any, cast

from django.apps import apps
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext as _

from lib.processes.short_cache import ShortCache

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def _read() -> str:
    # By name: the models import the words, and the words this module.
    connections = apps.get_model("partner", "Connection").objects
    name: str | None = (
        connections.filter(is_active=True).values_list("host_app_name", flat=True).first()
    )
    return name or ""


CONFIGURED: ShortCache[str] = ShortCache(_read, usual="")


def host_app() -> str:
    """The configured name, or a neutral phrase that fits into the same sentences."""
    return CONFIGURED.value() or _("the reservation app")


def naming_host_app(message: "str | Promise") -> "_StrPromise":
    """A sentence with `%(app)s`, completed when it is shown."""
    named: Any = lazy(lambda: str(message) % {"app": host_app()}, str)()
    return cast("_StrPromise", named)
