"""Pages about people."""

from typing import cast

from allauth.account.decorators import reauthentication_required
from allauth.usersessions.views import list_usersessions
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import SetPasswordForm
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import audit, devices
from accounts.forms import PreferencesForm, SetPinForm, ShareForm, TakeOverForm
from accounts.invitations import invited
from accounts.models import SharedDevice, User


@require_POST
def preferences(request: HttpRequest) -> HttpResponse:
    """Keep how a person likes their screens; a script wants no page back."""
    form = PreferencesForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=422)
    form.save(user=cast(User, request.user))
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204)
    return redirect(back_to(request))


def back_to(request: HttpRequest) -> str:
    """The address in `next` if it is one of ours, else the first page."""
    address = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if ours else "/"


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def accept_invitation(request: HttpRequest) -> HttpResponse:
    """Choose the first password. Public: the token in the address says who is asking."""
    person = invited(request.GET.get("token", ""))
    if person is None:
        return render(request, "accounts/invitation_over.html", status=404)
    form = SetPasswordForm(person, request.POST or None)
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        context = {"form": form, "person": person}
        return render(request, "accounts/accept_invitation.html", context, status=status)
    form.save()
    audit.record(person, "accepted an invitation")
    messages.success(request, _("Your password is set. Sign in with it now."))
    return redirect("account_login")


@require_safe
def closed(request: HttpRequest, key: str = "") -> HttpResponse:
    """Stand where the library would let people change addresses: an admin does that."""
    raise Http404


# Whoever finds a screen left open ends no sign-in of its owner elsewhere.
sessions = reauthentication_required(allow_get=True)(list_usersessions)


# The shared device


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
    if not held.person.is_active:
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
