"""Seeded random numbers and uuids. Not for secrets."""

import hashlib
import random
from uuid import UUID


def dice(*seed: object) -> random.Random:
    """A random source that depends on nothing but its arguments."""
    return random.Random(":".join(str(part) for part in seed))  # noqa: S311  not a secret


def named_uuid(*name: object) -> str:
    """The same uuid for the same name, for ever; nothing in it tells what it belongs to."""
    digest = hashlib.blake2b(":".join(str(part) for part in name).encode(), digest_size=16)
    return str(UUID(bytes=digest.digest(), version=4))


def named_secret(*name: object, length: int = 48) -> str:
    text = hashlib.blake2b(":".join(str(part) for part in name).encode(), digest_size=32)
    return text.hexdigest()[:length]


def random_uuid(source: random.Random) -> bytes:
    bits = source.getrandbits(128)
    bits = bits & ~(0xF << 76) | (4 << 76)
    bits = bits & ~(0x3 << 62) | (2 << 62)
    return bits.to_bytes(16, "big")
