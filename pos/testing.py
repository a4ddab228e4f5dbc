"""The table of good and bad logos: what the form, the server and the sandbox must say of each."""

import io
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import uuid4

from django.utils import timezone
from PIL import Image

from pos.models import Logo

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CAP = 100 * 1024


@dataclass(frozen=True)
class File:
    """`is_taken` by us, `fits` the contract: of animations and huge pictures it says nothing."""

    make: Callable[[], bytes]
    is_taken: bool
    fits: bool
    name: str = "logo.png"

    @cached_property
    def data(self) -> bytes:
        """Made when a test wants it: every process reads the table, and few send its files."""
        return self.make()


def chunk(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(kind + data).to_bytes(4)
    return struct.pack(">I", len(data)) + kind + data + checksum


def png(width: int = 300, height: int = 300, *, mode: str = "RGBA") -> bytes:
    written = io.BytesIO()
    Image.new(mode, (width, height), 128 if mode == "L" else "teal").save(written, "PNG")
    return written.getvalue()


def padded(size: int) -> bytes:
    """A picture with a text chunk that makes it exactly this long."""
    plain = png()
    end = plain[-12:]
    words = b"k\0" + b"x" * (size - len(plain) - 14)
    return plain[:-12] + chunk(b"tEXt", words) + end


def packed(size: int) -> bytes:
    """A noisy picture a little below `size`: every byte of it is picture."""
    width = 300
    rows = (size - 200) // (width + 1)
    lines = bytearray()
    state = 1
    for _row in range(rows):
        lines.append(0)
        for _column in range(width):
            state = (state * 1103515245 + 12345) % 2**31
            lines.append(state >> 16 & 255)
    return headed(width, rows, zlib.compress(bytes(lines), 9))


def headed(width: int, height: int, pixels: bytes, *, before: bytes = b"") -> bytes:
    """A grey picture of whatever size its header claims."""
    header = chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0))
    return SIGNATURE + header + before + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def other(kind: str) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (300, 300), "teal").save(written, kind)
    return written.getvalue()


def animated() -> bytes:
    written = io.BytesIO()
    frames = [Image.new("RGB", (300, 300), colour) for colour in ("teal", "navy")]
    frames[0].save(written, "PNG", save_all=True, append_images=frames[1:])
    return written.getvalue()


def bomb() -> bytes:
    """25,000 pixels on a side in a few hundred bytes, as far as the header is believed."""
    return headed(25_000, 25_000, zlib.compress(b"\0" * 100_000))


def text_bomb() -> bytes:
    words = b"k\0\0" + zlib.compress(b"x" * 40_000_000)
    return headed(300, 1, zlib.compress(b"\0" * 301), before=chunk(b"zTXt", words))


FILES = {
    "300 wide": File(lambda: png(300), is_taken=True, fits=True),
    "301 wide": File(lambda: png(301, 40), is_taken=True, fits=True),
    "grey": File(lambda: png(mode="L"), is_taken=True, fits=True),
    "exactly 100 KB": File(lambda: padded(CAP), is_taken=True, fits=True),
    "nearly 100 KB of picture": File(lambda: packed(CAP), is_taken=True, fits=True),
    "no ending in its name": File(png, is_taken=True, fits=True, name="logo"),
    "a path for a name": File(png, is_taken=True, fits=True, name="../../x.png"),
    "299 wide": File(lambda: png(299), is_taken=False, fits=False),
    "100 KB and a byte": File(lambda: padded(CAP + 1), is_taken=False, fits=False),
    "empty": File(lambda: b"", is_taken=False, fits=False),
    "cut in the middle": File(lambda: png()[:200], is_taken=False, fits=False),
    "cut by a byte": File(lambda: png()[:-1], is_taken=False, fits=False),
    "one byte changed": File(lambda: png()[:60] + b"!" + png()[61:], is_taken=False, fits=False),
    "only the signature": File(lambda: SIGNATURE, is_taken=False, fits=False),
    "JPEG called .png": File(lambda: other("JPEG"), is_taken=False, fits=False),
    "GIF called .png": File(lambda: other("GIF"), is_taken=False, fits=False),
    "SVG called .png": File(lambda: b"<svg xmlns='http://x'/>", is_taken=False, fits=False),
    "script behind it": File(
        lambda: png() + b"<script>alert(1)</script>", is_taken=False, fits=False
    ),
    "archive behind it": File(
        lambda: png() + b"PK\x05\x06" + b"\0" * 18, is_taken=False, fits=False
    ),
    "PNG called .jpg": File(png, is_taken=False, fits=True, name="logo.jpg"),
    "animated": File(animated, is_taken=False, fits=True),
    "bomb of pixels": File(bomb, is_taken=False, fits=True),
    "bomb of text": File(text_bomb, is_taken=False, fits=True),
    "2001 high": File(lambda: png(300, 2001), is_taken=False, fits=True),
}


def make_logo(**fields: Any) -> Logo:
    data = fields.pop("png", None) or png()
    known = {"key": uuid4(), "created_at": timezone.now(), "state": Logo.State.SENT}
    facts = {"width": 300, "height": 300, "size": len(data), "ended_at": timezone.now()}
    return Logo.objects.create(png=data, **known | facts | fields)
