"""Two tabs of one browser, a mouse, a keyboard and a bad network, in front of a live board."""

import re
from datetime import timedelta
from uuid import UUID

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import Route, expect

from live import sse
from live.announcements import announce
from live.models import Announcement, LatencySample
from live.testing import begin_way, make_line
from partner import testing
from partner.models import Budget
from restaurants.testing import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.urls("tests.browser.board")]

DESSERT = UUID("dddddddd-0000-4000-8000-000000000001")


@pytest.fixture
def tell(web, cast):
    """Change reservations of the Quay: each call is one commit."""

    def announce_version(version, *, uuid=DESSERT):
        return announce([make_line(cast.quay, uuid=uuid, version=version)])[0]

    announce_version(1)
    return announce_version


@pytest.fixture
def visit(tell, cast, live_server, context):
    """Open one more tab of Bob's browser on the board."""
    session = sign_in(cast.bob).cookies[settings.SESSION_COOKIE_NAME].value
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}
    context.add_cookies([cookie])

    def open_tab():
        page = context.new_page()
        page.goto(f"{live_server.url}/board/")
        return page

    return open_tab


@pytest.fixture
def tab(visit):
    """The same, and wait until it is live."""

    def open_live_tab():
        page = visit()
        expect(page.locator("html")).to_have_attribute("data-live", "live")
        return page

    return open_live_tab


def card(page, uuid=DESSERT):
    return page.locator(f"#card-{uuid}")


COUNT_THEM = """() => {
  window.notified = 0;
  document.body.addEventListener("live:guests", () => { window.notified += 1; });
}"""
BURST = """() => dispatchEvent(new CustomEvent("live-received", {
  detail: { type: "change", data: { kind: "guest", uuid: "x", version: 2 } },
}))"""

BEAT = """() => dispatchEvent(new CustomEvent("live-received", {
  detail: { type: "beat", cursor: document.documentElement.dataset.liveCursor, mode: "live" },
}))"""

# What the leader of the version before sends: the cursor of the tab, right after.
BEAT_BEFORE = """() => new Promise((done) => {
  new BroadcastChannel("couvert-live").onmessage = ({ data }) => {
    if (data.cursor === "7000") done(document.documentElement.dataset.liveCursor);
  };
  new BroadcastChannel("couvert-live").postMessage({ type: "beat", cursor: "7000", mode: "live" });
})"""

# Every state of the dot.
WATCH = """
  window.states = [];
  const note = () => window.states.push(document.documentElement.dataset.live);
  new MutationObserver(note).observe(document, { subtree: true, attributeFilter: ["data-live"] });
"""


def row(page, number):
    return card(page, make_uuid(number))


def make_alert(restaurant):
    """An alert of one of its connections has begun or ended."""
    return Announcement(kind="alert", uuid=DESSERT, version=0, group_id=restaurant.group_id)


def make_uuid(number):
    return UUID(int=number, version=4)


class TestBoard:
    def test_it_works(self, tab, tell):
        page = tab()
        tell(2)

        expect(card(page)).to_have_text("Version 2")
        expect(card(page)).to_have_class("changed")

    def test_it_says_one_sentence_to_those_who_do_not_see_it(self, tab, tell):
        page = tab()
        tell(2)

        expect(page.get_by_role("status")).to_have_text("One change")

    def test_it_measures_the_way_to_the_glass(self, tab, tell):
        page = tab()
        with page.expect_request("**/live/painted/") as beacon:
            begin_way(tell(2), received_at=timezone.now() - timedelta(milliseconds=5))
            expect(card(page)).to_have_text("Version 2")
        beacon.value.response()

        assert LatencySample.objects.get().painted_at

    def test_it_keeps_what_has_the_focus(self, tab, tell):
        page = tab()
        card(page).focus()
        tell(2)

        expect(card(page)).to_have_attribute("data-stale", "")
        expect(card(page)).to_be_focused()
        expect(card(page)).to_have_text("Version 1")
        page.locator("#elsewhere").focus()
        expect(card(page)).to_have_text("Version 2")

    def test_it_follows_where_a_finger_has_left_the_focus(self, tab, tell):
        """On a tablet it stays on the card that was opened last until another is touched."""
        page = tab()
        card(page).click()
        page.locator("#elsewhere").hover()
        expect(card(page)).to_be_focused()
        tell(2)

        expect(card(page)).to_have_text("Version 2")

    def test_it_keeps_what_is_under_the_pointer(self, tab, tell):
        page = tab()
        card(page).hover()
        tell(2)

        expect(card(page)).to_have_attribute("data-stale", "")
        expect(card(page)).to_have_text("Version 1")
        page.locator("#elsewhere").hover()
        expect(card(page)).to_have_text("Version 2")

    def test_it_keeps_what_it_shows_when_the_sign_in_has_ended(self, tab, tell, context):
        """The message about it stood in the place of each card, and each was read for ever."""
        context.clock.install()
        page = tab()
        Session.objects.all().delete()
        with page.expect_response("**/board/list/"), page.expect_response(f"**/board/{DESSERT}/"):
            tell(2)
            tell(1, uuid=make_uuid(1))
            context.clock.run_for(500)
        with page.expect_response("**/board/list/"):
            page.evaluate("document.querySelector('[data-live-more]').click()")
        reads: list[str] = []
        page.on("request", lambda one: reads.append(one.url))
        context.clock.run_for(21_000)

        expect(card(page)).to_have_text("Version 1")
        assert not [url for url in reads if "/board/" in url]

    def test_it_lets_someone_type_on(self, tab, tell):
        page = tab()
        page.locator("#elsewhere").focus()
        page.keyboard.type("two of ")
        tell(2)
        expect(card(page)).to_have_text("Version 2")
        page.keyboard.type("them")

        expect(page.locator("#elsewhere")).to_have_value("two of them")


class TestList:
    def test_it_keeps_new_rows_behind_a_button(self, tab, tell):
        page = tab()
        for number in (1, 2, 3):
            tell(1, uuid=make_uuid(number))

        expect(page.get_by_role("button", name="3 new – show")).to_be_visible()
        expect(row(page, 1)).to_have_count(0)

    def test_it_shows_them_on_a_click(self, tab, tell):
        page = tab()
        tell(1, uuid=make_uuid(1))
        page.get_by_role("button", name="1 new – show").click()

        expect(row(page, 1)).to_be_focused()
        expect(page.locator("[data-live-more]")).to_be_hidden()

    def test_it_shows_them_at_a_key(self, tab, tell):
        page = tab()
        tell(1, uuid=make_uuid(1))
        expect(page.get_by_role("button", name="1 new – show")).to_be_visible()
        page.keyboard.press(".")

        expect(row(page, 1)).to_be_visible()

    def test_a_look_without_an_answer_is_repeated(self, tab, tell, context):
        context.clock.install()
        page = tab()
        context.route("**/board/list/", lambda route: route.fulfill(status=502), times=1)
        with page.expect_response("**/board/list/"):
            tell(1, uuid=make_uuid(1))
            context.clock.run_for(500)
        context.clock.run_for(11_000)

        expect(page.get_by_role("button", name="1 new – show")).to_be_visible()

    def test_it_stays_where_it_was_scrolled_to(self, tab, tell):
        for number in range(200):
            tell(1, uuid=make_uuid(number))
        page = tab()
        row(page, 150).scroll_into_view_if_needed()
        before = page.evaluate("scrollY")
        tell(2)
        expect(card(page)).to_have_text("Version 2")

        assert before > 0
        assert page.evaluate("scrollY") == before


class TestTabs:
    def test_it_tells_every_tab_over_one_stream(self, web, tab, tell):
        first, second = tab(), tab()
        tell(2)

        expect(card(first)).to_have_text("Version 2")
        expect(card(second)).to_have_text("Version 2")
        assert len(web) == 1

    def test_it_goes_on_when_the_leading_tab_is_closed(self, tab, tell):
        first, second = tab(), tab()
        first.close()
        tell(2)

        expect(card(second)).to_have_text("Version 2")

    def test_one_that_opens_moves_no_other_past_what_that_has_missed(
        self, web, visit, tell, monkeypatch
    ):
        """It is up to date by its page; the others polled for what came after it."""
        monkeypatch.setattr(web, "capacity", 0)
        first = visit()
        expect(first.locator("html")).to_have_attribute("data-live", "polling")
        tell(2)
        Announcement.objects.update(at=timezone.now() - timedelta(seconds=8))
        second = visit()
        expect(second.locator("html")).to_have_attribute("data-live-cursor", re.compile(r"\d"))
        first.evaluate("dispatchEvent(new Event('visibilitychange'))")  # it does not wait on

        expect(card(first)).to_have_text("Version 2")

    def test_one_follows_a_tab_of_the_version_before(self, tab):
        """It took each beat for a gap, and polled every three seconds."""
        assert tab().evaluate(BEAT_BEFORE) == "7000"

    def test_one_that_opens_misses_nothing_that_came_before_its_scripts(self, tab, tell, context):
        leader = tab()
        second = context.new_page()

        def change_and_load(route: Route) -> None:
            tell(2)
            expect(card(leader)).to_have_text("Version 2")
            route.continue_()

        second.route("**/js/live-events*.js", change_and_load)
        second.goto(leader.url)
        leader.evaluate(BEAT)  # before it polls by itself

        expect(card(second)).to_have_text("Version 2")


class TestNetwork:
    def test_it_catches_up_after_a_time_without_network(self, web, tab, tell, context):
        page = tab()
        context.set_offline(True)
        expect(page.locator("html")).to_have_attribute("data-live", "offline")
        web.end_all()
        tell(2)
        context.set_offline(False)

        expect(card(page)).to_have_text("Version 2")
        expect(page.locator("html")).to_have_attribute("data-live", "live")

    def test_it_says_so_on_the_dot(self, tab, context):
        page = tab()
        context.set_offline(True)

        expect(page.locator("#freshness")).to_contain_text(
            re.compile(r"Offline since .+ · as of .+")
        )
        context.set_offline(False)
        expect(page.locator("#freshness")).not_to_contain_text("Offline since")

    def test_an_outage_of_the_service_shows_on_the_dot_of_an_open_page(self, tab, cast):
        Budget.objects.create(connection=testing.connection(), rate=5)
        page = tab()
        expect(page.locator("#freshness")).to_have_attribute("data-freshness", "stale")

        Budget.objects.update(open_until=timezone.now().timestamp() + 600)
        announce([make_alert(cast.quay)])

        expect(page.locator("#freshness")).to_have_attribute("data-freshness", "offline")
        expect(page.locator("#freshness")).to_contain_text("Offline")

    def test_what_could_not_be_read_after_a_change_is_read_again(self, tab, cast, context):
        """Of a server that is started anew, for instance. Nobody is shown an error for it."""
        Budget.objects.create(connection=testing.connection(), rate=5)
        context.clock.install()
        page = tab()
        Budget.objects.update(open_until=timezone.now().timestamp() + 600)
        context.route("**/live/freshness/**", lambda route: route.fulfill(status=502), times=1)
        with page.expect_response("**/live/freshness/**"):
            announce([make_alert(cast.quay)])
        context.clock.run_for(11_000)

        expect(page.locator("#freshness")).to_have_attribute("data-freshness", "offline")
        expect(page.get_by_role("alert")).to_have_count(0)

    def test_it_says_live_for_ten_seconds_at_most_while_the_server_is_silent(
        self, tab, monkeypatch, context
    ):
        context.clock.install()
        monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 3600)  # the line is open and nothing comes
        page = tab()
        context.route("**/live/**", lambda route: route.abort())
        context.clock.run_for(10_000)

        assert page.evaluate("document.documentElement.dataset.live") in {"stale", "offline"}
        expect(page.locator("html")).to_have_attribute("data-live", "offline")

    def test_it_polls_when_there_is_no_free_stream(self, web, visit, monkeypatch):
        monkeypatch.setattr(web, "capacity", 0)

        expect(visit().locator("html")).to_have_attribute("data-live", "polling")

    def test_it_asks_for_a_stream_again_soon(self, web, visit, monkeypatch):
        with monkeypatch.context() as full:
            full.setattr(web, "capacity", 0)
            page = visit()
            expect(page.locator("html")).to_have_attribute("data-live", "polling")

        expect(page.locator("html")).to_have_attribute("data-live", "live", timeout=15_000)

    def test_one_poll_without_an_answer_is_no_outage(self, web, visit, monkeypatch, context):
        monkeypatch.setattr(web, "capacity", 0)
        context.add_init_script(WATCH)
        context.route("**/live/changes/**", lambda route: route.abort(), times=1)
        page = visit()

        expect(page.locator("html")).to_have_attribute("data-live", "polling")
        assert page.evaluate("states") == ["stale", "polling"]

    def test_a_server_that_answers_is_not_offline(self, web, visit, monkeypatch, context):
        monkeypatch.setattr(web, "capacity", 0)
        context.add_init_script(WATCH)
        context.route("**/live/changes/**", lambda route: route.fulfill(status=500), times=2)
        page = visit()
        expect(page.locator("html")).to_have_attribute("data-live", "stale")
        page.wait_for_event("requestfinished", lambda request: "/live/changes/" in request.url)
        page.evaluate("dispatchEvent(new Event('visibilitychange'))")  # it does not wait on

        expect(page.locator("html")).to_have_attribute("data-live", "polling")
        assert page.evaluate("states") == ["stale", "polling"]

    def test_a_device_without_a_network_may_reach_a_server_of_its_own(self, tab, context):
        context.add_init_script(WATCH)
        page = tab()
        with page.expect_response("**/live/stream/**"):
            page.evaluate("dispatchEvent(new Event('offline'))")

        expect(page.locator("html")).to_have_attribute("data-live", "live")
        assert "offline" not in page.evaluate("states")

    def test_a_stream_that_was_open_before_makes_no_device_without_a_network_live(
        self, tab, context, monkeypatch
    ):
        """A browser may leave it open: its heartbeats come, and no page can be read."""
        monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0.02)
        page = tab()
        context.set_offline(True)

        expect(page.locator("html")).to_have_attribute("data-live", "offline")


class TestWhatCountsMany:
    @pytest.fixture
    def page(self, visit):
        page = visit()
        page.clock.install()
        page.clock.pause_at(timezone.now() + timedelta(hours=1))
        page.evaluate(COUNT_THEM)
        return page

    def test_it_is_notified_a_moment_behind(self, page):
        page.evaluate(BURST)

        page.clock.run_for(50)
        assert page.evaluate("notified") == 0
        page.clock.run_for(100)
        assert page.evaluate("notified") == 1

    def test_a_second_change_is_notified_within_a_second(self, page):
        page.evaluate(BURST)
        page.clock.run_for(200)
        page.evaluate(BURST)
        page.clock.run_for(600)

        assert page.evaluate("notified") == 2

    def test_a_burst_is_notified_ever_more_seldom_and_its_end_as_well(self, page):
        for _change in range(100):
            page.evaluate(BURST)
            page.clock.run_for(100)
        in_the_burst = page.evaluate("notified")
        page.clock.run_for(2_500)

        assert 5 <= in_the_burst <= 8
        assert page.evaluate("notified") == in_the_burst + 1
