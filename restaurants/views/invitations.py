"""Views to answer an invitation: signed in with an account, or by the link as a new person."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import SetPasswordForm
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import audit
from accounts.models import User
from accounts.requests import SignedInRequest
from restaurants.invitation_models import Invitation


@require_safe
def mine(request: SignedInRequest) -> HttpResponse:
    """The pending invitations of this person."""
    if request.user.is_on_shared_device:
        raise PermissionDenied
    waiting = Invitation.objects.addressed_to(request.user)
    context = {"invitations": waiting.select_related("group", "restaurant", "invited_by")}
    return render(request, "invitations/mine.html", context)


@require_POST
def accept(request: SignedInRequest, key: UUID) -> HttpResponse:
    invitation = get_object_or_404(Invitation.objects.addressed_to(request.user), key=key)
    if not invitation.is_backed:
        invitation.delete()
        messages.error(request, _("This invitation no longer holds. Ask for a new one."))
        return redirect("invitations:mine")
    with transaction.atomic():
        invitation.accept(request.user)
        audit.record(request.user, "accepted an invitation", invitation.place)
    messages.success(request, _("You have the role now: %(role)s.") % {"role": invitation})
    return redirect("/")


@require_POST
def decline(request: SignedInRequest, key: UUID) -> HttpResponse:
    invitation = get_object_or_404(Invitation.objects.addressed_to(request.user), key=key)
    invitation.delete()
    messages.info(request, _("Declined. Nobody sees anything of you there."))
    return redirect("invitations:mine")


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def open_link(request: HttpRequest) -> HttpResponse:
    """Redirect an account to its own page, and let a new person choose a password. Public: the
    token in the address identifies the person."""
    invitation = Invitation.objects.of_token(request.GET.get("token", ""))
    if invitation is None or not invitation.is_backed or is_another(request, invitation):
        return render(request, "accounts/invitation_over.html", status=404)
    if invitation.person():
        return lead_to_sign_in(request)
    return choose_password(request, invitation)


def is_another(request: HttpRequest, invitation: Invitation) -> bool:
    """Whether somebody else is signed in here, such as whoever wrote the invitation."""
    user = request.user
    return isinstance(user, User) and user.email.lower() != invitation.email


def lead_to_sign_in(request: HttpRequest) -> HttpResponse:
    answer_at = reverse("invitations:mine")
    if request.user.is_authenticated:
        return redirect(answer_at)
    return redirect(f"{reverse('account_login')}?{urlencode({'next': answer_at})}")


def choose_password(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """Create the account when its person accepts, not before."""
    person = User(email=invitation.email, name=invitation.name)
    form = SetPasswordForm(person, request.POST or None)
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        context = {"form": form, "person": person, "invitation": invitation}
        return render(request, "invitations/open.html", context, status=status)
    with transaction.atomic():
        form.save()
        invitation.accept(person)
        audit.record(person, "accepted an invitation", invitation.place)
    messages.success(request, _("Your password is set. Sign in with it now."))
    return redirect("account_login")


@login_not_required
@require_POST
def refuse(request: HttpRequest) -> HttpResponse:
    """Decline without an account; people with one decline when signed in."""
    invitation = Invitation.objects.of_token(request.GET.get("token", ""))
    if invitation is None or is_another(request, invitation) or invitation.person():
        return render(request, "accounts/invitation_over.html", status=404)
    invitation.delete()
    return render(request, "invitations/declined.html")
