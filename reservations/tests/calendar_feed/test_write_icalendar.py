"""The text of an iCalendar file: lines, folding, escaping, times."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from django.test import SimpleTestCase

from reservations.calendar_feed.icalendar import CalendarEvent, calendar, escape, fold, utc

NOON = datetime(2026, 1, 17, 12, tzinfo=UTC)


def event(**fields: Any) -> CalendarEvent:
    known: dict[str, Any] = {
        "uid": "0b1f4d4e-0000-4000-8000-000000000001",
        "changed_at": NOON,
        "version": 3,
        "start": NOON,
        "end": NOON + timedelta(minutes=90),
        "summary": "4 people",
        "description": "",
        "location": "Quay",
        "url": "https://couvert.example/reservations/1/",
        "status": "CONFIRMED",
    }
    return CalendarEvent(**known | fields)


def unfolded(data):
    """The lines as a reader puts them together again (3.1)."""
    return data.decode().replace("\r\n ", "").split("\r\n")


class TestFile(SimpleTestCase):
    def test_it_works(self):
        lines = unfolded(calendar("Quay", [event()], refresh="PT30M"))

        assert lines[:3] == ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Couvert//Bookings//EN"]
        assert lines[-2:] == ["END:VCALENDAR", ""]
        for line in (
            "UID:0b1f4d4e-0000-4000-8000-000000000001",
            "DTSTAMP:20260117T120000Z",
            "SEQUENCE:3",
            "DTSTART:20260117T120000Z",
            "DTEND:20260117T133000Z",
            "SUMMARY:4 people",
            "STATUS:CONFIRMED",
        ):
            assert line in lines

    def test_every_line_ends_as_the_rule_says_and_fits(self):
        data = calendar("ü" * 90, [event(description="x" * 500)], refresh="PT30M")

        assert data.count(b"\n") == data.count(b"\r\n")
        assert max(len(line) for line in data.split(b"\r\n")) <= 75

    def test_no_events_are_a_calendar_too(self):
        assert "BEGIN:VEVENT" not in unfolded(calendar("Quay", [], refresh="PT30M"))


@pytest.mark.parametrize("octets", [74, 75, 76, 149, 150, 300])
@pytest.mark.parametrize("character", ["x", "é", "漢", "🍷"])
def test_folding_cuts_no_character_and_loses_none(character, octets):
    line = "SUMMARY:" + character * octets
    folded = fold(line)

    assert folded.replace("\r\n ", "") == line + "\r\n"
    assert all(len(piece.encode()) <= 75 for piece in folded.split("\r\n"))


def test_a_line_that_just_fits_is_not_folded():
    assert fold("x" * 75) == "x" * 75 + "\r\n"
    assert fold("x" * 76) == "x" * 75 + "\r\n x\r\n"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a, b; c", r"a\, b\; c"),
        ("back\\slash", r"back\\slash"),
        ("one\ntwo\r\nthree\rfour", r"one\ntwo\nthree\nfour"),
        ("bell\x07 nul\x00", "bell nul"),
        ("tab\there", "tab\there"),
        ("colon: “quoted”", "colon: “quoted”"),
    ],
)
def test_text_is_escaped(text, written):
    assert escape(text) == written


def test_a_forged_line_stays_text():
    lines = unfolded(
        calendar("Quay", [event(summary="4\r\nATTENDEE:mailto:x@example.org")], refresh="PT30M")
    )

    assert r"SUMMARY:4\nATTENDEE:mailto:x@example.org" in lines
    assert not any(line.startswith("ATTENDEE") for line in lines)


@pytest.mark.parametrize(
    ("instant", "written"),
    [
        (datetime(2026, 1, 17, 20, tzinfo=timezone(timedelta(hours=1))), "20260117T190000Z"),
        (
            datetime(2026, 1, 17, 0, 30, tzinfo=timezone(timedelta(hours=5, minutes=30))),
            "20260116T190000Z",
        ),
    ],
)
def test_times_are_utc(instant, written):
    assert utc(instant) == written
