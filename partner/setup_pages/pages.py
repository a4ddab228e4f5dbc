"""Page objects: the list of connections; key, rate limit and webhook address of one."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from lib.encryption import DecryptionFailed
from partner.auth.capabilities import Capability, CapabilityMap
from partner.limits.throttle import BudgetView, budget
from partner.models import Budget, Connection, Token, TokenRequest
from partner.setup_pages.sizes import CONNECTION_SIZES, SizeCount, all_counts
from partner.wording import words


@dataclass(frozen=True)
class ConnectionPage:
    token: Token
    # Neither valid nor requested yet · valid · refused · suspected
    key_sentence: str
    is_key_good: bool
    forced: int
    token_requests: list[TokenRequest]
    capabilities: list[Capability]
    budget: BudgetView
    webhook_url: str
    mail_text: str


@dataclass(frozen=True)
class ConnectionLine:
    """One connection in the list: name, state and health, and no secret."""

    connection: Connection
    groups: int
    tone: str  # of its badge
    sentence: str


def connection_lines(connections: QuerySet[Connection], *, now: datetime) -> list[ConnectionLine]:
    """The list, those in use first. Three queries, however many there are."""
    found = connections.annotate(group_count=Count("groups", distinct=True)).order_by("state", "pk")
    budgets = {row.connection_id: row for row in Budget.objects.filter(connection__in=connections)}
    rows = Token.objects.filter(connection__in=connections)
    tokens = {(row.connection_id, row.identity): row for row in rows}
    return [
        ConnectionLine(
            one,
            one.group_count,
            *_health(one, tokens.get((one.pk, one.identity)), budgets.get(one.pk), now=now),
        )
        for one in found
    ]


def _health(
    connection: Connection, token: Token | None, pace: Budget | None, *, now: datetime
) -> tuple[str, str]:
    if connection.state == Connection.State.RETIRED:
        return "", _("Its history is kept, its credentials are deleted.")
    if connection.state == Connection.State.PAUSED:
        return "warn", _("Nothing is read or sent. Events are stored.")
    if pace and pace.open_until > now.timestamp():
        return "bad", _("The service is down. We keep trying, and go on when it is back.")
    sentence, is_good = key_status(token or Token(), now=now)
    return ("good" if is_good else "bad"), sentence


def connection_page(connection: Connection, *, now: datetime) -> ConnectionPage:
    """Collect the page. Some eight queries; an unreadable secret is a sentence, not an error."""
    token = Token.objects.of(connection)
    day = TokenRequest.objects.filter(
        connection=connection, requested_at__gt=now - timedelta(days=1)
    ).order_by("-requested_at")
    sentence, is_good = key_status(token, now=now)
    url = _webhook_url(connection)
    return ConnectionPage(
        token=token,
        key_sentence=sentence,
        is_key_good=is_good,
        forced=day.filter(is_forced=True).count(),
        token_requests=list(day[:5]),
        capabilities=CapabilityMap(connection).every(),
        budget=budget(connection),
        webhook_url=url,
        mail_text=_mail_text(url),
    )


def key_status(token: Token, *, now: datetime) -> tuple[str, bool]:
    """A sentence about the key, and whether it is as it should be."""
    if token.paused_until and token.paused_until > now:
        kind = "credentials_refused" if token.is_refused else "unavailable"
        return words.sentence(token.last_error, kind=kind, is_read=True), False
    if token.is_under_suspicion(now=now):
        refused = words.sentence("", kind="auth_suspect", is_read=True)
        return f"{refused} {words.next_step('', kind='auth_suspect')}", False
    if token.usable_until and token.usable_until > now and token.was_never_accepted:
        return _(
            "The service has refused every call with this key so far. Compare the identifiers under"
            " Setup → Restaurants first; if they are right, ask for a new key."
        ), False
    if token.usable_until and token.usable_until > now:
        return _("The key is valid. It is not renewed before its end, by the service's rule."), True
    return _("No key yet. The next call asks for one."), True


def _webhook_url(connection: Connection) -> str:
    try:
        return connection.webhook_url
    except DecryptionFailed:
        return ""


def _mail_text(url: str) -> str:
    return _(
        "Hello,\n\nplease send the events of our restaurants (reservations, customers and"
        " reviews) as POST requests to this address:\n\n%(url)s\n\nIt contains a secret. Please"
        " tell us when it is active.\n\nThank you."
    ) % {"url": url}


@dataclass(frozen=True)
class SizeLine:
    connection: Connection
    numbers: list[SizeCount]


@dataclass(frozen=True)
class SizesPage:
    labels: list[Promise]
    lines: list[SizeLine]  # the largest first
    totals: list[SizeCount]


def sizes_page(connections: QuerySet[Connection]) -> SizesPage:
    """Collect the page. One query for the connections, and one for each kind or a few."""
    counted = list(all_counts(connections.values("pk")))
    lines = [
        SizeLine(one, [counts.get(one.pk, SizeCount()) for counts in counted])
        for one in connections.order_by("name", "pk")
    ]
    lines.sort(key=lambda line: -_total(line.numbers).number)
    return SizesPage(
        labels=[size.label for size in CONNECTION_SIZES],
        lines=lines,
        totals=[_total(column) for column in zip(*(line.numbers for line in lines), strict=True)],
    )


def _total(counts: Iterable[SizeCount]) -> SizeCount:
    numbers, are_about = zip(*counts, strict=True)
    return SizeCount(sum(numbers), any(are_about))
