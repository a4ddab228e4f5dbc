"""A reply that is written where the network comes and goes."""

import pytest
from playwright.sync_api import expect

from reviews.testing import make_comment
from tests.browser.conftest import enter

PHONE = {"width": 390, "height": 844}
DRAFT = "Thank you very much for your kind words. We look forward to seeing you again."


@pytest.fixture
def editor(live_cast, browser, live_server):
    """In a window of its own: its console names each request that found no network."""
    review = make_comment(live_cast.quay)
    context = browser.new_context(service_workers="block")
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/reviews/{review.pk}/")
    yield page.locator("#reply-text")
    context.close()


def test_it_works(editor):
    """Each pause of the typing brought a message about something “sent”, three above each other."""
    page = editor.page
    page.context.set_offline(True)
    editor.press_sequentially("Thank you very much")
    expect(page.get_by_text("Not saved yet: no connection.")).to_be_visible()

    assert page.locator(".toast").count() == 0


@pytest.mark.parametrize("language", ["en-GB", "fr-FR", "es-ES"])
def test_a_phone_shows_the_review_and_the_box_of_the_reply(
    live_cast, browser, live_server, language
):
    """The box began at 980 px: below the buttons, seven bars and two lines of tools."""
    words = "The soup was cold, and we waited for an hour until somebody came to take our order. "
    review = make_comment(live_cast.quay, comment=words * 2)
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale=language)
    enter(context, user=live_cast.dora, address=live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/reviews/{review.pk}/")
    language_of_page = page.locator("html").get_attribute("lang")
    words_at, box_at = (
        page.locator(one).bounding_box()["y"] for one in (".about__comment", "#reply-text")
    )
    context.close()

    assert language.startswith(language_of_page)
    assert words_at <= 320
    assert box_at <= 650


def test_it_is_saved_by_itself_when_the_network_is_back(editor):
    page = editor.page
    page.context.set_offline(True)
    editor.fill(DRAFT)
    expect(page.get_by_text("Not saved yet: no connection.")).to_be_visible()
    page.context.set_offline(False)

    expect(page.locator(".draft__saved:not([data-lost])")).to_be_visible()
    expect(page.get_by_text("Not saved yet: no connection.")).to_be_hidden()
    page.reload()
    expect(editor).to_have_value(DRAFT)


def test_what_is_sent_without_a_network_says_so(editor):
    page = editor.page
    editor.fill(DRAFT)
    expect(page.locator(".draft__saved:not([data-lost])")).to_be_visible()
    page.context.set_offline(True)
    page.locator("[data-send]").click()

    expect(page.locator(".toast")).to_contain_text("look before you send it again")
    expect(editor).to_have_value(DRAFT)
    # The message stands until somebody closes it: not on the button of the next attempt.
    page.context.set_offline(False)
    for width, height in ((1440, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.locator("[data-send]").click(trial=True)
    # What was sent again and answered leaves no doubt whether it was.
    page.locator("[data-send]").click()
    expect(page.get_by_text("Held, can be undone").first).to_be_visible()
    expect(page.get_by_text("look before you send it again")).to_have_count(0)


def test_what_could_not_be_sent_is_a_draft_again(editor):
    """It stood below the text for good: not saved yet, and saved by itself."""
    page = editor.page
    page.context.set_offline(True)
    editor.fill(DRAFT)
    expect(page.get_by_text("Not saved yet: no connection.")).to_be_visible()
    page.locator("[data-send]").click()
    expect(page.locator(".toast")).to_be_visible()
    page.context.set_offline(False)

    expect(page.locator(".draft__saved:not([data-lost])")).to_be_visible()
    expect(page.get_by_text("Not saved yet: no connection.")).to_be_hidden()
    page.reload()
    expect(editor).to_have_value(DRAFT)


# What stands where the last line of the text is: the caret is there.
LAST_LINE = """text => {
    const { left, bottom } = text.getBoundingClientRect();
    return document.elementFromPoint(left + 20, bottom - 12)?.id;
}"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1024, 768), (1440, 900)])
def test_the_line_that_is_written_is_above_the_buttons(editor, width, height):
    """The bar of the buttons covered the last three: people wrote without seeing it."""
    editor.page.set_viewport_size({"width": width, "height": height})
    editor.click()
    for _line in range(24):
        editor.press("Enter")
    editor.press_sequentially("the last")

    assert editor.evaluate(LAST_LINE) == "reply-text"


def test_what_is_typed_while_a_save_is_under_way_leaves_with_the_page(editor):
    """The answer about the older text called the newer one saved, and it was lost."""
    page = editor.page
    page.clock.install()
    held = []
    page.route("**/draft/", lambda route: held.append(route))
    editor.fill(DRAFT)
    with page.expect_request("**/draft/"):
        page.clock.run_for(1500)
    editor.fill(f"{DRAFT} And thank you.")
    with page.expect_response("**/draft/"):
        held[0].continue_()
    page.unroute_all()

    with page.expect_request("**/draft/"):
        page.evaluate("dispatchEvent(new Event('pagehide'))")
