"""Views of privacy: export a guest, erase a guest, approve a large erasure."""

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts import audit
from accounts.requests import SignedInRequest
from customers import personal_data
from customers.forms import EraseForm
from customers.models import Customer, ProfileView, PurgeQuestion
from customers.privacy import archive, erasure, retention
from customers.requests import guest_within_reach
from mirror.models import Mirrored
from restaurants.access import require
from restaurants.models import Restaurant

PURGE_RIGHT = "customers.approve_purge"


@require_POST
def take_away(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """The export of one guest as a file, for machines and for people."""
    guest = guest_to_manage(request, uuid)
    now = timezone.now()
    erasure.record_view(guest, request.user, ProfileView.What.EXPORTED, now=now)
    details = {"guest": str(guest.pk)}
    audit.record(request.user, "exported a guest", details=details, within=[guest.group])
    answer = HttpResponse(archive.pack(guest, now=now), content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="guest-{guest.pk}.zip"'
    answer["Cache-Control"] = "no-store"
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Show what will be erased and what stays; then erase."""
    guest = guest_to_manage(request, uuid)
    is_erased = guest.presence == Mirrored.Presence.ERASED
    if is_erased and not personal_data.is_held_again(guest):
        return redirect(guest)
    form = EraseForm(request.POST or None)
    if form.is_valid():
        erasure.erase(guest, actor=request.user, now=timezone.now())
        messages.success(request, _("The guest is erased here, and will not come back."))
        return redirect("customers:index")
    context = {"form": form, "guest": guest}
    status = 422 if request.method == "POST" else 200
    return render(request, "customers/erase.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def purge(request: SignedInRequest) -> HttpResponse:
    """Ask a person to approve a large erasure."""
    require(request, PURGE_RIGHT)
    question = PurgeQuestion.objects.filter(approved_at=None).first()
    if request.method == "POST":
        question = get_object_or_404(PurgeQuestion, pk=request.POST.get("question") or 0)
        retention.approve_purge(question, request.user, now=timezone.now())
        messages.success(request, _("They are erased within the next hours, some at a time."))
        return redirect("customers:purge")
    return render(request, "customers/purge.html", {"question": question, "now": timezone.now()})


def guest_to_manage(request: SignedInRequest, uuid: UUID) -> Customer:
    guest = guest_within_reach(request, uuid)
    if not erasure.may_manage(request.user, Restaurant.objects.filter(group=guest.group_id)):
        raise PermissionDenied
    return guest
