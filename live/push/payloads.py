"""What a push message says: what happened and where, in the person's language, and no more."""

import json
from datetime import datetime, timedelta
from typing import Any

from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts.push.models import PushDevice
from accounts.push.web_push import WebPush
from live.push.kinds import PushKind
from live.push.models import PushEvent

SALT = "live.push.topic"
TOPIC_LETTERS = 32  # the most that push services take
# A push service keeps a message for a device that is off; after so long it is no news.
LONGEST_LIFE = timedelta(hours=24)
TEST_LIFE = timedelta(minutes=5)


def build_message(
    event: PushEvent, kind: PushKind, device: PushDevice, *, now: datetime
) -> WebPush:
    """The message of an event for one device. Only what happened and where: no guest, no number."""
    with translation.override(device.user.language or device.language):
        place = event.restaurant.name if event.restaurant else "Couvert"
        body = str(kind.sentence)
    left = min(event.expires_at - now, LONGEST_LIFE)
    return WebPush(
        payload=_payload(
            place, body, url=kind.url(event), tag=topic_of(event), event=str(event.pk)
        ),
        seconds_to_live=max(int(left.total_seconds()), 0),
        topic=topic_of(event),
        urgency="high" if kind.is_urgent else "normal",
    )


def build_test(device: PushDevice, *, url: str) -> WebPush:
    with translation.override(device.user.language or device.language):
        body = _("This is a test. Push messages reach this device.")
    return WebPush(
        payload=_payload("Couvert", body, url=url, tag="test", event="test"),
        seconds_to_live=int(TEST_LIFE.total_seconds()),
        topic="test",
    )


def topic_of(event: PushEvent) -> str:
    """A repeat, and the next event of a kind on a day of a restaurant, replace the one before."""
    day = event.expires_at.date()
    what = f"{event.kind} {event.restaurant_id} {day}"
    return salted_hmac(SALT, what, algorithm="sha256").hexdigest()[:TOPIC_LETTERS]


def _payload(title: str, body: str, **facts: Any) -> bytes:
    return json.dumps({"title": title, "body": body, **facts}, ensure_ascii=False).encode()
