"""Health sections of the service's side: key, rate limit, latency from event to screen."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from live import latency
from mirror.health.sections import DOWN, GOOD, LATE, NEW, Section
from partner.limits import throttle
from partner.models import Connection, Token
from partner.setup_pages import pages as page

LONG_PAUSE_SECONDS = 60
# How long a foreign answer is reported, after the last one.
ODD_FOR_SECONDS = 15 * 60


def account_sections(now: datetime) -> list[Section]:
    """Key and rate limit of every connection; those of several carry its name."""
    rows = Connection.objects.exclude(state=Connection.State.RETIRED).order_by("pk")
    accounts = list(rows)
    if not accounts:
        return [_not_configured("token", _("Key")), _not_configured("api", _("Service"))]
    found = [(one, part) for one in accounts for part in _sections_of(one, now=now)]
    if len(accounts) == 1:
        return [replace(part, connection=one.pk) for one, part in found]
    return [
        replace(
            part,
            name=f"{part.name}-{one.pk}",
            title=f"{part.title} · {one.name}",
            connection=one.pk,
        )
        for one, part in found
    ]


def _sections_of(account: Connection, *, now: datetime) -> list[Section]:
    if account.state == Connection.State.ACTIVE:
        return [token_section(account, now=now), api_section(account)]
    says = _("This connection is paused: nothing is read or sent. Events are stored.")
    return [
        Section(name="token", title=_("Key"), state=NEW, sentence=says),
        Section(name="api", title=_("Service"), state=NEW, sentence=says),
    ]


def token_section(account: Connection, *, now: datetime) -> Section:
    """State, end and rights of the key; its value never leaves its row."""
    seen = page.connection_page(account, now=now)
    facts = {
        "state": _state_of(seen.token, now=now),
        "expires_at": seen.token.usable_until.isoformat() if seen.token.usable_until else None,
        "scopes": sorted(seen.token.granted),
        "forced_last_day": seen.forced,
    }
    return Section(
        name="token",
        title=_("Key"),
        state=GOOD if seen.is_key_good else DOWN,
        sentence=seen.key_sentence,
        facts=facts,
        rows=[
            (_("Valid until"), seen.token.usable_until),
            (_("Rights"), len(seen.token.granted)),
            (_("Requested early within a day"), seen.forced),
        ],
        url=reverse("partner:index"),
    )


def _state_of(token: Token, *, now: datetime) -> str:
    if token.paused_until and token.paused_until > now:
        return "refused" if token.is_refused else "unavailable"
    if token.is_suspect(now=now):
        return "suspect"
    return "valid" if token.usable_until and token.usable_until > now else "none"


def api_section(account: Connection) -> Section:
    pace = throttle.budget(account)
    state, sentence = _judge(pace)
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
            (_("Requests per minute now"), pace.per_minute),
            (_("Allowed by contract"), _("not known, learnt") if contract is None else contract),
        ],
        url=reverse("partner:index"),
    )


def _judge(pace: throttle.BudgetView) -> tuple[str, str]:
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


def screen_section(_now: datetime) -> Section:
    """How long each step from an event to a painted screen took within the last hour."""
    spreads = latency.percentiles()
    facts = {
        name: {"ways": s.samples, "p50_ms": round(s.p50 * 1000), "p95_ms": round(s.p95 * 1000)}
        for name, s in spreads.items()
    }
    return Section(
        name="screen",
        title=_("From event to screen"),
        state=GOOD if facts else NEW,
        sentence=_sentence(facts),
        facts=facts,
        rows=[(_label(name), _words(spread)) for name, spread in facts.items()],
    )


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


def _not_configured(name: str, title: str) -> Section:
    return Section(
        name=name, title=title, state=NEW, sentence=_("No connection to the service is set up yet.")
    )
