"""The browser of a request as a device for push messages: switched on, recognised, ended.

A cookie names the device, not the session: a sign-in ends by itself after some hours, and push
messages go on; signing out ends them.
"""

import secrets
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import get_language

from accounts import audit
from accounts.models import User
from accounts.push.models import PushDevice
from accounts.push.web_push import Subscription
from lib.encryption import on_rotation
from partner.models.connection import hash_token

MOST_DEVICES = 20  # of one person; the oldest goes


def browser_token(request: HttpRequest) -> str:
    return request.COOKIES.get(settings.PUSH_DEVICE_COOKIE_NAME, "")


@transaction.atomic
def switch_on(
    subscription: Subscription, *, request: HttpRequest, user: User, now: datetime
) -> str:
    """Store the subscription of this browser. Returns the token for its cookie.

    A browser belongs to one person: whoever had switched it on before gets nothing there any more.
    """
    end_here(request)
    token = secrets.token_urlsafe(32)
    PushDevice.objects.update_or_create(
        endpoint_hash=hash_token(subscription.endpoint),
        defaults={
            **subscription._asdict(),
            "user": user,
            "browser_hash": hash_token(token),
            "user_session_hash": user.get_session_auth_hash(),
            "user_agent": request.headers.get("User-Agent", "")[:200],
            "language": get_language() or settings.LANGUAGE_CODE,
            "added_at": now,
            "accepted_at": None,
            "problem": "",
            "problem_at": None,
        },
    )
    newest = user.push_devices.order_by("-added_at", "-pk").values_list("pk", flat=True)
    user.push_devices.exclude(pk__in=list(newest[:MOST_DEVICES])).delete()
    return token


@transaction.atomic
def renew(subscription: Subscription, *, request: HttpRequest) -> bool:
    """Store the new address of this browser; False if nobody has switched push messages on here.

    Nor does it take an address from another person: that would end their messages unseen.
    """
    known = PushDevice.objects.of_browser(browser_token(request)).select_related("user")
    device = known.select_for_update(of=("self",)).first()
    if device is None or not device.is_signed_in:
        return False
    address = subscription._asdict() | {"endpoint_hash": hash_token(subscription.endpoint)}
    others = PushDevice.objects.filter(endpoint_hash=address["endpoint_hash"]).exclude(pk=device.pk)
    if others.exclude(user=device.user).exists():
        return False
    others.delete()
    for name, value in address.items():
        setattr(device, name, value)
    device.save(update_fields=address)
    audit.record(device.user, "had a push address renewed")
    return True


def device_of(request: HttpRequest, user: User) -> PushDevice | None:
    """This browser, if the person has switched it on. One query."""
    return PushDevice.objects.of_browser(browser_token(request)).filter(user=user).first()


def end_here(request: HttpRequest) -> None:
    """No push messages on this browser, whoever had switched them on."""
    PushDevice.objects.of_browser(browser_token(request)).delete()


def end_for_others(request: HttpRequest, user: User) -> None:
    """Whoever signed in here before without signing out gets no push messages here any more."""
    PushDevice.objects.of_browser(browser_token(request)).exclude(user=user).delete()


def end_elsewhere(request: HttpRequest, user: User) -> None:
    """No push messages on the person's other devices."""
    here = PushDevice.objects.of_browser(browser_token(request))
    user.push_devices.exclude(pk__in=here.values("pk")).delete()


def rotate_sign_ins() -> int:
    """Let devices stay signed in once the former SECRET_KEY is gone; return how many."""
    count = 0
    for device in PushDevice.objects.select_related("user").select_for_update(of=("self",)):
        present = device.user.get_session_auth_hash()
        if device.is_signed_in and device.user_session_hash != present:
            PushDevice.objects.filter(pk=device.pk).update(user_session_hash=present)
            count += 1
    return count


on_rotation("sign-ins of push devices", rotate_sign_ins)
