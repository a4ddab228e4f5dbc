"""The shared-tablet switch: which device a request comes from, and who holds it now."""

from datetime import datetime
from typing import cast

from django.contrib.auth import login, logout
from django.http import HttpRequest

from accounts import audit
from accounts.models import SharedDevice, User
from accounts.push import devices as push_devices

DEVICE = "shared_device"
SWITCHED = "switched"


def device_of(request: HttpRequest) -> SharedDevice | None:
    """The shared device behind a request. One query, and none for everybody else."""
    pk = request.session.get(DEVICE)
    if not pk:
        return None
    device = SharedDevice.objects.live().select_related("owner").filter(pk=pk).first()
    return device if device and device.has_owners_sign_in else None


def is_switched(request: HttpRequest) -> bool:
    """Whether the person came by PIN and not by a sign-in of their own."""
    return bool(request.session.get(SWITCHED))


def share(request: HttpRequest, *, owner: User, name: str) -> SharedDevice:
    """Let others use this device until the owner's sign-in ends; nothing prolongs it.

    It shows no push messages of its owner from now on.
    """
    push_devices.end_here(request)
    ends: datetime = request.session.get_expiry_date()
    device = SharedDevice.objects.create(
        name=name,
        owner=owner,
        expires_at=ends,
        owner_session_hash=owner.get_session_auth_hash(),
    )
    request.session.set_expiry(ends)
    request.session[DEVICE] = device.pk
    audit.record(owner, "shared a device", device)
    return device


def switch(request: HttpRequest, *, person: User, device: SharedDevice) -> None:
    """Hand the device over. Nothing of the previous session remains.

    People who came by PIN have a PIN's rights only, the owner included: for others they sign in.
    """
    before = request.user
    request.session.flush()
    login(request, person, backend="accounts.backends.SignInBackend")
    request.session[DEVICE] = device.pk
    request.session[SWITCHED] = True
    request.session.set_expiry(device.expires_at)
    audit.record(person, "switched", device, {"from": str(before.pk)})


def leave_if_over(request: HttpRequest) -> None:
    """End the session on a device once its owner's sign-in, or the sharing, has ended."""
    if is_switched(request):
        logout(request)
    else:
        del request.session[DEVICE]


def end_others(request: HttpRequest) -> None:
    """Stop sharing the person's other devices; people who use them by PIN are signed out.

    The person's PINs on devices of others end too: this one's is left.
    """
    person, here = cast(User, request.user), request.session.get(DEVICE)
    person.pins.exclude(device=here).delete()
    for device in SharedDevice.objects.filter(owner=person):
        if device.pk == here:
            continue
        audit.record(device.owner, "stopped sharing a device", device)
        device.delete()
