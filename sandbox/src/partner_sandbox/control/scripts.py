"""Handlers of the control interface (`/_sandbox/…`)."""

import hashlib
import json
from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import UUID

from partner_sandbox.clock import SECOND, to_datetime, to_instant, utc_midnight, utc_text
from partner_sandbox.control.params import BadParams, ControlParams
from partner_sandbox.entities import customers, reservations, reviews
from partner_sandbox.faults.chosen import BadFault
from partner_sandbox.happenings import HAPPENINGS, happen
from partner_sandbox.happenings.happening import NotPossible
from partner_sandbox.http.fields import UUID_TEXT
from partner_sandbox.life.first_minute import at_dinner
from partner_sandbox.life.living import catch_up_planned
from partner_sandbox.rules import RULES
from partner_sandbox.service import UNAUTHORIZED_STYLES, SandboxService
from partner_sandbox.world.build import rebuild

MOST_ROWS = 10_000
EARLIEST, LATEST = utc_midnight(date(1980, 1, 1)), utc_midnight(date(2200, 1, 1))
Answer = dict[str, Any]


def world(service: SandboxService, params: ControlParams) -> Answer:
    groups: dict[str, list[Answer]] = {"full": [], "stranger": []}
    for group in service.directory.groups.values():
        groups[group.owner].append(
            {
                "uuid": group.uuid,
                "name": group.name,
                "restaurants": [
                    {
                        "uuid": place.uuid,
                        "name": place.name,
                        "timezone": place.timezone,
                        "currency": place.currency,
                        "country": place.country,
                        "phone": place.phone,
                    }
                    for place in group.restaurants
                ],
            }
        )
    return {
        "auth_url": f"{service.origin}/auth",
        "base_url": f"{service.origin}/api",
        "pos_base_url": f"{service.origin}/pos",
        "audience": service.audience,
        "webhook_url": service.events.url,
        "clients": _clients(service),
        "groups": groups["full"],
        "other_groups": groups["stranger"],
        "pos": _pos(service),
        "seed": service.seed,
        "world": service.store.setting("world"),
        "anchor": service.store.setting("anchor"),
        "now": utc_text(service.clock.now()),
        "at_dinner": [place.uuid for place in at_dinner(service, service.clock.now())],
        "counts": _counts(service),
    }


def _clients(service: SandboxService) -> list[Answer]:
    with service.store.reading() as db:
        rows = {row["name"]: row for row in db.execute("SELECT * FROM client")}
    order = ("full", "limited", "unrestricted", "phone", "stranger")
    return [
        {
            "name": name,
            "client_id": rows[name]["client_id"],
            "client_secret": rows[name]["secret"],
            "scopes": rows[name]["scopes"].split(),
        }
        for name in order
    ]


def _pos(service: SandboxService) -> Answer:
    with service.store.reading() as db:
        row = db.execute("SELECT uuid, api_key FROM pos_instance").fetchone()
    return {"uuid": str(UUID(bytes=row["uuid"])), "api_key": row["api_key"]}


def _counts(service: SandboxService) -> dict[str, int]:
    with service.store.reading() as db:
        return {
            kind: db.execute(f"SELECT COUNT(*) FROM {kind}").fetchone()[0]  # noqa: S608  ours
            for kind in FINDERS
        }


def set_webhook(service: SandboxService, params: ControlParams) -> Answer:
    url = params.text("url", "")
    if url and not url.startswith(("http://", "https://")):
        raise BadParams("`url` starts with http:// or https://, or is empty to switch events off.")
    service.events.point_at(url)
    return {"webhook_url": url}


def list_faults(service: SandboxService, params: ControlParams) -> Answer:
    return {"faults": service.faults.listed()}


def add_fault(service: SandboxService, params: ControlParams) -> Answer:
    try:
        fault = service.faults.add(params.values)
    except BadFault as error:
        raise BadParams(str(error)) from None
    return {"id": fault.id}


def clear_faults(service: SandboxService, params: ControlParams) -> Answer:
    return {"cleared": service.faults.clear(params.text("id", "") or None)}


def set_limit(service: SandboxService, params: ControlParams) -> Answer:
    per_minute = params.integer("per_minute", 0)
    service.limiter.set(per_minute or None, tells_when=params.boolean("retry_after", default=True))
    return {"per_minute": per_minute or None}


def set_unauthorized(service: SandboxService, params: ControlParams) -> Answer:
    style = params.text("format", "split")
    if style not in UNAUTHORIZED_STYLES:
        raise BadParams(f"`format` is one of {', '.join(UNAUTHORIZED_STYLES)}.")
    service.unauthorized = style
    return {"format": style}


def journal(service: SandboxService, params: ControlParams) -> Answer:
    entries = service.journal.since(params.integer("since", 0), params.integer("limit", 1000))
    return {
        "breaches": service.journal.breaches(),
        "totals": service.journal.totals(),
        "entries": entries,
        "last": entries[-1]["id"] if entries else params.integer("since", 0),
    }


def recent(service: SandboxService, params: ControlParams) -> Answer:
    """What the page shows: the newest entries first."""
    names = {client["client_id"]: client["name"] for client in _clients(service)}
    entries = service.journal.latest(params.integer("limit", 40))
    for entry in entries:
        entry["client"] = names.get(entry["client"], entry["client"])
    return {
        "breaches": {
            rule: {"count": count, "meaning": RULES.get(rule, "")}
            for rule, count in service.journal.breaches().items()
        },
        "entries": entries,
    }


def clear_journal(service: SandboxService, params: ControlParams) -> Answer:
    service.journal.clear()
    return {"cleared": True}


FINDERS: dict[str, str] = {
    "reservation": reservations.FIND,
    "customer": "SELECT * FROM customer WHERE ",
    "review": reviews.FIND,
}
ALIASES = {"reservation": "r.", "customer": "", "review": "v."}


def truth(service: SandboxService, params: ControlParams) -> Answer:
    """The whole stored state of one entity, with what no API answer holds."""
    kind, text = _kind(params), params.path[1]
    if not UUID_TEXT.fullmatch(text):
        raise BadParams("That is not a uuid.")
    with service.store.reading() as db:
        query = f"{FINDERS[kind]}{ALIASES[kind]}uuid=?"
        row = db.execute(query, (UUID(text).bytes,)).fetchone()
    if row is None:
        raise BadParams(f"There is no {kind} with this uuid.", status=404)
    return _true_state(service, kind, row)


def truths(service: SandboxService, params: ControlParams) -> Answer:
    """Every entity of a kind with a hash of what its GET would answer, page by page."""
    kind, after = _kind(params), params.integer("after", 0)
    limit = min(params.integer("limit", 1000), MOST_ROWS)
    alias = ALIASES[kind]
    with service.store.reading() as db:
        total = db.execute(f"SELECT COUNT(*) FROM {kind}").fetchone()[0]  # noqa: S608  ours
        rows = db.execute(
            f"{FINDERS[kind]}{alias}id>? ORDER BY {alias}id LIMIT ?", (after, limit)
        ).fetchall()
    items = []
    for row in rows:
        state = _true_state(service, kind, row)
        payload = json.dumps(state.pop("payload"), sort_keys=True, separators=(",", ":"))
        items.append({**state, "sha256": hashlib.sha256(payload.encode()).hexdigest()})
    more = rows[-1]["id"] if rows and len(rows) == limit else None
    return {"kind": kind, "total": total, "items": items, "next_after": more}


def _kind(params: ControlParams) -> str:
    kind = params.path[0].removesuffix("s")
    if kind not in FINDERS:
        raise BadParams(f"A kind is one of {', '.join(FINDERS)}.", status=404)
    return kind


def _true_state(service: SandboxService, kind: str, row: Any) -> Answer:
    directory = service.directory
    if kind == "customer":
        group, place, payload = directory.groups[row["group_id"]], None, customers.payload(row)
    else:
        place = directory.restaurants[row["restaurant_id"]]
        group = directory.groups[place.group_id]
        shown = reservations.payload if kind == "reservation" else reviews.payload
        payload = shown(row, place)
    return {
        "kind": kind,
        "uuid": str(UUID(bytes=row["uuid"])),
        "group_uuid": group.uuid,
        "restaurant_uuid": place.uuid if place else None,
        "updated": utc_text(row["updated"]),
        "payload": payload,
    }


def emit(service: SandboxService, params: ControlParams) -> Answer:
    """Send an event by hand: any payload, in copies, late, or lost on the way."""
    payload = params.values.get("payload")
    if payload is None:
        raise BadParams("`payload` is the JSON to send.")
    ids = service.events.emit(
        payload,
        copies=params.integer("copies", 1),
        delay_ms=params.integer("delay_ms", 0),
        lost=params.boolean("lost", default=False),
    )
    return {"deliveries": ids}


def deliveries(service: SandboxService, params: ControlParams) -> Answer:
    rows = service.events.deliveries(
        before=params.integer("before", 0) or None, limit=params.integer("limit", 100)
    )
    return {"totals": service.events.totals(), "deliveries": rows}


def make_happen(service: SandboxService, params: ControlParams) -> Answer:
    what = params.text("what", "")
    if what not in HAPPENINGS:
        raise BadParams(f"`what` is one of {', '.join(HAPPENINGS)}.")
    try:
        return {"happened": happen(service, what, params.values, params.integer("count", 1))}
    except NotPossible as problem:
        raise BadParams(str(problem), status=409) from None


def list_happenings(service: SandboxService, params: ControlParams) -> Answer:
    return {"happenings": {name: act.__doc__ for name, act in HAPPENINGS.items()}}


def move_clock(service: SandboxService, params: ControlParams) -> Answer:
    if params.boolean("offset_reset", default=False):
        service.clock.reset()
    else:
        service.clock.advance(_shift(params, now=service.clock.now()))
    service.store.remember("clock_offset", service.clock.offset)
    return read_clock(service, params)


def _shift(params: ControlParams, *, now: int) -> int:
    """Milliseconds to another moment, around which every date of a world is still one."""
    shift = params.number("advance_seconds", 0) * SECOND
    if "set" in params.values:
        shift = to_instant(params.moment("set")) - now
    if not EARLIEST <= now + shift <= LATEST:
        raise BadParams("The clock stays between 1980 and 2200.")
    return round(shift)


def read_clock(service: SandboxService, params: ControlParams) -> Answer:
    now = service.clock.now()
    return {"now": to_datetime(now).isoformat(), "offset_seconds": service.clock.offset / SECOND}


def expire_tokens(service: SandboxService, params: ControlParams) -> Answer:
    return {"expired": service.tokens.expire_all()}


def reset(service: SandboxService, params: ControlParams) -> Answer:
    """Build the same world anew, anchored on today; the webhook address stays."""
    world, seed, url = service.store.setting("world"), service.seed, service.events.url
    service.clock.reset()
    with service.store.turn():
        rebuild(service.store, world, seed, now=service.clock.now())
        service.reset()
    service.events.point_at(url)
    catch_up_planned(service)
    return {"world": world, "seed": seed, "anchor": service.store.setting("anchor")}


Handler = Callable[[SandboxService, ControlParams], Answer]
HANDLERS: dict[tuple[str, str, int], Handler] = {  # method, first word, words after it
    ("GET", "world", 0): world,
    ("POST", "webhook", 0): set_webhook,
    ("GET", "faults", 0): list_faults,
    ("POST", "faults", 0): add_fault,
    ("DELETE", "faults", 0): clear_faults,
    ("POST", "limit", 0): set_limit,
    ("POST", "unauthorized", 0): set_unauthorized,
    ("GET", "journal", 0): journal,
    ("GET", "recent", 0): recent,
    ("DELETE", "journal", 0): clear_journal,
    ("GET", "truth", 1): truths,
    ("GET", "truth", 2): truth,
    ("POST", "emit", 0): emit,
    ("GET", "deliveries", 0): deliveries,
    ("GET", "happen", 0): list_happenings,
    ("POST", "happen", 0): make_happen,
    ("GET", "clock", 0): read_clock,
    ("POST", "clock", 0): move_clock,
    ("POST", "expire_tokens", 0): expire_tokens,
    ("POST", "reset", 0): reset,
}
