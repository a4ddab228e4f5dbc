"""The point-of-sale API: the logo shown to customers of the manager application."""

import hmac
import re
import struct
import uuid
import zlib
from typing import Any

from partner_sandbox.entities.customers import compact
from partner_sandbox.http.errors import Refusal, refuse
from partner_sandbox.http.fields import UUID_TEXT, read_object
from partner_sandbox.service import SandboxCall, SandboxEndpoint

MOST_BYTES = 100 * 1024
LEAST_WIDTH = 300
SIGNATURE = b"\x89PNG\r\n\x1a\n"
IMAGE_HEADER = 13
BOUNDARY = re.compile(r'boundary=(?:"([^"]+)"|([^;\s]+))', re.IGNORECASE)
FIELD_NAME = re.compile(rb'content-disposition:[^\r\n]*[;\s]name="([^"]*)"', re.IGNORECASE)


def put_logo(call: SandboxCall) -> dict[str, Any]:
    row = _find_instance(call)
    if call.request.media_type != "multipart/form-data":
        raise refuse(415, "", breach="wrong_content_type")
    logo = _read_logo(call)
    body = read_object(row["body"].encode())
    body["logoPath"] = f"/logos/{uuid.UUID(bytes=row['uuid'])}.png"
    with call.service.store.writing() as db:
        db.execute(
            "UPDATE pos_instance SET logo=?, body=? WHERE uuid=?",
            (logo, compact(body), row["uuid"]),
        )
    defaults = {"oauthAuthorizeUrl": None, "oauthTokenUrl": None}
    return {**defaults, **body, "uuid": str(uuid.UUID(bytes=row["uuid"]))}


def _find_instance(call: SandboxCall) -> Any:
    key = call.request.headers.get("x-api-key", "")
    with call.service.store.reading() as db:
        rows = db.execute("SELECT * FROM pos_instance").fetchall()
    known = [row for row in rows if hmac.compare_digest(row["api_key"].encode(), key.encode())]
    if not known:
        raise Refusal(401, {"message": "Invalid authentication credentials"})
    text = call.path["uuid"]
    wanted = uuid.UUID(text).bytes if UUID_TEXT.fullmatch(text) else b""
    for row in known:
        if row["uuid"] == wanted:
            return row
    raise refuse(404, "")


def _read_logo(call: SandboxCall) -> bytes:
    parts = _form_parts(call)
    if set(parts) - {"logo"}:
        call.breaches.append("unknown_field")
    logo = parts.get("logo")
    if logo is None or set(parts) != {"logo"}:
        raise refuse(400, "INVALID_LOGO")
    width = png_width(logo)
    if width is None or width < LEAST_WIDTH or len(logo) > MOST_BYTES:
        raise refuse(400, "INVALID_LOGO")
    return logo


def _form_parts(call: SandboxCall) -> dict[str, bytes]:
    match = BOUNDARY.search(call.request.headers["content-type"])
    if match is None:
        raise refuse(400, "INVALID_BODY")
    delimiter = b"\r\n--" + (match[1] or match[2]).encode("latin-1")
    parts = {}
    for part in (b"\r\n" + call.request.body).split(delimiter)[1:-1]:
        head, _, data = part.partition(b"\r\n\r\n")
        name = FIELD_NAME.search(head)
        parts[name[1].decode("latin-1") if name else ""] = data
    return parts


def png_width(data: bytes) -> int | None:
    """The width of a whole PNG file; None when the bytes are anything else."""
    if not data.startswith(SIGNATURE):
        return None
    width, kind, position = None, b"", len(SIGNATURE)
    while position + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        end = position + 12 + length
        if end > len(data) or not _checksum_holds(data, position, length):
            return None
        if kind == b"IHDR" and length == IMAGE_HEADER:
            width = struct.unpack_from(">I", data, position + 8)[0]
        position = end
    return width if kind == b"IEND" and position == len(data) else None


def _checksum_holds(data: bytes, position: int, length: int) -> bool:
    body = data[position + 4 : position + 8 + length]
    stored: int = struct.unpack_from(">I", data, position + 8 + length)[0]
    return zlib.crc32(body) == stored


ENDPOINTS = [SandboxEndpoint("put_logo", "PUT", "/v1/{uuid}/logo", put_logo)]
