"""Checks of a logo for the point-of-sale API, by its bytes and pixels.

The chunks are walked before a pixel is unpacked. Then the picture is read as PNG only and written
anew: what hides inside a picture stays with us.
"""

import io
import struct
import warnings
import zlib
from collections.abc import Iterator
from typing import NoReturn

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from PIL import Image

from partner.payloads.bodies import refuse

BYTES_CAP = 100 * 1024
MINIMUM_WIDTH = 300
# A hundred kilobytes can unpack to gigabytes; the header says so before a pixel is read.
SIDE_CAP = 2000
SIGNATURE = b"\x89PNG\r\n\x1a\n"
HEADER_BYTES = 13
# Length and kind in front of a chunk's data, its checksum behind.
FRAME_BYTES = 12
# Without these a picture looks different; every other chunk is words about it.
SEEN = frozenset({b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"sRGB", b"cHRM"})

Chunk = tuple[bytes, bytes]


def check_logo(data: bytes) -> bytes:
    """Return a clean PNG of the same picture, or raise `InvalidRequest` on field "logo"."""
    if len(data) > BYTES_CAP:
        _refuse(_("The file is larger than 100 KB."))
    if not data.startswith(SIGNATURE):
        _refuse(_("The file is not a PNG picture."))
    chunks = list(_chunks(data))
    _check_header(chunks)
    clean = _redraw(data)
    # The sender's tool may have packed it better than ours does.
    return clean if len(clean) <= BYTES_CAP else _without_words(chunks)


def _chunks(data: bytes) -> Iterator[Chunk]:
    """Walk a whole file: nothing cut off, nothing changed, nothing behind its end."""
    at, kind = len(SIGNATURE), b""
    while kind != b"IEND":
        if at + FRAME_BYTES > len(data):
            _refuse(_("The picture is damaged or cannot be read."))
        length, kind = struct.unpack_from(">I4s", data, at)
        end = at + FRAME_BYTES + length
        if end > len(data) or not _is_intact(data[at + 4 : end]):
            _refuse(_("The picture is damaged or cannot be read."))
        yield kind, data[at + 8 : end - 4]
        at = end
    if at != len(data):
        _refuse(_("Something is hidden behind the picture."))


def _is_intact(chunk: bytes) -> bool:
    return zlib.crc32(chunk[:-4]) == int.from_bytes(chunk[-4:])


def _check_header(chunks: list[Chunk]) -> None:
    kind, header = chunks[0]
    if kind != b"IHDR" or len(header) != HEADER_BYTES:
        _refuse(_("The picture is damaged or cannot be read."))
    if any(kind == b"acTL" for kind, _data in chunks):
        _refuse(_("The picture is animated."))
    width, height = struct.unpack_from(">2I", header)
    if width < MINIMUM_WIDTH:
        _refuse(_("The picture is narrower than 300 pixels."))
    if width > SIDE_CAP or height > SIDE_CAP:
        _refuse(_("The picture is larger than 2000 pixels on a side."))


def _redraw(data: bytes) -> bytes:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=["PNG"]) as picture:
                picture.load()
                picture.info.clear()
                written = io.BytesIO()
                picture.save(written, "PNG", optimize=True)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, Warning):
        _refuse(_("The picture is damaged or cannot be read."))
    return written.getvalue()


def _without_words(chunks: list[Chunk]) -> bytes:
    return SIGNATURE + b"".join(_frame(kind, data) for kind, data in chunks if kind in SEEN)


def _frame(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(kind + data).to_bytes(4)
    return struct.pack(">I", len(data)) + kind + data + checksum


def _refuse(sentence: "str | Promise") -> NoReturn:
    refuse("logo", sentence)
