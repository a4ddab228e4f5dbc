"""The logo of the point of sale: choose, check, send, put back."""

from uuid import uuid4

from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts import audit
from accounts.requests import SignedInRequest
from partner.models import PosIdentity
from pos import actions
from pos.forms import LogoForm, picture
from pos.models import Logo
from restaurants.access import can, require

RIGHT = "pos.change_logo"


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    require(request, RIGHT)
    return page(request, LogoForm(initial={"key": uuid4()}))


@require_POST
def send(request: SignedInRequest) -> HttpResponse:
    """Check the picture by its bytes, store it, send it."""
    require(request, RIGHT)
    form = LogoForm(request.POST, request.FILES)
    if not form.is_valid():
        return page(request, form, status=422)
    return deliver(request, form.as_logo(actor=request.user, created_at=timezone.now()))


@require_POST
def send_again(request: SignedInRequest, pk: int) -> HttpResponse:
    """Send a kept picture once more: one that failed, or an earlier one to be put back."""
    require(request, RIGHT)
    kept = get_object_or_404(Logo, pk=pk)
    logo = picture(bytes(kept.png), actor=request.user, created_at=timezone.now())
    return deliver(request, logo)


@require_safe
def image(request: SignedInRequest, pk: int) -> HttpResponse:
    require(request, RIGHT)
    logo = get_object_or_404(Logo, pk=pk)
    headers = {"Cache-Control": "private, max-age=86400, immutable"}
    return HttpResponse(bytes(logo.png), content_type="image/png", headers=headers)


def deliver(request: SignedInRequest, logo: Logo) -> HttpResponse:
    """Store the picture before sending it, so that no fault loses the file."""
    identity = PosIdentity.objects.first()
    logo.connection_id = identity.connection_id if identity else None
    if is_first(logo):
        actions.send(logo)
        audit.record(request.user, "pos.send_logo", logo, {"end": logo.state, "size": logo.size})
        Logo.objects.forget_old()
    if request.htmx:
        return page(request, LogoForm(initial={"key": uuid4()}))
    return redirect("pos:index")


def is_first(logo: Logo) -> bool:
    """Keep the picture, unless another click has done so: of two at once the database lets one."""
    try:
        with transaction.atomic():
            logo.save()
    except IntegrityError:
        return False
    return True


def page(request: SignedInRequest, form: LogoForm, *, status: int = 200) -> HttpResponse:
    logos = list(Logo.objects.light().select_related("actor"))
    in_use = [logo for logo in logos if logo.state == Logo.State.SENT]
    context = {
        "form": form,
        "identity": PosIdentity.objects.first(),
        "may_connect": can(request.user, "partner.change_connection"),
        "last": logos[0] if logos else None,
        "current": in_use[0] if in_use else None,
        "earlier": [logo for logo in logos if not in_use or logo.pk != in_use[0].pk],
    }
    template = "pos/_logo.html" if request.htmx else "pos/index.html"
    return render(request, template, context, status=status)
