"""The steps by which a group moves: choose a connection, read what will happen, confirm."""

from typing import cast
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import User
from lib.web.fresh_sign_in import needs_fresh_sign_in_to_post
from partner import factory
from partner.errors import PartnerError
from partner.models import Connection
from restaurants.group_moves import moving
from restaurants.group_moves.forms import MoveForm
from restaurants.group_moves.sync import is_owned
from restaurants.models import Group


@require_http_methods(["GET", "HEAD", "POST"])
@needs_fresh_sign_in_to_post
def move(request: HttpRequest, uuid: UUID) -> HttpResponse:
    user = cast(User, request.user)
    group = owned_group(user, uuid)
    targets = moving.targets(group, user)
    is_chosen = request.method == "POST" or "to" in request.GET
    form = MoveForm((request.POST or request.GET) if is_chosen else None, targets=targets)
    context = {"group": group, "form": form, "has_targets": targets.exists()}
    if not form.is_valid():
        return render(request, "restaurants/move.html", context, status=422 if is_chosen else 200)
    target = form.cleaned_data["to"]
    refusal = refusal_of(group, target)
    if request.method != "POST" or refusal:
        context |= {
            "target": target,
            "refusal": refusal,
            "sentences": moving.sentences(group),
            "losing_sight": moving.losing_sight(group, target),
        }
        status = 422 if request.method == "POST" else 200
        return render(request, "restaurants/move.html", context, status=status)
    moving.move(group, target, actor=user, now=timezone.now())
    words = _("%(group)s belongs to %(connection)s now.")
    messages.success(request, words % {"group": group, "connection": target})
    return redirect("restaurants:index")


def owned_group(user: User, uuid: UUID) -> Group:
    """A group of the person's connections; 404 for who may not know it, 403 for who works there."""
    owned = Group.objects.owned_by(user).select_related("connection").filter(uuid=uuid).first()
    if owned is None:
        get_object_or_404(Group.objects.visible_to(user), uuid=uuid)
        raise PermissionDenied
    return owned


def refusal_of(group: Group, target: Connection) -> str:
    """Why the group cannot move there; empty if it can. Calls the service with its credentials."""
    try:
        api = factory.client(target.pk)
        if is_owned(group, api=api, today=timezone.now().date()):
            return ""
    except PartnerError as fault:
        return f"{fault.sentence} {fault.next_step}".strip()
    return _(
        "The service says that this group, or a restaurant of it, does not belong to the account"
        " “%(connection)s”. Ask its operator to add the group there first."
    ) % {"connection": target}
