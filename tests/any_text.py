"""Answers that hold any text: what a service may send, as bytes, and how to look for it again."""

import csv
import html
import io
import json
import re
import zipfile
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.apps import apps
from hypothesis import strategies as st
from openpyxl import load_workbook

from lib.spreadsheets import is_formula
from partner.endpoints import ENDPOINTS
from partner.http.protocol import Request
from partner.testing import FakeTransport, recorded

RESERVATION = UUID("7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33")
GUEST = UUID("e0d0c0f5-0c3a-4a45-9a7c-5a1b3c2d4e5f")
REVIEW = UUID("2f9f2a38-1f1e-4d0b-8a2c-7c3f6b5a4e21")
UUIDS = {"reservation": RESERVATION, "customer": GUEST, "review": REVIEW}
# Stands in every text that tells of the person, so that it can be looked for after erasing.
CANARY = "canary7f3a"
# Their values decide where a thing belongs and when it is: they stay as recorded.
KEPT = re.compile(r"(uuid|Uuid|Date|Ts|At)$|^birthDate$")

ENUMERATIONS = {"civility", "rank", "type", "key"}

NASTY = [
    "\ud83c",
    "\udf77\ud83c",
    "\0",
    "\x01\x08\x0b\x1b[31m\x7f\x85",
    "\u2028\u2029",
    "\u202e\u2066\u200f",
    "e" + "\u0301" * 60,
    "\ufeff\ufffe\uffff",
    "\r\nBEGIN:VEVENT\r\nX-Forged: 1",
    "=HYPERLINK(1)",
    "\uff1dcmd",
    " \u200b@SUM(1)",
    "\t+1",
    "_x0041_",
    "]]><!--<script>alert(1)</script>",
    "{{ 1 }}{% debug %}%s %(n)s {0}",
    "👩‍🍳🦞",
    "İıſßﬃ",
    "แพ้ถั่ว एलर्जी المكسّرات",
    "\\ud83c \\u0000",
    "\"; DROP TABLE x; --'",
    "",
]
TEXTS = st.sampled_from(NASTY) | st.text(st.characters(exclude_categories=()), max_size=40)
# What no value of a well-behaved program holds, as a service may write it all the same.
ODD_JSON = [
    *("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "9" * 30, "9" * 5000, "-0.0", "1E-999"),
    *('"\\ud83c"', '{"\\ud83c": "\\u0000"}', '{"a": 1, "a": 2}', '{"": null}'),
    *("[" * 300 + "]" * 300, '{"a":' * 300 + "1" + "}" * 300),
]


def text_paths(payload: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where text may stand in a payload: a null may become text, an empty list may get an item."""
    if isinstance(payload, dict):
        inside = [(key, value) for key, value in payload.items() if not KEPT.search(key)]
        return [found for key, value in inside for found in text_paths(value, (*path, key))]
    if isinstance(payload, list):
        return [found for n, value in enumerate(payload) for found in text_paths(value, (*path, n))]
    return [path] if payload is None or isinstance(payload, str) else []


def put(payload: Any, path: tuple[Any, ...], text: str) -> None:
    for step in path[:-1]:
        payload = payload[step]
    payload[path[-1]] = text


def is_personal(kind: str, path: tuple[Any, ...]) -> bool:
    """Whether erasing the guest must leave no trace of it. Words of enumerations tell of nobody."""
    if path[-1] in ENUMERATIONS:
        return False
    personal = {
        "reservation": ("customerNote", "restaurantNote", "customFields", "utmTrackingInformation"),
        "review": ("firstName", "lastName", "comment"),
    }
    if kind == "customer":
        return True
    if path[0] == "comment":
        return path == ("comment", "content")
    return any(step in personal[kind] for step in path)


def full_payload(kind: str, place: UUID) -> dict[str, Any]:
    """The recorded answer, with every field that may hold text."""
    payload: dict[str, Any] = recorded(f"get_{kind}")
    for name in ("restaurantUuid", "originRestaurantUuid"):
        if name in payload:
            payload[name] = str(place)
    if kind == "customer":
        payload |= {name: ["x"] for name, value in payload.items() if value == []}
        payload["riskLevel"] = ["x"]
        payload["customFields"] = recorded("get_reservation")["customFields"]
    if kind == "review":
        payload["restaurantReply"] = payload["comment"] | {"content": "x"}
        payload["dinerRating"]["somethingNew"] = "x"
    for field in payload.get("customFields") or ():
        field |= {"type": "string", "value": "x"}
    return payload


def write_answer(
    kind: str, place: UUID, *, text: Callable[[], str], odd: list[str], fixed: dict[str, Any]
) -> bytes:
    """The bytes of an answer with text of its own in every field, and odd values in new ones."""
    payload = full_payload(kind, place)
    for path in text_paths(payload):
        words = text() + CANARY if is_personal(kind, path) else text()
        put(payload, path, words)
    payload |= fixed
    # A key that stands twice, one that is half a character, and values that are no JSON at all.
    twice = f"{json.dumps(next(iter(payload)))}: null"
    strange = f'"new\\ud83c": [{", ".join(odd)}]'
    return f"{{{twice}, {json.dumps(payload)[1:-1]}, {strange}}}".encode()


def write_offers(text: Callable[[], str]) -> bytes:
    """A list that pages ask for while somebody waits: of what is stored nowhere."""
    payload = recorded("list_offers")
    for path in text_paths(payload):
        put(payload, path, text())
    return json.dumps(payload).encode()


class Service(FakeTransport):
    """Answers every read with the bytes that it holds at the moment, and other lists with none."""

    def __init__(self) -> None:
        self.answers: dict[str, bytes] = {}
        super().__init__()
        for operation in ENDPOINTS:
            self.reply(operation, (200, []))
        for operation in ("get_reservation", "get_customer", "get_review", "list_offers"):
            self.reply(operation, self._answer)

    def _answer(self, request: Request) -> tuple[int, bytes]:
        return 200, self.answers[request.operation]


# Looking for it again


def visible(page: str) -> str:
    """The text of a page without its markup and its white space."""
    return squeezed(html.unescape(re.sub(r"<[^>]*>", "", page)))


def squeezed(text: str) -> str:
    return "".join(text.split())


def sent_values(answer: bytes) -> Any:
    """What an answer says, its numbers as they are spelt."""
    return json.loads(answer, parse_constant=str, parse_int=str, parse_float=str)


def strict_json(text: str) -> Any:
    """As a parser reads it that knows nothing but the standard."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    return json.loads(text, parse_constant=refuse, parse_int=str, parse_float=str)


def check_file(name: str, content: bytes) -> None:
    """Open an export as other programs do; a page is text."""
    if name.endswith("csv"):
        rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
        assert not [cell for row in rows for cell in row if is_formula(cell) and is_text(cell)]
    elif name.endswith("xlsx"):
        cells = [cell for row in load_workbook(io.BytesIO(content)).active.rows for cell in row]
        assert not [cell for cell in cells if cell.data_type == "f"]
    else:
        content.decode()


def is_text(cell: str) -> bool:
    return not re.fullmatch(r"-?[\d.]+", cell)


def check_calendar(content: bytes) -> None:
    lines = content.split(b"\r\n")
    assert all(len(line) <= 75 for line in lines)
    assert lines.count(b"BEGIN:VEVENT") == lines.count(b"END:VEVENT") > 0
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", content.decode())


def check_archive(content: bytes, *, holds: str) -> None:
    file = zipfile.ZipFile(io.BytesIO(content))
    held = strict_json(file.read("guest.json").decode())
    assert holds in json.dumps(held)
    assert holds in file.read("guest.html").decode()


def places_with(word: str) -> set[str]:
    """Every column of the database in which the word stands."""
    return {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        for value in model._base_manager.values_list(field.name, flat=True)
        if word in (bytes(value).decode("latin-1") if isinstance(value, memoryview) else str(value))
    }
