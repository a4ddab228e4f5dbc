"""Views to invite people and to make links.

The inviter learns nothing about the address; its person accepts or declines."""

from typing import cast
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts import audit
from accounts.models import User
from accounts.password_links.invitations import link_for
from lib.web.fresh_sign_in import needs_fresh_sign_in_to_post as confirmed
from restaurants import inviting
from restaurants.access import require
from restaurants.forms import InvitationForm
from restaurants.invitation_models import Invitation
from restaurants.people import RIGHT
from restaurants.views.people import run_person


@require_http_methods(["GET", "HEAD", "POST"])
@confirmed
def invite(request: HttpRequest) -> HttpResponse:
    """Invite an address, known here or not, with the same response."""
    require(request, RIGHT)
    admin = cast(User, request.user)
    form = InvitationForm(request.POST or None, admin=admin)
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        return render(request, "people/invite.html", {"form": form}, status=status)
    return hand_over(request, form.invite(invited_by=admin))


@require_POST
@confirmed
def invite_again(request: HttpRequest, key: UUID) -> HttpResponse:
    invitation = run_invitation(request, key)
    invitation.renew()
    return hand_over(request, invitation)


@require_POST
def withdraw(request: HttpRequest, key: UUID) -> HttpResponse:
    invitation = run_invitation(request, key)
    audit.record(cast(User, request.user), "withdrew an invitation", invitation.place)
    invitation.delete()
    messages.success(request, _("The invitation is withdrawn; its link no longer works."))
    return redirect("people:index")


@require_POST
@confirmed
def renew_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a new link with which the person chooses a password."""
    person = run_person(request, pk)
    audit.record(cast(User, request.user), "made a sign-in link", person)
    link = link_for(person)
    if not inviting.leaves_by_mail():
        done = reverse("people:show", args=[person.pk])
        return show_link(request, whom=str(person), link=link, done=done)
    inviting.send_link(person, link)
    messages.success(request, _("A link is on its way to %(person)s.") % {"person": person})
    return redirect("people:show", person.pk)


def run_invitation(request: HttpRequest, key: UUID) -> Invitation:
    """An invitation to a place of this admin: 404 for outsiders, 403 without the right there."""
    user = cast(User, request.user)
    within_reach = Invitation.objects.visible_to(user)
    found = get_object_or_404(
        within_reach.select_related("group", "restaurant", "invited_by"), key=key
    )
    if not Invitation.objects.run_by(user).filter(pk=found.pk).exists():
        raise PermissionDenied
    return found


def hand_over(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """Send the link by mail, or show it to the inviter where no mail leaves."""
    if not inviting.leaves_by_mail():
        done = reverse("people:index")
        return show_link(request, whom=invitation.email, link=invitation.link, done=done)
    inviting.send_invitation(invitation)
    words = _("An invitation is on its way to %(person)s.") % {"person": invitation.email}
    messages.success(request, words)
    return redirect("people:index")


def show_link(request: HttpRequest, *, whom: str, link: str, done: str) -> HttpResponse:
    return render(request, "people/link.html", {"person": whom, "link": link, "done": done})
