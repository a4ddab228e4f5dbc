"""The live server's one style sheet holds what the files of production hold, in their order."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Page

from tests.browser.static_files import content_of

CSS = Path(settings.BASE_DIR) / "static" / "css"
# Every rule as the browser has understood it, behind the layers that it stands in.
RULES = """async address => {
    const link = Object.assign(document.createElement("link"), {rel: "stylesheet", href: address})
    await new Promise((done, fail) => {
        link.onload = done
        link.onerror = fail
        document.head.append(link)
    })
    const rules = (list, layers) => [...list].flatMap(rule => {
        if (rule instanceof CSSImportRule)
            return rules(rule.styleSheet.cssRules, [...layers, rule.layerName])
        if (rule instanceof CSSLayerBlockRule) return rules(rule.cssRules, [...layers, rule.name])
        return [layers.join(".") + " " + rule.cssText]
    })
    return rules(link.sheet.cssRules, [])
}"""


@pytest.fixture
def production_address(page: Page, visit) -> str:
    """Its address, and what it imports, answered by the files themselves."""
    page.route(
        re.compile(r"/static/as-files/.+\.css"),
        lambda route: route.fulfill(
            path=CSS / Path(route.request.url).name, content_type="text/css"
        ),
    )
    return "/static/as-files/app.css"


def test_it_works(visit, production_address):
    page = visit("/setup/")
    in_production = page.evaluate(RULES, production_address)

    assert len(in_production) > 400
    assert page.evaluate(RULES, "/static/css/app.css") == in_production


def test_no_import_is_left_and_no_other_file_is_changed():
    assert b"@import" not in (content_of("css/app.css") or b"")
    assert content_of("css/reset.css") == (CSS / "reset.css").read_bytes()
    assert content_of("css/nowhere.css") is None
