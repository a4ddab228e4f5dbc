"""The logo of the point of sale: choose, check, send, put back."""

from uuid import uuid4

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts import audit
from accounts.models import User
from accounts.requests import SignedInRequest
from partner.models import Connection, PosIdentity
from pos import actions
from pos.forms import LogoForm, picture
from pos.models import Logo
from restaurants.access import can, require

RIGHT = "pos.change_logo"


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    return page(request, LogoForm(initial={"key": uuid4()}), connection=chosen(request))


@require_POST
def send(request: SignedInRequest) -> HttpResponse:
    """Check the picture by its bytes, store it, send it."""
    connection = chosen(request)
    form = LogoForm(request.POST, request.FILES)
    if not form.is_valid():
        return page(request, form, connection=connection, status=422)
    logo = form.as_logo(actor=request.user, created_at=timezone.now(), connection=connection)
    return deliver(request, logo)


@require_POST
def send_again(request: SignedInRequest, pk: int) -> HttpResponse:
    """Send a kept picture once more: one that failed, or an earlier one to be put back."""
    kept = owned_logo(request, pk)
    connection = kept.connection or chosen(request)
    at = timezone.now()
    logo = picture(bytes(kept.png), actor=request.user, created_at=at, connection=connection)
    return deliver(request, logo)


@require_safe
def image(request: SignedInRequest, pk: int) -> HttpResponse:
    logo = owned_logo(request, pk)
    headers = {"Cache-Control": "private, max-age=86400, immutable"}
    return HttpResponse(bytes(logo.png), content_type="image/png", headers=headers)


def chosen(request: SignedInRequest) -> Connection | None:
    """The person's connection that the address names, else the first; none before there is one."""
    require(request, RIGHT)
    mine = owned_connections(request.user)
    if not (named := request.GET.get("connection", "")):
        return mine.first()
    return get_object_or_404(mine, pk=int(named) if named.isdecimal() else 0)


def owned_connections(user: User) -> QuerySet[Connection]:
    mine = Connection.objects.current_ones().filter(pk__in=user.owned_connection_ids)
    return mine.order_by("name", "pk")


def owned_logo(request: SignedInRequest, pk: int) -> Logo:
    require(request, RIGHT)
    return get_object_or_404(Logo.objects.visible_to(request.user), pk=pk)


def deliver(request: SignedInRequest, logo: Logo) -> HttpResponse:
    """Store the picture before sending it, so that no fault loses the file."""
    if is_first(logo):
        actions.send(logo)
        audit.record(request.user, "pos.send_logo", logo, {"end": logo.state, "size": logo.size})
        Logo.objects.of(logo.connection).delete_old()
    if request.htmx:
        form = LogoForm(initial={"key": uuid4()})
        return page(request, form, connection=logo.connection)
    return redirect(f"{reverse('pos:index')}{query_of(logo.connection)}")


def query_of(connection: Connection | None) -> str:
    return f"?connection={connection.pk}" if connection else ""


def is_first(logo: Logo) -> bool:
    """Keep the picture, unless another click has done so: of two at once the database lets one."""
    try:
        with transaction.atomic():
            logo.save()
    except IntegrityError:
        return False
    return True


def page(
    request: SignedInRequest,
    form: LogoForm,
    *,
    connection: Connection | None,
    status: int = 200,
) -> HttpResponse:
    """The page of one connection; who owns several chooses above it."""
    stored = Logo.objects.visible_to(request.user).of(connection)
    logos = list(stored.light().select_related("actor"))
    in_use = [logo for logo in logos if logo.state == Logo.State.SENT]
    connections = list(owned_connections(request.user))
    context = {
        "form": form,
        "connection": connection,
        "connections": connections if len(connections) > 1 else [],
        "query": query_of(connection),
        "identity": PosIdentity.objects.filter(connection=connection).first(),
        "may_connect": can(request.user, "partner.change_connection"),
        "last": logos[0] if logos else None,
        "current": in_use[0] if in_use else None,
        "earlier": [logo for logo in logos if not in_use or logo.pk != in_use[0].pk],
    }
    template = "pos/_logo.html" if request.htmx else "pos/index.html"
    return render(request, template, context, status=status)
