"""Health sections of the service's side: key, rate limit, latency from event to screen."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _

from live import latency
from mirror.health.sections import DOWN, GOOD, LATE, NEW, PAUSED, Section, pause_of
from partner.limits import throttle
from partner.models import Connection, Token, TokenRequest
from partner.setup_pages import pages as page

LONG_PAUSE_SECONDS = 60
# How long a foreign answer is reported, after the last one.
ODD_FOR_SECONDS = 15 * 60


def token_sections(accounts: Sequence[Connection], now: datetime) -> list[Section]:
    found = Token.objects.filter(connection__in=[account.pk for account in accounts if account.pk])
    tokens = {(token.connection_id, token.identity): token for token in found}
    early = TokenRequest.objects.filter(is_forced=True, requested_at__gt=now - timedelta(days=1))
    forced = dict(early.order_by().values_list("connection").annotate(Count("pk")))
    return [
        _idle_section("token", _("Key"), account)
        or _token_section(
            tokens.get((account.pk, account.identity)) or Token(connection=account),
            forced=forced.get(account.pk, 0),
            now=now,
        )
        for account in accounts
    ]


def api_sections(accounts: Sequence[Connection], _now: datetime) -> list[Section]:
    views = throttle.budgets([account for account in accounts if account.pk])
    return [
        _idle_section("api", _("Service"), account) or _api_section(account, views[account.pk])
        for account in accounts
    ]


def _idle_section(name: str, title: str, account: Connection) -> Section | None:
    """The section of an account that is not called: there is none yet, or it is paused."""
    if account._state.adding:  # there is none yet
        says = _("No connection to the service is set up yet.")
        return Section(name=name, title=title, state=NEW, sentence=says)
    paused = pause_of(account)
    return Section(name=name, title=title, state=PAUSED, sentence=paused) if paused else None


def _token_section(token: Token, *, forced: int, now: datetime) -> Section:
    """State, end and rights of the key; its value never leaves its row."""
    sentence, is_good = page.key_status(token, now=now)
    return Section(
        name="token",
        title=_("Key"),
        state=GOOD if is_good else DOWN,
        sentence=sentence,
        facts={
            "state": _state_of(token, now=now),
            "expires_at": token.usable_until.isoformat() if token.usable_until else None,
            "scopes": sorted(token.granted),
            "forced_last_day": forced,
        },
        rows=[
            (_("Valid until"), token.usable_until),
            (_("Rights"), len(token.granted)),
            (_("Requested early within a day"), forced),
        ],
        url=page_of(token.connection_id),
    )


def _state_of(token: Token, *, now: datetime) -> str:
    if token.paused_until and token.paused_until > now:
        return "refused" if token.is_refused else "unavailable"
    if token.is_under_suspicion(now=now):
        return "suspect"
    return "valid" if token.usable_until and token.usable_until > now else "none"


def page_of(connection: int) -> str:
    """The page of the connection, not the list of all."""
    return reverse("partner:show", args=[connection])


def _api_section(account: Connection, pace: throttle.BudgetView) -> Section:
    state, sentence = _state_of_pace(pace)
    contract = pace.contract_per_minute
    return Section(
        name="api",
        title=_("Service"),
        state=state,
        sentence=sentence,
        facts={
            "requests_per_minute": pace.per_minute,
            "contract_per_minute": contract,
            "paused_seconds": round(pace.paused_for, 1),
            "is_circuit_open": pace.is_circuit_open,
            "odd_seconds_ago": None if pace.odd_ago is None else round(pace.odd_ago, 1),
        },
        rows=[
            (_("At most, requests per minute"), pace.per_minute),
            (
                _("Allowed by contract"),
                _("not entered: the pace is learnt") if contract is None else contract,
            ),
        ],
        url=page_of(account.pk),
    )


def _state_of_pace(pace: throttle.BudgetView) -> tuple[str, str]:
    is_odd = pace.odd_ago is not None and pace.odd_ago < ODD_FOR_SECONDS
    if pace.is_circuit_open and is_odd:
        return DOWN, _(
            "The service answers with something else than what it is asked for. None of it is"
            " stored; it is tried again in %(seconds)d s."
        ) % {"seconds": round(pace.probe_in)}
    if pace.is_circuit_open:
        return DOWN, _("The service is away. It is tried again in %(seconds)d s.") % {
            "seconds": round(pace.probe_in)
        }
    if pace.paused_for > LONG_PAUSE_SECONDS:
        return LATE, _("The service asked us to wait for %(seconds)d s.") % {
            "seconds": round(pace.paused_for)
        }
    if is_odd:
        return LATE, _(
            "The service answered with something else than what it was asked for. None of it was"
            " stored; the records are read again by themselves."
        )
    return GOOD, _("The service answers.")


def screen_section(now: datetime) -> Section:
    """How long each step from an event to a painted screen took within the last hour."""
    spreads = latency.percentiles()
    facts = {
        name: {"ways": s.samples, "p50_ms": round(s.p50 * 1000), "p95_ms": round(s.p95 * 1000)}
        for name, s in spreads.items()
    }
    state, says = GOOD if facts else NEW, _sentence(facts)
    if facts and not _is_any_read(now):
        state, says = PAUSED, _("Nothing is read at the moment: the figures are from before.")
    return Section(
        name="screen",
        title=_("From event to screen"),
        state=state,
        sentence=says,
        facts=facts,
        rows=[(_label(name), _words(spread)) for name, spread in facts.items()],
    )


def _is_any_read(now: datetime) -> bool:
    """Whether the key of an account works, and its service answers. Four queries."""
    accounts = list(Connection.objects.active())
    pairs = zip(token_sections(accounts, now), api_sections(accounts, now), strict=True)
    return any(DOWN not in (token.state, api.state) for token, api in pairs)


def _sentence(facts: dict[str, Any]) -> str:
    if "total" in facts:
        return _("95 of 100 changes were on the screen within %(ms)d ms.") % {
            "ms": facts["total"]["p95_ms"]
        }
    return _("No change came to a screen within the last hour.")


def _label(step: str) -> str:
    return {
        "fetched": _("From the event to the service’s answer"),
        "stored": _("Until it was stored"),
        "announced": _("Until the browser had it"),
        "painted": _("Until it was on the screen"),
        "total": _("Altogether"),
    }[step]


def _words(spread: dict[str, int]) -> str:
    return _("half in %(p50)d ms, 95 %% in %(p95)d ms (%(ways)d)") % {
        "p50": spread["p50_ms"],
        "p95": spread["p95_ms"],
        "ways": spread["ways"],
    }
