"""HTTP request and response of the sandbox."""

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote

JSON = "application/json"


@dataclass(slots=True)
class SandboxRequest:
    method: str
    target: str  # as sent: path and query, still encoded
    headers: dict[str, str] = field(default_factory=dict)  # lower-case names
    body: bytes = b""

    @property
    def raw_path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        return self.target.partition("?")[2]

    @property
    def segments(self) -> list[str]:
        return [unquote(part) for part in self.raw_path.strip("/").split("/")]

    def parameters(self) -> list[tuple[str, str]]:
        return parse_qsl(self.query, keep_blank_values=True) if self.query else []

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


@dataclass(slots=True)
class SandboxResponse:
    status: int = 200
    body: bytes = b""
    content_type: str = JSON
    headers: list[tuple[str, str]] = field(default_factory=list)
    drop: bool = False  # close the connection without a byte
    truncate: bool = False  # promise the whole body, send half of it, close
    trickle_ms: int = 0  # pause between single bytes


def json_response(data: Any, status: int = 200) -> SandboxResponse:
    return SandboxResponse(status, encode(data))


def encode(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
