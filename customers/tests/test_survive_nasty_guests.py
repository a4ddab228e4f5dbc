"""Whatever a profile holds, its page opens, its search finds it, and its files stay files."""

import csv
import io
import json
import zipfile
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from openpyxl import load_workbook

from customers import sync
from customers.models import Customer
from mirror.kinds import EntityLocation
from partner import schemas
from partner.payloads import reading
from restaurants.testing import sign_in

NOW = datetime(2026, 1, 2, tzinfo=UTC)
REQUIRED = ("email", "firstName", "lastName", "locale", "notes", "creationDate", "lastUpdateDate")
NASTY: dict[str, dict[str, Any]] = {
    "nulls everywhere": dict.fromkeys(REQUIRED),
    "long notes": {"firstName": "Long", "notes": "word " * 1000},
    "a script": {"firstName": "<script>alert(1)</script>", "notes": "</textarea><img src=x>"},
    "a formula": {
        "firstName": "=HYPERLINK(1)",
        "lastName": "+cmd|' /C calc'!A0",
        "phone": "@SUM(1)",
    },
    "right to left": {"firstName": "محمد", "lastName": "\u202eالعربي", "favFood": "كسكس"},
    "emoji": {"firstName": "👩‍🍳", "lastName": "🦞", "otherTags": ["🎂", ""]},
    "an unknown civility": {"civility": "archduke", "rank": "platinum", "locale": "xx_XX"},
    "empty custom fields": {
        "customFields": [
            {"labelUuid": str(uuid4()), "label": "", "type": "string", "value": ""},
            {"labelUuid": str(uuid4()), "label": "A", "type": "integer", "value": 0},
            {"labelUuid": str(uuid4()), "label": "B", "type": "boolean", "value": False},
        ]
    },
    "line breaks and quotes": {"firstName": 'A"\r\n;,', "lastName": "\tB'", "email": "a@b\r\nX: y"},
    "ten thousand tags": {"otherTags": [f"tag {n}" for n in range(10_000)]},
    "a huge name": {"firstName": "N" * 10_000, "lastName": "M" * 10_000},
    "wrong types": {"firstName": 4, "phone": {"a": 1}, "birthDate": "soon", "isVip": "yes"},
}


@pytest.fixture(params=list(NASTY))
def nasty(request, harbour):
    """A guest as the mirror stores what the service has answered."""
    uuid = uuid4()
    payload = {"customerUuid": str(uuid), **NASTY[request.param]}
    entity, _findings = reading.read(schemas.CustomerPayload, payload)
    answer = SimpleNamespace(entity=entity, payload=payload, raw=json.dumps(payload))
    row = sync.build(answer, EntityLocation(harbour.uuid), None)
    row.uuid, row.raw = uuid, answer.raw
    row.read_at = row.first_seen_at = row.changed_at = NOW
    row.save(force_insert=True)
    return row


def test_the_page_opens(dora, nasty):
    answer = sign_in(dora).get(f"/customers/{nasty.pk}/")

    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert "<img src=x" not in answer.text


def test_the_contacts_are_revealed(bob, nasty):
    answer = sign_in(bob).post(f"/customers/{nasty.pk}/reveal/")

    assert answer.status_code == 200
    assert "<script>alert" not in answer.text


def test_it_stands_in_the_list(bob, nasty):
    answer = sign_in(bob).get("/customers/")

    assert f"/customers/{nasty.pk}/" in answer.text
    assert "<script>alert" not in answer.text


def test_it_is_found_by_its_own_name(bob, nasty):
    answer = sign_in(bob).get("/customers/", {"q": nasty.full_name[:30] or str(nasty.pk)})

    assert answer.status_code == 200
    assert str(nasty.pk) in answer.text or not nasty.full_name.strip()


def test_the_sheet_holds_no_formula(alice, quay, nasty):
    client = sign_in(alice)
    text = client.get("/customers/export.csv").getvalue().decode()
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    book = load_workbook(io.BytesIO(client.get("/customers/export.xlsx").getvalue()))
    cells = [cell for line in book.active.iter_rows() for cell in line]

    assert not any(
        str(value).startswith(("=", "+", "-", "@", "\t", "\r")) for value in row.values()
    )
    assert not any(cell.data_type == "f" for cell in cells)


def test_the_archive_is_whole(dora, nasty):
    answer = sign_in(dora).post(f"/customers/{nasty.pk}/take-away/")
    file = zipfile.ZipFile(io.BytesIO(answer.content))

    assert json.loads(file.read("guest.json"))["guest"]["customerUuid"] == str(nasty.pk)
    assert b"<script>alert" not in file.read("guest.html")


def test_it_is_erased(dora, nasty):
    sign_in(dora).post(f"/customers/{nasty.pk}/erase/", {"sure": "on"})

    assert Customer.objects.get(pk=nasty.pk).raw == ""
