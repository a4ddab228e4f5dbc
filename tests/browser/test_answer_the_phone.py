"""A telephone that rings before an open screen, and a logo, with the sandbox as the service."""

import io
import json
import random
import urllib.request
from datetime import date, timedelta
from itertools import islice
from urllib.parse import urljoin
from uuid import UUID

import pytest
from django.utils import timezone
from PIL import Image
from playwright.sync_api import Page, expect

from customers import phones
from customers.testing import make_customer
from outbox import engine
from outbox.models import Intent
from partner import factory
from partner import testing as partner
from partner.errors import NotFound
from partner.models import PosIdentity, Token
from phone.calls import checking
from phone.models import Call
from phone.testing import TOKEN, make_call, make_system
from pos.models import Logo
from tests.browser.conftest import enter, violations
from tests.contract.sandbox import Sandbox

SOON = 20_000  # milliseconds: a loaded machine of two cores is slow, not wrong


@pytest.fixture(scope="module")
def running_sandbox(tmp_path_factory):
    sandbox = Sandbox(tmp_path_factory.mktemp("sandbox"))
    yield sandbox
    sandbox.stop()


@pytest.fixture
def sandbox(running_sandbox, live_cast):
    """The service, connected, with the Quay as one of its restaurants."""
    running_sandbox.post("reset")
    partner.connection(**running_sandbox.credentials("full"))
    Token.objects.all().delete()
    place = running_sandbox.world["groups"][0]["restaurants"][0]
    live_cast.quay.uuid, live_cast.quay.country = UUID(place["uuid"]), place["country"]
    live_cast.quay.save()
    yield running_sandbox
    assert running_sandbox.breaches() == {}


def knows(api, place, number):
    """Whether the service has some guest with exactly this number."""
    try:
        api.customer_by_phone(place.uuid, number)
    except NotFound:
        return False
    return True


@pytest.fixture
def guests(sandbox, live_cast):
    """Two guests of the service in our copy: one whose number is E.164, one spelt otherwise."""
    api = factory.client()
    today = date.fromisoformat(sandbox.world["anchor"])
    group = sandbox.world["groups"][0]["uuid"]
    uuids = api.customer_uuids(group=group, start=today - timedelta(days=60), end=today)
    found = {}
    for uuid in islice(uuids, 200):
        known = api.customer(uuid).entity
        e164 = phones.normalise(known.phone or "", countries=["FR"])
        if not e164 or (e164 != known.phone and knows(api, live_cast.quay, e164)):
            continue
        if (kind := "exact" if e164 == known.phone else "odd") not in found:
            found[kind] = make_customer(
                live_cast.harbour,
                uuid=uuid,
                first_name="Guest",
                last_name=kind.title(),
                phone=known.phone,
                phone_e164=e164,
            )
        if len(found) == 2:
            return found
    pytest.fail("the sandbox has no such guests")


@pytest.fixture
def ring(live_server, live_cast):
    make_system()

    def tell(event, number):
        event_data = {"call_id": "42", "event": event, "number": number}
        request = urllib.request.Request(  # noqa: S310 - our own live server
            f"{live_server.url}/phone/calls/?token={TOKEN}",
            data=json.dumps(event_data | {"restaurant": str(live_cast.quay.uuid)}).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - as above
            assert answer.status == 200

    return tell


def test_a_number_is_found_in_any_spelling(visit, guests, sandbox):
    page: Page = visit("/phone/")
    page.get_by_label("Answering for").select_option("Quay")
    field = page.get_by_role("textbox", name="Who is calling?")
    field.fill(guests["exact"].phone_e164.replace("+33", "0"))

    expect(page.locator("#answer h3")).to_have_text("Guest Exact", timeout=SOON)
    expect(page.locator("#service")).to_contain_text("Confirmed by the service", timeout=SOON)

    field.fill(guests["odd"].phone_e164)
    expect(page.locator("#answer h3")).to_have_text("Guest Odd", timeout=SOON)
    expect(page.locator("#service")).to_contain_text("Our copy has 1 match", timeout=SOON)
    expect(page.locator("#service")).to_contain_text(guests["odd"].phone)
    assert violations(page) == []


def test_a_caller_is_on_the_open_screen(visit, guests, sandbox, ring):
    page: Page = visit("/setup/telephone/")
    expect(page.locator("html")).to_have_attribute("data-live", "live", timeout=SOON)
    number = guests["exact"].phone_e164
    ring("incoming", number)

    card = page.locator("#ringing article")
    expect(card).to_contain_text("Guest Exact", timeout=SOON)
    assert violations(page) == []

    checking.check_callers(now=timezone.now())
    expect(card).to_contain_text("confirmed by the service", timeout=SOON)

    ring("answered", number)
    ring("ended", number)
    expect(card).to_have_count(0, timeout=SOON)

    engine.work(now=timezone.now())
    assert set(Intent.objects.values_list("state", flat=True)) == {Intent.State.DONE}
    assert sandbox.requests_to("record_call") == 3
    assert Call.objects.get().outcome == "answered"


@pytest.fixture
def several_calls(live_cast):
    """Three guests with an allergy ring at once, and a fourth caller."""
    now = timezone.now()
    for line, name in enumerate(["Abel", "Bea", "Cora"]):
        number = f"+3319900123{line}"
        make_customer(
            live_cast.harbour,
            first_name=name,
            last_name="Martin",
            phone_e164=number,
            allergies_and_intolerances=["Nuts"],
        )
        began = now - timedelta(seconds=line)
        make_call(live_cast.quay, number=number, caller_id=name, began_at=began)
    make_call(live_cast.quay, number="", caller_id="hidden", began_at=now - timedelta(minutes=1))


@pytest.fixture
def touched_board(several_calls, live_cast, live_server, browser):
    """Opens the list of the evening on a screen of this size for fingers."""
    contexts = []

    def open_board(width: int, height: int) -> Page:
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, has_touch=True, service_workers="block")
        contexts.append(context)
        enter(context, user=live_cast.dora, address=live_server.url)
        page: Page = context.new_page()
        page.goto(f"{live_server.url}/?scope={live_cast.quay.uuid}&zoom=list")
        return page

    yield open_board
    for context in contexts:
        context.close()


def test_who_rings_is_on_each_page_that_is_opened_meanwhile(touched_board):
    """Whoever looks up the guest of a call still has the call before them."""
    page = touched_board(390, 844)
    for path in ("/customers/", "/"):
        expect(page.locator("#ringing article").first).to_contain_text("Abel", timeout=SOON)
        page.goto(urljoin(page.url, path))
    expect(page.locator("#ringing article").first).to_contain_text("Abel", timeout=SOON)


def test_a_closed_card_makes_way_and_stays_away(touched_board):
    page = touched_board(390, 844)
    cards = page.locator("#ringing article")
    expect(cards.first).to_contain_text("Abel", timeout=SOON)
    cards.first.get_by_role("button", name="Dismiss").click()

    expect(cards.first).to_contain_text("Bea", timeout=SOON)
    expect(page.locator("#ringing")).to_contain_text("Hidden number", timeout=SOON)
    page.evaluate("htmx.trigger(document.body, 'live:resync')")

    expect(page.locator("#ringing")).to_contain_text("Hidden number", timeout=SOON)
    assert "Abel" not in page.locator("#ringing").inner_text()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1024, 768)])
def test_several_callers_leave_the_board_in_sight(touched_board, width, height):
    """The newest in full, the others in a line: three whole cards hid two thirds of a phone."""
    page = touched_board(width, height)
    cards = page.locator("#ringing article")

    expect(cards).to_have_count(3, timeout=SOON)
    expect(cards.first).to_contain_text("Nuts")
    assert page.locator("#ringing .glyph[data-mark=allergy]:visible").count() == 3
    assert page.locator("#ringing .badge[data-mark=allergy]:visible").count() == 1
    expect(page.locator("#ringing")).to_contain_text("and 1 more call")
    box = page.locator("#ringing").bounding_box()
    assert box is not None
    assert box["height"] <= 340
    for button in page.locator("#ringing").locator("button, a").all():
        size_of_it = button.bounding_box()
        if size_of_it is not None:
            assert round(min(size_of_it["height"], size_of_it["width"]), 1) >= 44


def test_a_drawer_opened_meanwhile_leaves_the_callers_in_sight(touched_board):
    """They lay under the drawer that a phone opens over the page."""
    page = touched_board(390, 844)
    first = page.locator("#ringing article").first
    expect(first).to_contain_text("Abel", timeout=SOON)
    page.locator("#drawer").evaluate("drawer => drawer.showModal()")

    first.get_by_role("button", name="Dismiss").click()

    expect(first).to_contain_text("Bea", timeout=SOON)


def test_the_fourth_caller_is_one_tap_away(touched_board):
    """The log was there, below the cards of the first three."""
    page = touched_board(390, 844)
    page.get_by_role("link", name="and 1 more call").click()
    fourth = page.locator("#ringing article").nth(3)

    expect(fourth).to_be_in_viewport(ratio=1, timeout=SOON)
    expect(page.locator("#ringing article").first).to_be_in_viewport(ratio=1)
    fourth.get_by_role("button", name="Dismiss").click(trial=True)
    assert page.locator("#ringing article").count() == 4
    below = page.locator(".tabbar").bounding_box()
    card = fourth.bounding_box()
    assert below is not None
    assert card is not None
    assert card["y"] + card["height"] + 100 <= below["y"]  # with a banner or a longer name, too


def test_a_logo_is_made_to_fit_and_sent(visit, sandbox, tmp_path):
    pos = sandbox.world["pos"]
    base = sandbox.world["pos_base_url"]
    PosIdentity.objects.create(base_url=base, api_key=pos["api_key"], uuid=pos["uuid"])
    file = tmp_path / "large.png"
    file.write_bytes(noise(480))
    page: Page = visit("/setup/pos/")
    page.locator("[type=file]").set_input_files(file)

    expect(page.locator("[data-check=png]")).to_have_attribute("data-state", "yes", timeout=SOON)
    expect(page.locator("[data-check=size]")).to_have_attribute("data-state", "no", timeout=SOON)
    expect(page.get_by_role("button", name="Send to the service")).to_be_disabled()

    page.get_by_role("button", name="Resize in the browser").click()
    expect(page.locator("[data-check=size]")).to_have_attribute("data-state", "yes", timeout=SOON)
    page.get_by_role("button", name="Send to the service").click()
    expect(page.get_by_text("The service shows this logo now.")).to_be_visible(timeout=SOON)

    assert Logo.objects.get().state == Logo.State.SENT
    assert violations(page) == []


def noise(side: int) -> bytes:
    """A grey picture that packs badly at its full size, and well enough at a smaller one."""
    dice = random.Random(1)  # noqa: S311 - a picture
    quarter = side // 4
    small = Image.frombytes("L", (quarter, quarter), dice.randbytes(quarter * quarter))
    written = io.BytesIO()
    small.resize((side, side)).convert("RGB").save(written, "PNG")
    return written.getvalue()
