"""The connection pages: the list, and of each its credentials, webhook address, key and rights."""

from collections.abc import Callable
from typing import Any

from auditlog.models import LogEntry
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect, reselect, reswap, retarget

from lib.web.fresh_sign_in import PasswordAgainForm, needs_fresh_sign_in, password_again
from partner.client import Client
from partner.models import Connection, PosIdentity
from partner.setup_pages import adding, probes
from partner.setup_pages.forms import ConnectionForm, PosIdentityForm, RetireForm
from partner.setup_pages.pages import connection_lines, connection_page, sizes_page

owners_only = permission_required("partner.change_connection", raise_exception=True)
adders_only = permission_required("partner.add_connection", raise_exception=True)


def owners_post(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A press of an owner who has given the password lately."""
    return require_POST(owners_only(needs_fresh_sign_in(view)))


@require_safe
@owners_only
@needs_fresh_sign_in
def index(request: HttpRequest) -> HttpResponse:
    """The connections of this person; a single one's page at once, and without one its form."""
    mine = Connection.objects.visible_to(request.user)
    found = list(mine[:2])
    if not found:
        return render(request, "partner/add.html", {"form": ConnectionForm(), "is_first": True})
    if len(found) == 1:
        return _page(request, found[0])
    lines = connection_lines(mine, now=timezone.now())
    return render(request, "partner/connections.html", {"lines": lines})


@require_safe
@owners_only
def sizes(request: HttpRequest) -> HttpResponse:
    """How much each connection of this person holds. No secret stands there: no password again."""
    page = sizes_page(Connection.objects.visible_to(request.user))
    return render(request, "partner/sizes.html", {"page": page})


@require_safe
@owners_only
@needs_fresh_sign_in
def show(request: HttpRequest, pk: int) -> HttpResponse:
    return _page(request, _visible(request, pk))


@require_http_methods(["GET", "HEAD", "POST"])
@adders_only
def add(request: HttpRequest) -> HttpResponse:
    """Add a connection that works; whoever adds it owns it."""
    is_first = not Connection.objects.exists()
    # Of several each has a name of its own: by it commands and files know them.
    form = ConnectionForm(request.POST or None, initial={} if is_first else {"name": ""})
    context = {"form": form, "is_first": is_first}
    if request.method != "POST":
        return render(request, "partner/add.html", context)
    if confirm := password_again(request):
        return _stale(request, confirm, "partner/add.html", **context)
    if not form.is_valid():
        return _in_place(request, render(request, "partner/add.html", context, status=422))
    added = adding.add(form, owner=request.user, is_tried="untested" not in request.POST)
    if added.connection is None:
        context |= {"form": form, "fault": added.fault}
        return _in_place(request, render(request, "partner/add.html", context, status=422))
    _note_added(request, added)
    return _saved(request, added.connection)


def _note_added(request: HttpRequest, added: adding.AddedConnection) -> None:
    if added.fault:
        words = _("Saved and paused: the answer to the test was lost. Test it again later.")
        messages.warning(request, words)
    elif added.connection and added.connection.state == Connection.State.PAUSED:
        messages.warning(request, _("Saved and paused, because it was not tested. Test it first."))
    else:
        messages.success(request, _("The connection is saved."))


@require_POST
@owners_only
def save(request: HttpRequest, pk: int) -> HttpResponse:
    connection = _usable(request, pk)
    form = ConnectionForm(request.POST, instance=connection)
    return _save(request, connection, _("The connection is saved."), form=form)


@require_POST
@owners_only
def save_pos(request: HttpRequest, pk: int) -> HttpResponse:
    connection = _usable(request, pk)
    form = PosIdentityForm(request.POST, instance=_pos_identity(connection))
    return _save(request, connection, _("The point-of-sale identity is saved."), pos_form=form)


def _save(
    request: HttpRequest, connection: Connection, sentence: str, **shown: Any
) -> HttpResponse:
    """Store the one form that was sent, if the password was given lately."""
    [form] = shown.values()
    if confirm := password_again(request):
        return _stale(request, confirm, connection=connection, **shown)
    if not form.is_valid():
        return _refused(request, connection.pk, **shown)
    form.save()
    messages.success(request, sentence)
    return _saved(request, connection)


def _rotate(connection: Connection) -> None:
    """Put a new webhook token in place; the old one goes on working for a while."""
    connection.rotate_webhook_token()
    connection.save()


def _revoke(connection: Connection) -> None:
    """Stop accepting the previous webhook token now."""
    connection.revoke_previous_webhook_token()
    connection.save()


# What one press does, and what it is confirmed by.
VERBS: dict[str, tuple[Callable[[Connection], None], Promise]] = {
    "rotate": (_rotate, _lazy("Hand over the new address; the old one works for 14 more days.")),
    "revoke": (_revoke, _lazy("The old address is no longer accepted.")),
    "pause": (Connection.pause, _lazy("The connection is paused: nothing is sent or read.")),
    "resume": (
        Connection.resume,
        _lazy("The connection is in use again. What waited is sent and read now."),
    ),
}


@owners_post
def steer(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """Change the address of the events, or stop and restart all calls."""
    act, sentence = VERBS[verb]
    act(_usable(request, pk))
    messages.success(request, str(sentence))
    return redirect("partner:show", pk)


@owners_post
def retire(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete the credentials for good, once its name was typed."""
    connection = _usable(request, pk)
    form = RetireForm(request.POST, connection=connection)
    if not form.is_valid():
        return _page(request, connection, status=422, retire_form=form)
    connection.retire()
    messages.success(request, _("The connection is retired. Its credentials are deleted."))
    return redirect("partner:show", pk)


@owners_post
def test(request: HttpRequest, pk: int) -> HttpResponse:
    """Try the key and one cheap read per right, also of a connection that is paused."""
    connection = _usable(request, pk)
    today = timezone.now().date()
    results = probes.try_connection(Client(connection), connection, today=today)
    return _page(request, connection, results=results)


@owners_post
def new_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Drop a key that does not work, so that the next call requests another. Audited."""
    connection = _usable(request, pk)
    state = connection_page(connection, now=timezone.now())
    if state.is_key_good:  # a second press, or an old page
        messages.info(request, state.key_sentence)
        return redirect("partner:show", pk)
    state.token.give_up()
    LogEntry.objects.log_create(
        connection,
        force_log=True,
        action=LogEntry.Action.UPDATE,
        changes={"token": ["valid", "given up by order"]},
    )
    messages.warning(request, _("The next call asks for a new key."))
    return redirect("partner:show", pk)


def _stale(
    request: HttpRequest,
    confirm: PasswordAgainForm,
    template: str = "partner/show.html",
    **shown: Any,
) -> HttpResponse:
    """Ask for the password, without secrets and stored addresses.

    With scripts only the question is put into the page, whose form stays as it was filled in. Else
    the form is rendered with what was typed, and its secret has to be typed again.
    """
    context = {"form": None, "pos_form": None, "confirm": confirm}
    if _is_sent_by_script(request):
        return render(request, "partner/_stale.html", context)
    return render(request, template, context | shown, status=403)


def _refused(request: HttpRequest, pk: int, **form: Any) -> HttpResponse:
    """The whole page with the errors; the form has changed the row it was given, but not stored."""
    return _in_place(request, _page(request, _usable(request, pk), status=422, **form))


def _in_place(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """With scripts a refused form takes the place of the whole page it was sent from."""
    if _is_sent_by_script(request):
        return reswap(reselect(retarget(response, "#main"), "#main"), "outerHTML")
    return response


def _saved(request: HttpRequest, connection: Connection) -> HttpResponse:
    if _is_sent_by_script(request):
        return HttpResponseClientRedirect(reverse("partner:show", args=[connection.pk]))
    return redirect("partner:show", connection.pk)


def _is_sent_by_script(request: HttpRequest) -> bool:
    return "HX-Request" in request.headers


def _visible(request: HttpRequest, pk: int) -> Connection:
    return get_object_or_404(Connection.objects.visible_to(request.user), pk=pk)


def _usable(request: HttpRequest, pk: int) -> Connection:
    """A connection of this person that has not been retired."""
    mine = Connection.objects.visible_to(request.user)
    return get_object_or_404(mine.exclude(state=Connection.State.RETIRED), pk=pk)


def _pos_identity(connection: Connection) -> PosIdentity:
    own = PosIdentity.objects.filter(connection=connection).first()
    return own or PosIdentity(connection=connection)


def _page(
    request: HttpRequest, connection: Connection, *, status: int = 200, **shown: Any
) -> HttpResponse:
    """The page of a connection. Of a retired one nothing is left to be shown or changed."""
    context: dict[str, Any] = {
        "connection": connection,
        "is_single": Connection.objects.visible_to(request.user).count() == 1,
    }
    if connection.state != Connection.State.RETIRED:
        context |= {
            "form": ConnectionForm(instance=connection),
            "pos_form": PosIdentityForm(instance=_pos_identity(connection)),
            "retire_form": RetireForm(connection=connection),
            "state": connection_page(connection, now=timezone.now()),
            "is_owner": connection.owners.filter(pk=request.user.pk).exists(),
        }
    return render(request, "partner/show.html", context | shown, status=status)
