"""How `manage.py partner move` moves a group, which this app does not know."""

from collections.abc import Callable

from lib.registration import ExtensionPoint
from partner.models import Connection

# Moves the group of a uuid or name there, and returns what was done; raises with the reason.
GROUP_MOVES: ExtensionPoint[Callable[[str, Connection], str]] = ExtensionPoint(
    "How a group moves to another connection"
)


class MoveRefused(Exception):
    """The group cannot move there; carries the sentence."""
