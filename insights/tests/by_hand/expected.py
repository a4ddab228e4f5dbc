"""What each question must answer, by the slow script."""

from collections import Counter, defaultdict
from decimal import Decimal
from fractions import Fraction
from typing import Any

from insights.tests.by_hand import spelling as s
from insights.tests.by_hand.answers import PlainAnswer, at, columns, covers
from insights.tests.by_hand.plain import SUREST

LEADS = (0, 1, 2, 4, 8, 15, 31)


def fullness(one):
    open_days = len({day for _place, day in one.open_days(one.places)})
    total = covers(one.kept)
    both = one.like_for_like(lambda side: side.kept)
    mean = s.number(s.part(total, open_days))
    rows = []
    for place in one.places:
        kept = at(place, one.kept)
        own = one.like_for_like(lambda side: side.kept, [place])
        change = s.grown(covers(own[0]), covers(own[1])) if own else None
        walk_ins = sum(row.channel == "Walk-in" for row in kept)
        rows.append([place, covers(kept), change, len(kept), walk_ins])
    return PlainAnswer(
        s.number(total),
        f"covers, {mean} per open day",
        s.grown(covers(both[0]), covers(both[1])) if both else None,
        rows,
        columns(one, lambda side: side.kept, covers),
    )


def heat(one):
    """Covers by weekday and hour of the last whole weeks of the range, four at most."""
    found: Counter[tuple[int, int]] = Counter()
    days = (one.last - one.first).days + 1
    counted = days if days < 7 else min(days - days % 7, 28)
    for row in one.kept:
        if (one.last - row.day).days < counted:
            found[row.day.weekday(), row.hour] += row.covers
    hours = [hour for (_day, hour), number in found.items() if number]
    if not hours:
        return None
    return [[found[day, hour] for hour in range(min(hours), max(hours) + 1)] for day in range(7)]


def expected_to_come(rows):
    return [row for row in rows if row.status == "RECORDED" and row.channel != "Walk-in"]


def is_marking(rows):
    due = expected_to_come(rows)
    return bool(due) and 5 * sum(row.is_marked for row in due) >= len(due)


def missed(rows):
    no_shows = sum(row.status == "NO_SHOW" for row in rows)
    return s.part(no_shows, len(expected_to_come(rows)) + no_shows)


def absence(one):
    marking = [place for place in one.places if is_marking(at(place, one.rows))]
    silent = [place for place in one.places if place not in marking and at(place, one.rows)]

    def among(side):
        names = ("RECORDED", "NO_SHOW", "CANCELED")
        return [row for row in side.rows if row.place in marking and row.status in names]

    then = [place for place in marking if is_marking(at(place, one.before.rows))]
    both = one.like_for_like(lambda side: [row for row in side.rows if row.place in then], then)
    people = covers(row for row in among(one) if row.status == "NO_SHOW")
    rows = []
    for place in one.places:
        own = at(place, one.rows)
        gone = [row for row in own if row.status == "NO_SHOW"]
        known = [missed(own), len(gone), covers(gone)] if place in marking else [None] * 3
        cancelled = sum(row.status == "CANCELED" for row in own)
        word = "marked" if place in marking else "too few marked"
        rows.append([place, *known, cancelled, len(expected_to_come(own)), word])
    few = "Left out, too few arrivals marked in this time: "
    number = len(one.places)
    return PlainAnswer(
        s.share(missed(among(one))),
        f"of bookings were missed: {s.number(people)} people",
        s.shifted(missed(both[0]), missed(both[1])) if both else None,
        rows,
        columns(one, among, missed),
        [f"In this time enough arrivals were marked at {len(marking)} of {number} restaurants."],
        [f"{few}{s.names(silent)}."] if silent else [],
    )


def is_online(row):
    return row.channel not in ("Walk-in", "Offline")


def channels(one):
    now = Counter(row.channel for row in one.kept)
    before = Counter(row.channel for row in one.before.kept)
    every = sum(now.values())
    both = one.like_for_like(lambda side: side.kept)
    shares = [s.part(sum(map(is_online, side)), len(side)) for side in both or ()]
    counted = {row.channel for row in one.rows}
    rows = []
    for channel in counted:
        own = [row for row in one.rows if row.channel == channel]
        kept = [row for row in own if row.status == "RECORDED"]
        cancelled = sum(row.status == "CANCELED" for row in own)
        name, share = s.CHANNEL_NAMES[channel], s.part(len(kept), every)
        rows.append([name, share, len(kept), covers(kept), cancelled])
    held = {row.channel for row in one.before.rows}
    points = {
        s.CHANNEL_NAMES[channel]: (
            s.part(now[channel], every) or 0,
            s.part(before[channel], sum(before.values())) if channel in held else None,
        )
        for channel in counted
    }
    return PlainAnswer(
        s.share(s.part(sum(map(is_online, one.kept)), every)),
        "of bookings are made online",
        s.shifted(*shares) if shares else None,
        rows,
        points,
    )


def lead(one):
    def ahead(rows):
        return [row.ahead for row in expected_to_come(rows) if row.ahead is not None]

    def classes(rows):
        days = ahead(rows)
        most = [*LEADS[1:], 10**6]
        found = [sum(low <= n < high for n in days) for low, high in zip(LEADS, most, strict=True)]
        return [s.part(number, len(days)) for number in found]

    days, due = ahead(one.rows), expected_to_come(one.rows)
    both = one.like_for_like(lambda side: side.rows)
    now, then = map(ahead, both or ([], []))
    same_day = s.share(s.part(days.count(0), len(days)))
    rows = [
        [place, s.mean(ahead(at(place, one.rows))), *classes(at(place, one.rows))]
        for place in one.places
        if at(place, one.rows)
    ]
    shares = zip(s.LEAD_NAMES, classes(one.rows), classes(one.before.rows), strict=True)
    return PlainAnswer(
        s.number(s.mean(days), 1),
        f"days ahead on average; {same_day} book on the day itself",
        s.moved(s.mean(now), s.mean(then), "days"),
        rows,
        {name: (value or 0, old) for name, value, old in shares},
        [f"The moment of booking is known for {s.share(s.part(len(days), len(due)))} of bookings."],
    )


def billed(rows):
    return [row for row in rows if row.status == "RECORDED" and row.bill is not None]


def per_cover(rows):
    sized = [row for row in billed(rows) if row.size]
    return s.part(sum(Fraction(row.bill) for row in sized), covers(sized))


def spend(one):
    bills = billed(one.rows)
    counts = Counter(row.currency for row in bills)
    most = max(counts.values(), default=0)
    main = min((word for word, number in counts.items() if number == most), default="")

    def only(side):
        return [row for row in billed(side.rows) if row.currency == main]

    then = {row.place for row in only(one.before)} & {row.place for row in only(one)}
    places = [place for place in one.places if place in then]
    both = one.like_for_like(lambda side: [r for r in only(side) if r.place in then], places)
    rows = []
    for place, currency in sorted({(row.place, row.currency) for row in bills}):
        own = [row for row in at(place, bills) if row.currency == currency]
        total = sum((row.bill for row in own), Decimal())
        rows.append([place, currency or "unknown", per_cover(own), total, len(own)])
    others = [
        f"{place} ({currency or 'unknown'})"
        for place in one.places
        for currency in sorted({row.currency for row in at(place, bills)} - {main})
    ]
    without = [place for place in one.places if not at(place, bills)]
    total = s.amount(sum((row.bill for row in only(one)), Decimal()))
    return PlainAnswer(
        f"{s.number(per_cover(only(one)), 2)} {main}".strip(),
        f"per cover; {total} {main} in all" if main else f"per cover; {total} in all, {s.UNNAMED}",
        s.grown(per_cover(both[0]) or 0, per_cover(both[1]) or 0) if both else None,
        rows,
        columns(one, only, per_cover),
        [f"The bill is known for {s.share(s.part(len(bills), len(one.kept)))} of bookings."],
        [
            *([f"Left out, another currency: {s.names(others)}."] if others else []),
            *([f"Left out, no bills: {s.names(without)}."] if without else []),
        ],
        [[*row[:2], row[2] and s.rounded(row[2], 3), *row[3:]] for row in rows],
    )


def campaigns(one):
    def came(side):
        return [row for row in side.rows if row.campaign and row.status in LIVED]

    def kept(rows):
        return [row for row in rows if row.status == "RECORDED"]

    found: dict[Any, list[Any]] = defaultdict(lambda: [0, 0, 0, 0, None])
    for row in one.rows:
        if not row.campaign:
            continue
        is_kept = row.status == "RECORDED"
        bill = row.bill if is_kept else None
        counts = found[(*row.campaign, row.currency if bill is not None else "")]
        counts[0] += is_kept
        counts[1] += row.covers if is_kept else 0
        counts[2] += row.status in ("NO_SHOW", "CANCELED")
        if bill is not None:
            counts[3] += 1
            counts[4] = (counts[4] or Decimal()) + bill
    both = one.like_for_like(came)
    words = {row.campaign for row in one.rows if row.campaign}
    own = [row for row in one.kept if row.campaign]
    held = any(row.campaign for row in one.before.rows) and one.is_whole
    points = {
        " · ".join(filter(None, each)): (
            sum(row.campaign == each for row in one.kept),
            sum(row.campaign == each for row in one.before.kept) if held else None,
        )
        for each in words
    }
    return PlainAnswer(
        s.number(len(own)),
        "bookings came by a campaign",
        s.grown(len(kept(both[0])), len(kept(both[1]))) if both else None,
        [[*key[:3], *counts, key[3]] for key, counts in found.items()],
        points,
        [f"{s.share(s.part(len(own), len(one.kept)))} of bookings name a campaign."],
    )


LIVED = ("RECORDED", "NO_SHOW", "CANCELED")


def ratings(one):
    def mean(rows):
        return s.mean(one.row.global_rating for one in rows if one.row.global_rating is not None)

    def parts(rows):
        every = [
            [getattr(one.row, f"{name}_rating") for one in rows]
            for name in ("food_quality", "service", "ambience")
        ]
        return [s.mean(n for n in points if n is not None) for points in every]

    def answered(rows):
        published = [one.row for one in rows if one.row.comment_status == "PUBLISHED"]
        replied = [row for row in published if row.reply_status == "PUBLISHED"]
        timed = [
            (row.reply_created_ts - row.comment_published_ts).total_seconds() // 60
            for row in replied
            if row.reply_created_ts and row.comment_published_ts
        ]
        hours = s.mean(max(minutes, 0) for minutes in timed)
        return s.part(len(replied), len(published)), hours and hours / 60

    rows = [
        [
            *(place, mean(own), len(own)),
            sum(one.row.global_rating is not None and one.row.global_rating <= 6 for one in own),
            *(*parts(own), *answered(own)),
        ]
        for place in one.places
        if (own := at(place, one.rated))
    ]
    both = one.like_for_like(lambda side: side.rated)
    before = both[1] if both else []
    now = both[0] if both else []
    known = [
        (points, name)
        for points, name in zip(parts(one.rated), ("Food", "Service", "Ambience"), strict=True)
        if points is not None
    ]
    drag = "Food, service and ambience are not rated on these days."
    if known:
        points, name = min(known)
        drag = f"What drags the score: {name}, {s.number(points, 1)} of 10."
    share = s.share(answered(one.rated)[0])
    return PlainAnswer(
        s.number(mean(one.rated), 1),
        f"of 10 in {s.number(len(one.rated))} reviews; {share} of comments answered",
        s.moved(mean(now), mean(before), "points"),
        rows,
        columns(one, lambda side: side.rated, mean),
        [drag],
    )


def diets(one):
    def parties(rows, certainty, code=None):
        return sum(
            any(
                need.certainty == certainty
                for key, need in row.needs.items()
                if code in (None, key)
            )
            if code
            else bool(row.needs)
            and min((n.certainty for n in row.needs.values()), key=SUREST.index) == certainty
            for row in rows
        )

    tagged, stated, maybe = (s.number(parties(one.noted, word)) for word in SUREST)
    both = one.like_for_like(lambda side: side.noted)
    change = both and s.grown(parties(both[0], "tagged"), parties(both[1], "tagged"))
    keys = {
        (place, code, need.certainty, need.name)
        for place in one.places
        for row in at(place, one.noted)
        for code, need in row.needs.items()
    }
    rows = []
    for place, code, certainty, name in keys:
        own = [
            (row, row.needs[code])
            for row in at(place, one.noted)
            if code in row.needs and row.needs[code].certainty == certainty
        ]
        days = Counter(row.day.weekday() for row, _need in own)
        people = sum(need.people for _row, need in own)
        week = [days[day] for day in range(7)]
        rows.append([place, name, s.CERTAINTY_NAMES[certainty], len(own), people, *week])
    held = one.is_whole and any(row.needs for row in one.before.noted)
    points = {
        f"{name}, {s.CERTAINTY_NAMES[certainty]}": (
            parties(one.noted, certainty, code),
            parties(one.before.noted, certainty, code) if held else None,
        )
        for _place, code, certainty, name in keys
    }
    return PlainAnswer(
        tagged,
        f"parties tagged; of the others {stated} said it in a note, {maybe} perhaps",
        change,
        rows,
        points,
    )


BY_HAND = {
    "fullness": fullness,
    "absence": absence,
    "spend": spend,
    "channels": channels,
    "ratings": ratings,
    "lead": lead,
    "diets": diets,
    "campaigns": campaigns,
}
