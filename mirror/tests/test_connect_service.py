"""The steps to the real service, on the setup page until all are done."""

from datetime import UTC, date, datetime

import pytest

from mirror.models import Job
from partner import testing
from partner.models import Connection, Token
from restaurants.testing import sign_in

NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture
def setup_page(cast):
    """The setup page as an admin sees it."""
    admin = sign_in(cast.dora)
    return lambda: admin.get("/setup/").content.decode()


def test_it_works(setup_page):
    page = setup_page()

    assert "Connect the service" in page
    assert "2 of 6 done" in page  # the cast has restaurants and people


def test_each_step_is_seen_from_what_is_there(setup_page):
    testing.connection()  # with a token
    assert "4 of 6 done" in setup_page()

    Token.objects.all().delete()
    assert "3 of 6 done" in setup_page()

    Connection.objects.update(webhook_token_used_at=NOW)
    assert "4 of 6 done" in setup_page()


def test_it_goes_when_all_is_done(setup_page):
    testing.connection()
    Connection.objects.update(webhook_token_used_at=NOW)
    Job.objects.create(
        purpose=Job.Purpose.BACKFILL,
        state=Job.State.DONE,
        since=date(2026, 6, 1),
        until=date(2026, 6, 1),
        started_at=NOW,
    )

    assert "Connect the service" not in setup_page()


def test_a_manager_sees_no_setup(cast):
    assert sign_in(cast.alice).get("/setup/").status_code == 403
