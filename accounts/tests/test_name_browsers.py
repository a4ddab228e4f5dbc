"""Browsers in words that people recognise."""

import pytest

from accounts.templatetags.browsers import browser_name

CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML) Chrome/142.0 Safari/537.36"
EDGE = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (CHROME, "Chrome on Linux"),
        (EDGE, "Edge on Windows"),
        (SAFARI, "Safari on iPhone"),
        ("curl/8", "curl/8"),
        ("", "Unknown browser"),
    ],
)
def test_it_works(user_agent: str, name: str):
    assert browser_name(user_agent) == name
