"""Views of preferences and of the first password."""

from typing import cast

from allauth.account.decorators import reauthentication_required
from allauth.usersessions.views import list_usersessions
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import SetPasswordForm
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import audit
from accounts.forms import FirstAdminForm, PreferencesForm
from accounts.models import FirstAdminLink, User
from accounts.password_links.invitations import invited


@require_POST
def preferences(request: HttpRequest) -> HttpResponse:
    """Keep how a person likes their screens; a script wants no page back."""
    form = PreferencesForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=422)
    form.save(user=cast(User, request.user))
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204)
    return redirect(back_to(request))


def back_to(request: HttpRequest) -> str:
    """The address in `next` if it is one of ours, else the first page."""
    address = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if ours else "/"


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def accept_invitation(request: HttpRequest) -> HttpResponse:
    """Choose the first password. Public: the token in the address says who is asking."""
    person = invited(request.GET.get("token", ""))
    if person is None:
        return render(request, "accounts/invitation_over.html", status=404)
    form = SetPasswordForm(person, request.POST or None)
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        context = {"form": form, "person": person}
        return render(request, "accounts/accept_invitation.html", context, status=status)
    form.save()
    audit.record(person, "accepted an invitation")
    messages.success(request, _("Your password is set. Sign in with it now."))
    return redirect("account_login")


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def first_admin(request: HttpRequest) -> HttpResponse:
    """Make the first account, which owns the installation. Public: the token is the key."""
    link = FirstAdminLink.objects.of_token(request.GET.get("token", ""), now=timezone.now())
    if link is None:
        return render(request, "accounts/first_admin_over.html", status=404)
    form = FirstAdminForm(request.POST or None, instance=User(is_owner=True))
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        return render(request, "accounts/first_admin.html", {"form": form}, status=status)
    with transaction.atomic():
        if not link.use():
            return render(request, "accounts/first_admin_over.html", status=404)
        audit.record(form.save(), "became the first admin")
    return form.sign_in(request, then=reverse("setup:guide"))


@require_safe
def closed(request: HttpRequest, key: str = "") -> HttpResponse:
    """Stand where the library would let people change addresses: an admin does that."""
    raise Http404


# Whoever finds a screen left open ends no sign-in of its owner elsewhere.
sessions = reauthentication_required(allow_get=True)(list_usersessions)
