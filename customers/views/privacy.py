"""What the law asks of the copy: give out what is held on a person, and forget it."""

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts import audit
from accounts.requests import SignedInRequest
from customers import archive, privacy
from customers.forms import EraseForm
from customers.models import Customer, Look
from customers.views.guests import guest_within_reach
from mirror.models import Mirrored
from restaurants.models import Restaurant


@require_POST
def take_away(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Everything held on the person, as one file: for the machine and for the reader."""
    guest = guest_to_manage(request, uuid)
    now = timezone.now()
    privacy.note_look(guest, request.user, Look.What.EXPORTED, now=now)
    details = {"guest": str(guest.pk)}
    audit.record(request.user, "exported a guest", details=details, within=[guest.group])
    answer = HttpResponse(archive.pack(guest, now=now), content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="guest-{guest.pk}.zip"'
    answer["Cache-Control"] = "no-store"
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Say what will be gone and what stays; then forget it."""
    guest = guest_to_manage(request, uuid)
    if guest.presence == Mirrored.Presence.ERASED:
        return redirect(guest)
    form = EraseForm(request.POST or None)
    if form.is_valid():
        privacy.erase(guest, actor=request.user, now=timezone.now())
        messages.success(request, _("The guest is erased here, and will not come back."))
        return redirect("customers:index")
    context = {"form": form, "guest": guest}
    status = 422 if request.method == "POST" else 200
    return render(request, "customers/erase.html", context, status=status)


def guest_to_manage(request: SignedInRequest, uuid: UUID) -> Customer:
    guest = guest_within_reach(request, uuid)
    if not privacy.may_manage(request.user, Restaurant.objects.filter(group=guest.group_id)):
        raise PermissionDenied
    return guest
