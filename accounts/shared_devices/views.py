"""Views of a shared device: switch, share, PINs."""

from typing import cast

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import audit
from accounts.models import SharedDevice, User
from accounts.shared_devices import devices
from accounts.shared_devices.forms import SetPinForm, ShareForm, TakeOverForm


@require_safe
def switch(request: HttpRequest) -> HttpResponse:
    """Who can take over here; on a device of one's own, how to share it."""
    device = devices.device_of(request)
    context = {
        "device": device,
        "people": device.people() if device else [],
        "form": ShareForm(),
        "is_switched": devices.is_switched(request),
    }
    return render(request, "accounts/switch.html", context)


@require_POST
def share(request: HttpRequest) -> HttpResponse:
    """Share this device. A person who came by PIN cannot: it is not their sign-in."""
    if devices.is_switched(request):
        raise PermissionDenied
    form = ShareForm(request.POST)
    if not form.is_valid():
        return render(request, "accounts/switch.html", {"form": form, "people": []}, status=422)
    devices.share(request, owner=cast(User, request.user), name=form.cleaned_data["name"])
    return redirect("accounts:switch")


@require_POST
def unshare(request: HttpRequest) -> HttpResponse:
    """Stop sharing this device: whoever holds it by PIN is signed out."""
    device = here(request)
    audit.record(cast(User, request.user), "stopped sharing a device", device)
    device.delete()
    devices.leave_if_over(request)
    return redirect("accounts:switch")


@require_http_methods(["GET", "HEAD", "POST"])
def set_pin(request: HttpRequest) -> HttpResponse:
    """Let a person choose a PIN on this device, after saying once who they are."""
    device = here(request)
    form = SetPinForm(request.POST or None, request=request)
    if not form.is_valid() or form.person is None:
        status = 422 if form.is_bound else 200
        context = {"form": form, "device": device}
        return render(request, "accounts/set_pin.html", context, status=status)
    device.set_pin(form.person, form.cleaned_data["pin"])
    audit.record(form.person, "set a PIN", device)
    messages.success(request, _("%(person)s can take over here now.") % {"person": form.person})
    return redirect("accounts:switch")


@require_http_methods(["GET", "HEAD", "POST"])
def take_over(request: HttpRequest, person: int) -> HttpResponse:
    """Hand the device over to a person who knows their PIN."""
    device = here(request)
    held = get_object_or_404(device.pins.select_related("person"), person=person)
    form = TakeOverForm(request.POST or None, held=held)
    if not (held.person.is_active and held.has_persons_password):
        raise Http404
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        context = {"form": form, "device": device, "person": held.person}
        return render(request, "accounts/take_over.html", context, status=status)
    devices.switch(request, person=held.person, device=device)
    return redirect("/")


def here(request: HttpRequest) -> SharedDevice:
    """The shared device that the request comes from, or 404."""
    device = devices.device_of(request)
    if device is None:
        raise Http404
    return device
