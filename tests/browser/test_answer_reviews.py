"""A review, from the guest's words to the published reply: three people, a sandbox, Chromium."""

import time
from datetime import timedelta
from uuid import UUID

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import expect

from customers.models import Customer
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.queue import sync_requests
from mirror.queue.worker_loop import process_queue
from outbox import engine
from outbox.models import Intent
from partner import testing
from partner.models import Token
from restaurants.models import Group, Restaurant
from restaurants.testing import make_member, make_user, sign_in
from reviews.models import InboxQueue, Work
from tests.contract.sandbox import Sandbox

pytestmark = pytest.mark.browser
PATIENCE = 20_000  # milliseconds, on a machine that does other things too
SUGGESTION = "Thank you very much for your kind words. We look forward to seeing you again."
BETTER = "Thank you very much for your visit and for your words. See you soon at our table."


@pytest.fixture
def sandbox(tmp_path):
    sandbox = Sandbox(tmp_path)
    yield sandbox
    sandbox.stop()


@pytest.fixture
def place(transactional_db, sandbox):
    """One restaurant of the sandbox, with its manager and one of its staff."""
    testing.connection(**sandbox.credentials("full"))
    Token.objects.all().delete()
    group = sandbox.world["groups"][0]
    known = group["restaurants"][0]
    row = Group.objects.create(uuid=UUID(group["uuid"]), name=group["name"])
    zone = known.get("timezone", "Europe/Paris")
    return Restaurant.objects.create(
        group=row, uuid=UUID(known["uuid"]), name=known["name"], timezone=zone, country="FR"
    )


class ReviewedRestaurant:
    """The workers of this test: they do at once what is due, whatever the clock says."""

    def __init__(self, sandbox, place):
        self.sandbox = sandbox
        self.place = place

    def happen(self, what, **options):
        return self.sandbox.post("happen", what=what, **options)["happened"][0]

    def event(self, uuid):
        """What the webhook and the worker behind it do."""
        location = EntityLocation(self.place.group.uuid, self.place.uuid)
        now = timezone.now()
        sync_requests.request(
            [EntityRef("review", uuid, location)], priority=Priority.EVENT, now=now
        )
        self.read()

    def read(self):
        SyncRequest.objects.filter(state=SyncRequest.State.WAITING).update(
            not_before=timezone.now()
        )
        process_queue()

    def send(self):
        """Let the ten seconds of the hold pass."""
        deadline = time.monotonic() + 30
        while Intent.objects.open().exists():
            assert time.monotonic() < deadline, "the reply does not leave"
            engine.work(now=timezone.now() + timedelta(minutes=1))
        self.read()


@pytest.fixture
def installation(sandbox, place):
    return ReviewedRestaurant(sandbox, place)


@pytest.fixture
def person(browser, live_server, place):
    """Open the inbox as somebody, in a browser of their own."""
    contexts = []

    def person(role, name):
        user = make_user(f"{name.lower()}@example.org", name=name)
        make_member(user, place, role)
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        contexts.append(context)
        session = sign_in(user).cookies[settings.SESSION_COOKIE_NAME].value
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}
        context.add_cookies([cookie])
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        return page

    yield person
    for context in contexts:
        context.close()


def write(page, text):
    page.locator("#reply-text").fill(text)
    expect(page.locator(".draft__saved:visible")).to_contain_text("Saved", timeout=PATIENCE)


def queue_of(uuid):
    return Work.objects.get(pk=uuid).queue


def test_a_review_finds_its_answer(web, installation, person, live_server):
    staff, manager = person("staff", "Bob"), person("manager", "Alice")
    staff.goto(f"{live_server.url}/reviews/")
    expect(staff.locator("html")).to_have_attribute("data-live", "live", timeout=PATIENCE)

    # It arrives by event, and is on the open inbox once its comment is published.
    review = installation.happen("review", restaurant=str(installation.place.uuid), comment=True)[
        "review"
    ]
    uuid = UUID(review)
    installation.event(uuid)
    assert queue_of(uuid) == InboxQueue.WAITING
    installation.happen("publish_comment", review=review)
    installation.event(uuid)
    staff.get_by_role("button", name="1 new – show").click()
    staff.locator(f"#open-{uuid}").click()

    # Staff suggest, after a look elsewhere.
    write(staff, SUGGESTION)
    staff.goto(f"{live_server.url}/reviews/{uuid}/")
    expect(staff.locator("#reply-text")).to_have_value(SUGGESTION)
    staff.locator("#reply-text").press("Control+Enter")
    expect(staff.locator("#progress")).to_contain_text("Suggested", timeout=PATIENCE)
    assert queue_of(uuid) == InboxQueue.APPROVE

    # A manager approves and sends; the second sees it on its way, and can send no other.
    second = person("manager", "Dora")
    for page in (manager, second):
        page.goto(f"{live_server.url}/reviews/{uuid}/?lane=approve")
        expect(page.locator("#reply-text")).to_have_value(SUGGESTION)
    second.locator("#reply-text").focus()
    manager.get_by_role("button", name="Approve and send").click()
    expect(manager.get_by_role("button", name="Undo")).to_be_visible(timeout=PATIENCE)
    expect(second.get_by_text("Held, can be undone")).to_be_visible(timeout=PATIENCE)
    second.keyboard.press("Shift+Tab")  # within the editor it stays
    expect(second.locator("#reply-form select")).to_be_focused()
    second.get_by_role("button", name="Saved replies").click()
    expect(second.locator("#saved")).to_be_visible()
    second.get_by_text("Held, can be undone").click()
    expect(second.locator("#reply-form")).to_be_hidden()
    assert Intent.objects.count() == 1
    installation.send()
    expect(manager.locator("#progress [aria-current=step]")).to_contain_text(
        "In moderation", timeout=PATIENCE
    )

    # Moderation sends it back; it is rewritten, sent and published.
    installation.happen("moderate_reply", review=review, decision="reformulate")
    installation.read()
    expect(manager.locator("#progress")).to_contain_text("sent back", timeout=PATIENCE)
    assert queue_of(uuid) == InboxQueue.REWRITE
    manager.goto(f"{live_server.url}/reviews/{uuid}/?lane=rewrite")
    write(manager, BETTER)
    manager.locator("#reply-text").press("Control+Enter")
    expect(manager.get_by_role("button", name="Undo")).to_be_visible(timeout=PATIENCE)
    installation.send()
    installation.happen("moderate_reply", review=review, decision="publish")
    installation.read()
    expect(manager.locator("#progress [aria-current=step]")).to_contain_text(
        "Published", timeout=PATIENCE
    )
    assert queue_of(uuid) == InboxQueue.PUBLISHED
    truth = installation.sandbox.get(f"truth/review/{uuid}")["payload"]["restaurantReply"]
    assert (truth["content"], truth["publicationStatus"]) == (BETTER, "PUBLISHED")
    assert installation.sandbox.breaches() == {}
    assert not Customer.objects.filter(presence="gone").exists()
