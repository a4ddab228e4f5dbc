"""The receiver's secret travels in an address, and reaches no log and no figure."""

import pytest
from prometheus_client import REGISTRY, generate_latest

from partner import testing as partner
from webhooks import receiver
from webhooks.testing import payload

WRONG = "canary-of-a-stranger-0123456789"
SECRETS = (partner.WEBHOOK_TOKEN, WRONG)


@pytest.fixture
def send(client, db):
    partner.connection()
    client.raise_request_exception = False

    def send(token, *, raw=None, method="post"):
        address = f"/webhooks/partner/?token={token}"
        return getattr(client, method)(address, raw or payload(), "application/json")

    return send


@pytest.mark.parametrize("token", SECRETS)
@pytest.mark.parametrize("method", ["post", "put"])
def test_it_works(send, log_lines, token, method):
    send(token, method=method)

    assert "/webhooks/partner/" in log_lines()
    assert token not in log_lines()


def test_a_crash_says_nothing_either(send, log_lines, monkeypatch):
    def crash(*_, **__):
        raise RuntimeError(f"while receiving ?token={partner.WEBHOOK_TOKEN}")

    monkeypatch.setattr(receiver.Inbox, "take", crash)
    response = send(partner.WEBHOOK_TOKEN)

    assert response.status_code == 500
    assert "RuntimeError" in log_lines()
    assert partner.WEBHOOK_TOKEN not in log_lines() + response.text


def test_figures_name_no_token(send):
    for token in SECRETS:
        send(token)

    assert not any(token in generate_latest(REGISTRY).decode() for token in SECRETS)
