"""The page on which a superuser takes a role for a while. What is done with it is audited."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import audit
from accounts.requests import SignedInRequest
from lib.web.fresh_sign_in import needs_fresh_sign_in_to_post as confirmed
from restaurants.access import require
from restaurants.emergency_access import sending
from restaurants.emergency_access.forms import EmergencyAccessForm
from restaurants.emergency_access.models import RIGHT, EmergencyAccess


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    require(request, RIGHT)
    return page(request, form=EmergencyAccessForm(person=request.user))


@require_POST
@confirmed
def begin(request: SignedInRequest) -> HttpResponse:
    require(request, RIGHT)
    form = EmergencyAccessForm(request.POST, person=request.user)
    if not form.is_valid():
        return page(request, form=form, status=422)
    if (access := form.begin(now=timezone.now())) is None:
        return redirect("emergency_access:index")  # which shows the one that runs
    details = {"role": access.role, "reason": access.reason, "hours": form.cleaned_data["hours"]}
    audit.record(request.user, "took a role for a while", access.group, details)
    sending.notify_owners(access)
    messages.success(
        request, _("You have the role. The owners are notified, and it ends by itself.")
    )
    return redirect("emergency_access:index")


@require_POST
def end(request: SignedInRequest, pk: int) -> HttpResponse:
    require(request, RIGHT)
    own = EmergencyAccess.objects.filter(person=request.user)
    access = get_object_or_404(own.select_related("group", "membership"), pk=pk)
    if access.end(now=timezone.now()):
        audit.record(request.user, "gave a role back", access.group, {"role": access.role})
    return redirect("emergency_access:index")


def page(request: SignedInRequest, *, form: EmergencyAccessForm, status: int = 200) -> HttpResponse:
    mine = EmergencyAccess.objects.filter(person=request.user).running()
    context = {"running": mine.select_related("group"), "form": form}
    return render(request, "emergency_access/index.html", context, status=status)
