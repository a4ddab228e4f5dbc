"""The connection page: addresses, credentials, the webhook address, the key and its rights."""

from typing import Any

from auditlog.models import LogEntry
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from lib.web.fresh_sign_in import PasswordAgainForm, needs_fresh_sign_in, password_again
from partner import factory
from partner.models import Connection, PosIdentity
from partner.setup_pages import probes
from partner.setup_pages.forms import ConnectionForm, PosIdentityForm
from partner.setup_pages.pages import connection_page

# A refused form that was sent by script takes the place of the page it was sent from.
WHOLE_PAGE = {"HX-Retarget": "#main", "HX-Reselect": "#main", "HX-Reswap": "outerHTML"}

owners_only = permission_required("partner.change_connection", raise_exception=True)


@require_safe
@owners_only
@needs_fresh_sign_in
def index(request: HttpRequest) -> HttpResponse:
    return _page(request)


@require_POST
@owners_only
def save(request: HttpRequest) -> HttpResponse:
    form = ConnectionForm(request.POST, instance=_connection_or_first(request))
    if confirm := password_again(request):
        return _stale(request, confirm, form=form)
    if not form.is_valid():
        return _refused(request, form=form)
    form.save()
    messages.success(request, _("The connection is saved."))
    return _saved(request)


@require_POST
@owners_only
def save_pos(request: HttpRequest) -> HttpResponse:
    form = PosIdentityForm(request.POST, instance=_pos_identity(_connection_or_first(request)))
    if confirm := password_again(request):
        return _stale(request, confirm, pos_form=form)
    if not form.is_valid():
        return _refused(request, pos_form=form)
    form.save()
    messages.success(request, _("The point-of-sale identity is saved."))
    return _saved(request)


@require_POST
@owners_only
@needs_fresh_sign_in
def rotate(request: HttpRequest) -> HttpResponse:
    """Put a new webhook token in place; the old one goes on working for a while."""
    connection = _connection_or_404(request)
    connection.rotate_webhook_token()
    connection.save()
    messages.success(request, _("Hand over the new address; the old one works for 14 more days."))
    return redirect("partner:index")


@require_POST
@owners_only
@needs_fresh_sign_in
def revoke(request: HttpRequest) -> HttpResponse:
    """Stop accepting the previous webhook token now."""
    connection = _connection_or_404(request)
    connection.revoke_previous_webhook_token()
    connection.save()
    messages.success(request, _("The old address is no longer accepted."))
    return redirect("partner:index")


@require_POST
@owners_only
@needs_fresh_sign_in
def pause(request: HttpRequest) -> HttpResponse:
    """Send and read nothing until the connection is resumed. Events are stored."""
    _connection_or_404(request).pause()
    messages.success(request, _("The connection is paused: nothing is sent or read."))
    return redirect("partner:index")


@require_POST
@owners_only
@needs_fresh_sign_in
def resume(request: HttpRequest) -> HttpResponse:
    """Send and read again, beginning with what waited."""
    _connection_or_404(request).resume()
    messages.success(
        request, _("The connection is in use again. What waited is sent and read now.")
    )
    return redirect("partner:index")


@require_POST
@owners_only
@needs_fresh_sign_in
def test(request: HttpRequest) -> HttpResponse:
    """Try the key and one cheap read per right."""
    connection = _connection_or_404(request)
    today = timezone.now().date()
    results = probes.try_connection(factory.client(connection.pk), connection, today=today)
    return _page(request, results=results)


@require_POST
@owners_only
@needs_fresh_sign_in
def new_token(request: HttpRequest) -> HttpResponse:
    """Drop a key that does not work, so that the next call requests another. Audited."""
    connection = _connection_or_404(request)
    state = connection_page(connection, now=timezone.now())
    if state.is_key_good:  # a second press, or an old page
        messages.info(request, state.key_sentence)
        return redirect("partner:index")
    state.token.give_up()
    LogEntry.objects.log_create(
        connection,
        force_log=True,
        action=LogEntry.Action.UPDATE,
        changes={"token": ["valid", "given up by order"]},
    )
    messages.warning(request, _("The next call asks for a new key."))
    return redirect("partner:index")


def _stale(request: HttpRequest, confirm: PasswordAgainForm, **form: Any) -> HttpResponse:
    """Ask for the password, without secrets and stored addresses.

    With scripts only the question is put into the page, whose form stays as it was filled in. Else
    the form is rendered with what was typed, and its secret has to be typed again.
    """
    context = {"form": None, "pos_form": None, "confirm": confirm}
    if _is_in_place(request):
        return render(request, "partner/_stale.html", context)
    return render(request, "partner/index.html", context | form, status=403)


def _refused(request: HttpRequest, **form: Any) -> HttpResponse:
    """The whole page with the errors; with scripts it takes the place of the one before."""
    response = _page(request, status=422, **form)
    if _is_in_place(request):
        for name, value in WHOLE_PAGE.items():
            response.headers[name] = value
    return response


def _saved(request: HttpRequest) -> HttpResponse:
    if _is_in_place(request):
        return HttpResponse(headers={"HX-Redirect": reverse("partner:index")})
    return redirect("partner:index")


def _is_in_place(request: HttpRequest) -> bool:
    return "HX-Request" in request.headers


def _connection(request: HttpRequest) -> Connection | None:
    """The oldest connection of this person that is in use."""
    mine = Connection.objects.visible_to(request.user).order_by("pk")
    return mine.exclude(state=Connection.State.RETIRED).first()


def _connection_or_404(request: HttpRequest) -> Connection:
    if connection := _connection(request):
        return connection
    raise Http404


def _connection_or_first(request: HttpRequest) -> Connection | None:
    """The connection of this person; none where the first one is set up now."""
    return _connection_or_404(request) if Connection.objects.exists() else None


def _pos_identity(connection: Connection | None) -> PosIdentity | None:
    if connection is None:
        return PosIdentity.objects.filter(connection=None).first()
    own = PosIdentity.objects.filter(connection=connection).first()
    return own or PosIdentity(connection=connection)


def _page(request: HttpRequest, *, status: int = 200, **shown: Any) -> HttpResponse:
    connection = _connection(request)
    context = {
        "form": ConnectionForm(instance=connection),
        "pos_form": PosIdentityForm(instance=_pos_identity(connection)),
        "connection": connection,
        "state": connection_page(connection, now=timezone.now()) if connection else None,
    }
    return render(request, "partner/index.html", context | shown, status=status)
