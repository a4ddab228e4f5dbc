"""The web app that a tablet installs: the manifest, its icons, the service worker at the root."""

import re
from pathlib import Path

from django.conf import settings

STATIC = Path(settings.BASE_DIR) / "static"
PNG = b"\x89PNG\r\n\x1a\n"


def size_of(picture: bytes) -> str:
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    return f"{width}x{height}"


def test_it_works(client, db):
    answer = client.get("/manifest.webmanifest")

    assert answer.headers["Content-Type"] == "application/manifest+json"
    assert answer.json()["start_url"] == answer.json()["scope"] == "/"
    assert answer.json()["display"] == "standalone"


def test_every_icon_has_the_size_that_is_promised(client, db):
    for icon in client.get("/manifest.webmanifest").json()["icons"]:
        picture = (STATIC / icon["src"].removeprefix("/static/")).read_bytes()

        assert picture.startswith(PNG)
        assert size_of(picture) == icon["sizes"]


def test_every_page_leads_to_the_manifest(client, db):
    page = client.get("/accounts/login/").content.decode()

    assert '<link rel="manifest" href="/manifest.webmanifest">' in page


def test_the_service_worker_is_a_script_of_the_root_without_a_sign_in(client, db):
    answer = client.get("/service-worker.js")

    assert answer.headers["Content-Type"] == "text/javascript"
    assert "no-store" in answer.headers["Cache-Control"]


def test_every_part_of_the_service_worker_is_there(client, db):
    parts = re.findall(r'"/static/(.+?)"', client.get("/service-worker.js").content.decode())

    assert "js/worker/upgrade.js" in parts
    assert [part for part in parts if not (STATIC / part).is_file()] == []
