"""Devices, kinds and events of push messages for the tests of all apps."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.http import HttpRequest

from accounts.models import User
from accounts.push import devices
from accounts.push.models import PushDevice, PushPreferences
from accounts.push.testing import FakeBrowser
from live.push.kinds import PUSH_KINDS
from live.push.models import PushEvent
from restaurants.models import Restaurant


def make_push_device(
    user: User, browser: FakeBrowser, *, now: datetime, kinds: list[str] | None = None, **quiet: Any
) -> PushDevice:
    """A device of the person, who wants all kinds unless the test names some."""
    devices.switch_on(browser.subscription, request=HttpRequest(), user=user, now=now)
    wanted = [kind.name for kind in PUSH_KINDS] if kinds is None else kinds
    PushPreferences.objects.update_or_create(user=user, defaults={"kinds": wanted, **quiet})
    return user.push_devices.latest("pk")


def unreachable() -> FakeBrowser:
    """A browser whose push service is down."""
    return FakeBrowser(f"http://127.0.0.1:9/{uuid4()}")


def make_push_event(
    kind: str,
    restaurant: Restaurant | None,
    *,
    now: datetime,
    subject: str = "one",
    lasts: timedelta = timedelta(hours=3),
) -> PushEvent:
    return PushEvent.objects.create(
        kind=kind, subject=subject, restaurant=restaurant, at=now, expires_at=now + lasts
    )
