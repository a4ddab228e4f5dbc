"""Builds a world into an empty store: the same seed, world and day give the same content."""

import json
import sqlite3
from datetime import date, timedelta
from uuid import UUID

from partner_sandbox.clock import HOUR, to_datetime, utc_midnight
from partner_sandbox.dice import dice
from partner_sandbox.entities.directory import Directory
from partner_sandbox.store import Store
from partner_sandbox.world.bookings import Making, book_day
from partner_sandbox.world.every_word import add_every_word
from partner_sandbox.world.plans import SIZES, Blueprint, blueprint, clients, plan_row, pos_identity

DAYS_PER_BATCH = 7
PLAYED = 6 * HOUR  # longer than a party stays


def build(
    store: Store, world: str, seed: int, anchor: date, *, now: int | None = None, owner: int = 1
) -> None:
    """Fill the store with everything up to the start (UTC) of the anchor day.

    The demo's world is filled up to a few hours before now, since dinner is on somewhere at any
    hour: those hours are played.
    """
    store.create()
    size = SIZES[world]
    midnight = utc_midnight(anchor)
    filled_to = midnight if now is None or not size.is_demo else now // HOUR * HOUR - PLAYED
    plan = blueprint(world, seed, owner)
    _write_frame(store, plan, seed)
    making = Making(
        luck=dice(seed, world, anchor),
        seed=seed,
        size=size,
        anchor=filled_to,
    )
    _write_days(store, making, anchor)
    if world in ("tiny", "small", "demo"):
        with store.writing() as db:
            add_every_word(db)
    store.create_indexes()
    about = {"world": world, "seed": seed, "owner": owner, "filled_to": filled_to}
    for name, value in about.items():
        store.remember(name, value)
    store.remember("anchor", anchor.isoformat())  # the last: without it the state is half built


def rebuild(store: Store, world: str, seed: int, *, now: int) -> None:
    """Fill the store anew. On the same day a world is the same, unless it is filled up to now."""
    anchor, owner = to_datetime(now).date(), store.setting("owner", 1)
    if store.restore((world, seed, anchor)):
        return
    store.clear()
    build(store, world, seed, anchor, now=now, owner=owner)
    if not SIZES[world].is_demo:
        store.keep((world, seed, anchor))


def _write_frame(store: Store, plan: Blueprint, seed: int) -> None:
    with store.writing() as db:
        for number, group in enumerate(plan.groups, 1):
            db.execute(
                "INSERT INTO party VALUES (?,?,?,?)",
                (number, UUID(group["uuid"]).bytes, group["name"], group["owner"]),
            )
        for restaurant in plan.restaurants:
            db.execute(
                "INSERT INTO restaurant (id, uuid, group_id, plan) VALUES (?,?,?,?)",
                (
                    restaurant.id,
                    restaurant.raw_uuid,
                    restaurant.group_id,
                    json.dumps(plan_row(restaurant)),
                ),
            )
        for client in clients(seed):
            db.execute(
                "INSERT INTO client VALUES (:client_id, :name, :secret, :scopes,"
                " 'client_credentials', :audiences)",
                client,
            )
            for group_id, restaurant_id in _reach(client["name"], len(plan.groups)):
                row = (client["client_id"], group_id, restaurant_id)
                db.execute("INSERT INTO reach VALUES (?,?,?)", row)
        _write_pos(db, seed)


def _reach(client: str, groups: int) -> list[tuple[int, int]]:
    """The phone partner starts with one restaurant; its last milestone opens the group."""
    if client == "stranger":
        return [(groups, 0)]
    if client == "phone":
        return [(1, 1)]
    return [(group, 0) for group in range(1, groups)]


def _write_pos(db: sqlite3.Connection, seed: int) -> None:
    identity = pos_identity(seed)
    body = {
        "name": "Couvert till",
        "type": "jwt",
        "homepageUrl": "https://example.com/",
        "receiptOpeningUrl": "https://example.com/receipts",
        "oauthScope": [],
        "availableOn": [],
    }
    db.execute(
        "INSERT INTO pos_instance VALUES (?,?,?,NULL)",
        (UUID(identity["uuid"]).bytes, identity["api_key"], json.dumps(body)),
    )


def _write_days(store: Store, making: Making, anchor: date) -> None:
    restaurants = list(Directory(store).restaurants.values())
    first, last = -making.size.days_back, making.size.days_ahead
    for start in range(first, last + 1, DAYS_PER_BATCH):
        for offset in range(start, min(start + DAYS_PER_BATCH, last + 1)):
            for place in restaurants:
                book_day(making, place, anchor + timedelta(days=offset))
        write_batch(store, making)


def write_batch(store: Store, making: Making) -> None:
    """Write a batch; guests change last when they last came, so those are written again."""
    with store.writing() as db:
        db.executemany(
            "INSERT INTO customer (id, uuid, group_id, email, phone, created, updated, body)"
            " VALUES (?1,?2,?3,?4,?5,?6,?6,?7)",
            making.customers,
        )
        db.executemany(
            "INSERT INTO reservation VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", making.reservations
        )
        db.executemany("INSERT INTO review VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", making.reviews)
        for pool in making.pools.values():
            db.executemany(
                "UPDATE customer SET updated=MAX(updated, ?2) WHERE id=?1", pool.seen.items()
            )
            pool.seen.clear()
    for rows in (making.customers, making.reservations, making.reviews):
        rows.clear()
