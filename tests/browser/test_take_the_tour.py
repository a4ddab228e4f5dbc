"""The tour of the demo in a browser: each step happens in the sandbox and ends on its screen."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.faults.installation import Installation
from tests.processes import scratch_environment

pytestmark = [pytest.mark.slow, pytest.mark.once]

EMAIL, PASSWORD = "robin@example.org", "a table by the window"
ADMIN_OF_ALL = f"""
from accounts.models import User
from restaurants.models import Group, Membership
for group in Group.objects.all():
    Membership.objects.create(user=User.objects.get(email="{EMAIL}"), group=group, role="admin")
"""
PATIENCE = 40_000  # ms: other work shares the machine


@pytest.fixture
def demo(tmp_path):
    """An installation whose pages know their sandbox, as in `make run`."""
    environment = scratch_environment(tmp_path) | {"WEB_WORKERS": "1"}
    made = Installation(tmp_path, environment, seed=28, world="small")
    environment |= {
        "DEMO_SANDBOX": f"http://127.0.0.1:{made.sandbox.port}",
        "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
    }
    made.start_sandbox()
    made.set_up()
    made.manage("collectstatic", "--noinput", "--verbosity", "0")
    made.manage("createsuperuser", "--noinput", "--email", EMAIL)
    made.manage("make_owner", EMAIL)
    made.manage("shell", "--no-imports", "-c", ADMIN_OF_ALL)
    made.begin()
    yield made
    made.stop()


def sign_in(page: Page, address: str) -> None:
    page.goto(f"{address}/accounts/login/")
    page.locator("input[name=login]").fill(EMAIL)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")


def test_each_step_ends_on_its_screen(demo: Installation, page: Page):
    page.set_default_timeout(PATIENCE)
    address = demo.environment["PUBLIC_URL"]
    sign_in(page, address)
    page.get_by_role("link", name="A tour of five minutes").click()

    page.get_by_role("button", name="Do it : Make a party of 8 arrive late").click()
    expect(page).to_have_url(re.compile("show=late"))
    expect(page.get_by_role("main")).to_contain_text("Tour, 1 of 3")

    # Left in the middle, and resumed where it was.
    page.get_by_role("button", name="Leave the tour").click()
    page.get_by_role("link", name="A tour of five minutes").click()
    expect(page.get_by_role("button", name="Do it again")).to_have_count(1)
    page.get_by_role("button", name="Do it : Publish an angry review").click()
    expect(page).to_have_url(re.compile("/reviews/."))
    expect(page.get_by_role("button", name="Saved replies")).to_be_visible()

    page.get_by_role("button", name="Next: Let the service fail for a minute").click()
    expect(page).to_have_url(re.compile("scope="))
    expect(page.locator(".freshness").first).to_contain_text("Offline")

    page.get_by_role("main").get_by_role("link", name="Connect your own account").click()
    expect(page.get_by_text("make start")).to_be_visible()
