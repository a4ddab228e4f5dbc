"""Views of the saved replies of a group."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import SignedInRequest
from restaurants.access import require
from restaurants.models import Group
from reviews.details.pages import REPLY
from reviews.forms import SavedReplyForm
from reviews.models import SavedReply
from reviews.requests import VIEW

FORM = ["GET", "HEAD", "POST"]


@require_safe
def replies(request: SignedInRequest) -> HttpResponse:
    require(request, VIEW)
    rows = SavedReply.objects.visible_to(request.user).select_related("group")
    may_change = Group.objects.run_by(request.user, REPLY).exists()
    return render(request, "reviews/replies.html", {"replies": rows, "may_change": may_change})


@require_http_methods(FORM)
def add_reply(request: SignedInRequest) -> HttpResponse:
    require(request, REPLY)
    return _edit_reply(request, SavedReply())


@require_http_methods(FORM)
def edit_reply(request: SignedInRequest, pk: int) -> HttpResponse:
    return _edit_reply(request, reply_to_change(request, pk))


@require_POST
def delete_reply(request: SignedInRequest, pk: int) -> HttpResponse:
    reply_to_change(request, pk).delete()
    messages.success(request, _("The saved reply is gone."))
    return redirect("reviews:replies")


def _edit_reply(request: SignedInRequest, reply: SavedReply) -> HttpResponse:
    groups = Group.objects.run_by(request.user, REPLY)
    form = SavedReplyForm(request.POST or None, instance=reply, groups=groups)
    if request.method == "POST" and form.is_valid():
        form.save()
        return redirect("reviews:replies")
    context = {"form": form, "reply": reply, "back": reverse("reviews:replies")}
    return render(request, "reviews/edit_reply.html", context, status=422 if form.errors else 200)


def reply_to_change(request: SignedInRequest, pk: int) -> SavedReply:
    rows = SavedReply.objects.visible_to(request.user).select_related("group")
    reply = get_object_or_404(rows, pk=pk)
    if not Group.objects.run_by(request.user, REPLY).filter(pk=reply.group_id).exists():
        raise PermissionDenied
    return reply
