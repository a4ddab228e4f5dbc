"""Capabilities: the granted scopes as features, each with the reason when it is missing.

A feature without its scope is shown disabled, with the words to ask the operator for it.
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from partner.endpoints import ENDPOINTS, UNRESTRICTED
from partner.models import Connection, Token
from partner.wording import names


@dataclass(frozen=True)
class Feature:
    key: str
    label: "str | Promise"
    # The scopes of which one is enough, and the smallest of them, to ask for.
    accepted: tuple[str, ...]
    wanted: str


def _feature(key: str, label: "str | Promise", operation: str) -> Feature:
    accepted = ENDPOINTS[operation].scopes
    return Feature(key, label, accepted, accepted[1] if len(accepted) > 1 else accepted[0])


FEATURES: dict[str, Feature] = {
    feature.key: feature
    for feature in (
        _feature("reservations", _("See, book, move and cancel bookings"), "get_reservation"),
        Feature("free_booking", _("Book outside published slots"), (UNRESTRICTED,), UNRESTRICTED),
        _feature("availability", _("See free days, times and sizes"), "list_timeslots"),
        _feature("override", _("Open and close online booking"), "override_availability"),
        _feature("offers", _("See offers and menus"), "list_offers"),
        _feature("customers", _("See guests, find them by phone"), "get_customer"),
        _feature("reviews", _("See reviews and reply"), "get_review"),
        _feature("calls", _("Report calls and telephone milestones"), "report_call"),
    )
}


@dataclass(frozen=True)
class Capability:
    """Whether a feature may be used. True as long as nothing is known against it."""

    feature: Feature
    is_known: bool
    is_granted: bool
    client_id: str

    def __bool__(self) -> bool:
        return self.is_granted or not self.is_known

    @property
    def scope(self) -> str:
        return names.real_scope(self.feature.wanted)

    @property
    def reason(self) -> str:
        if self:
            return ""
        return now("Our key lacks the right “%(scope)s”.") % {"scope": self.scope}

    @property
    def request_text(self) -> str:
        """Return the sentence to send to the operator of the service."""
        return now("Please grant our client %(client)s the scope %(scope)s.") % {
            "client": self.client_id,
            "scope": self.scope,
        }


class CapabilityMap:
    """The features of one connection. One query in the constructor, none later."""

    def __init__(self, connection: Connection) -> None:
        row = Token.objects.filter(connection=connection, identity=connection.identity)
        scopes, requested_at = row.values_list("scopes", "requested_at").first() or ("", None)
        self._granted = frozenset(scopes.split())
        # Since when they may be others than before: the token, or who it is for.
        self.as_of = max(requested_at or connection.updated_at, connection.updated_at)
        self._client_id = connection.client_id

    def can(self, key: str) -> Capability:
        feature = FEATURES[key]
        accepted = {names.real_scope(scope) for scope in feature.accepted}
        return Capability(
            feature=feature,
            is_known=bool(self._granted),
            is_granted=bool(accepted & self._granted),
            client_id=self._client_id,
        )

    def every(self) -> list[Capability]:
        return [self.can(key) for key in FEATURES]


def can(key: str, *, connection: int | None) -> Capability:
    """Say whether a connection may use a feature. Two queries; for several, a `CapabilityMap`."""
    return CapabilityMap(Connection.objects.named(connection)).can(key)
