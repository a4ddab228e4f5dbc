"""Views of the devices that keep an offline copy: which there are, allow this one, stop one."""

from typing import cast

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import audit
from accounts.models import User
from lib.web.fresh_sign_in import needs_fresh_sign_in_to_post as confirmed
from restaurants.access import require
from restaurants.models import Restaurant
from restaurants.offline_devices import devices
from restaurants.offline_devices.forms import ADMINS_RIGHT, OfflineDeviceForm
from restaurants.offline_devices.models import OfflineDevice


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    require(request, ADMINS_RIGHT)
    return page(request, form=OfflineDeviceForm(admin=cast(User, request.user)))


@require_POST
@confirmed
def allow(request: HttpRequest) -> HttpResponse:
    """Allow a copy in this browser, whoever signs in to it."""
    require(request, ADMINS_RIGHT)
    admin = cast(User, request.user)
    form = OfflineDeviceForm(request.POST, admin=admin)
    if not form.is_valid():
        return page(request, form=form, status=422)
    form.instance.allowed_by, form.instance.allowed_at = admin, timezone.now()
    with transaction.atomic():
        device = form.save()
        audit.record(admin, "allowed an offline copy", device, within=device.restaurants.all())
    messages.success(request, _("This device keeps an offline copy from now on."))
    response = redirect("offline_devices:index")
    devices.mark(response, device)
    return response


@require_POST
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    """Allow it no more: the device deletes its copy with the next answer that it gets.

    Restaurants of others that it serves too stay allowed.
    """
    admin = cast(User, request.user)
    device = get_object_or_404(keeping(Restaurant.objects.visible_to(admin)), pk=pk)
    if device not in run_by(admin):
        raise PermissionDenied
    places = list(
        device.restaurants.filter(pk__in=Restaurant.objects.visible_to(admin, ADMINS_RIGHT))
    )
    audit.record(admin, "stopped an offline copy", device, within=places)
    device.restaurants.remove(*places)
    if not device.restaurants.exists():
        device.delete()
    return redirect("offline_devices:index")


def page(request: HttpRequest, *, form: OfflineDeviceForm, status: int = 200) -> HttpResponse:
    """The page; of a device that serves other groups too, the admin's own restaurants only."""
    admin = cast(User, request.user)
    own = Prefetch("restaurants", Restaurant.objects.visible_to(admin, ADMINS_RIGHT))
    found = run_by(admin).prefetch_related(own)
    here = devices.device_of(request)
    context = {"devices": found.select_related("allowed_by"), "form": form, "here": here}
    return render(request, "offline_devices/index.html", context, status=status)


def run_by(admin: User) -> QuerySet[OfflineDevice]:
    """The devices with a copy of at least one restaurant that the admin runs."""
    return keeping(Restaurant.objects.visible_to(admin, ADMINS_RIGHT))


def keeping(restaurants: QuerySet[Restaurant]) -> QuerySet[OfflineDevice]:
    return OfflineDevice.objects.filter(restaurants__in=restaurants).distinct()
