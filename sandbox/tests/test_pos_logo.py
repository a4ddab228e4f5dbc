import struct
import zlib

import pytest

from cast import NOBODY, Answer, Cast
from partner_sandbox.endpoints.pos import png_width


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, *, size: int = 0) -> bytes:
    """A grey picture; padded with a text chunk to exactly `size` bytes."""
    head = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, 2, 8, 0, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress((b"\0" + b"\x80" * width) * 2)) + chunk(b"IEND", b"")
    if size:
        head += chunk(b"tEXt", b"k\0" + b"x" * (size - len(head) - len(body) - 14))
    return head + body


def put(
    cast: Cast, data: bytes, *, uuid: str = "", field: str = "logo", kind: str = "", key: str = ""
) -> Answer:
    body = (
        b'--edge\r\nContent-Disposition: form-data; name="'
        + field.encode()
        + b'"; filename="a.png"'
        b"\r\nContent-Type: image/png\r\n\r\n" + data + b"\r\n--edge--\r\n"
    )
    pos = cast.world["pos"]
    return cast.send(
        "PUT",
        f"/pos/v1/{uuid or pos['uuid']}/logo",
        body,
        kind or "multipart/form-data; boundary=edge",
        **{"x-api-key": key or pos["api_key"]},
    )


def test_it_works(cast: Cast) -> None:
    answer = put(cast, png(300))

    assert answer.status == 200
    assert set(answer.json) == {
        "name", "type", "homepageUrl", "receiptOpeningUrl", "oauthAuthorizeUrl", "oauthTokenUrl",
        "oauthScope", "availableOn", "logoPath", "uuid",
    }  # fmt: skip
    assert answer.json["uuid"] == cast.world["pos"]["uuid"]


@pytest.mark.parametrize(("width", "status"), [(1, 400), (299, 400), (300, 200), (301, 200)])
def test_it_is_at_least_300_wide(cast: Cast, width: int, status: int) -> None:
    assert put(cast, png(width)).status == status


@pytest.mark.parametrize(("size", "status"), [(102_399, 200), (102_400, 200), (102_401, 400)])
def test_it_is_at_most_100_kb(cast: Cast, size: int, status: int) -> None:
    data = png(300, size=size)

    assert len(data) == size
    assert put(cast, data).status == status


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xd8\xff\xe0jpeg", b"<svg/>", png(300)[:-1], png(300) + b"x", png(300)[:40]],
    ids=["empty", "jpeg", "svg", "cut", "trailing", "stump"],
)
def test_anything_but_a_whole_png_is_400(cast: Cast, data: bytes) -> None:
    assert put(cast, data).status == 400


def test_another_form_field_is_400(cast: Cast) -> None:
    assert put(cast, png(300), field="picture").status == 400


def test_a_wrong_key_is_401(cast: Cast) -> None:
    answer = put(cast, png(300), key="wrong")

    assert answer.status == 401
    assert answer.json == {"message": "Invalid authentication credentials"}


@pytest.mark.parametrize("uuid", [NOBODY, "not-a-uuid"])
def test_an_unknown_uuid_is_404(cast: Cast, uuid: str) -> None:
    assert put(cast, png(300), uuid=uuid).status == 404


@pytest.mark.parametrize(
    "kind", ["application/json", "image/png", "multipart/mixed; boundary=edge"]
)
def test_another_content_type_is_415(cast: Cast, kind: str) -> None:
    assert put(cast, png(300), kind=kind).status == 415


def test_a_form_without_a_boundary_is_400(cast: Cast) -> None:
    assert put(cast, png(300), kind="multipart/form-data").status == 400


def test_500_can_be_had(cast: Cast) -> None:
    cast.control("POST", "faults", match={"path": "put_logo"}, effect={"status": 500})

    assert put(cast, png(300)).status == 500


def test_a_checksum_that_does_not_hold_is_no_png() -> None:
    broken = bytearray(png(300))
    broken[20] ^= 1

    assert png_width(bytes(broken)) is None
