"""People: who signs in, with which role where."""

from collections.abc import Callable
from typing import TypeVar, cast

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import audit
from accounts.invitations import link_for
from accounts.models import User
from accounts.post import Post
from restaurants.access import require
from restaurants.forms import InvitationForm, MembershipForm
from restaurants.models import Membership
from restaurants.people import RIGHT, is_run_by, memberships_run_by, people_visible_to

# Mail that goes nowhere: the admin hands the link over in another way.
NO_MAIL = {
    "django.core.mail.backends.console.EmailBackend",
    "django.core.mail.backends.dummy.EmailBackend",
}

View = TypeVar("View", bound=Callable[..., HttpResponse])


def confirmed(view: View) -> View:
    """Who gives roles says again who they are: a screen left open is not enough."""
    return cast(View, reauthentication_required(allow_get=True)(view))


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    require(request, RIGHT)
    people = people_visible_to(cast(User, request.user), RIGHT).prefetch_related(
        "memberships__group", "memberships__restaurant", "authenticator_set"
    )
    return render(request, "people/index.html", {"people": people})


@require_http_methods(["GET", "HEAD", "POST"])
@confirmed
def invite(request: HttpRequest) -> HttpResponse:
    """Invite a person by mail; one who is known already just gets the role."""
    require(request, RIGHT)
    form = InvitationForm(request.POST or None, admin=cast(User, request.user))
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        return render(request, "people/invite.html", {"form": form}, status=status)
    email, name = form.cleaned_data["email"], form.cleaned_data["name"]
    with transaction.atomic():
        person = User.objects.filter(email=email).first()
        is_new = person is None
        person = person or User.objects.create_user(email, name=name)
        form.give_to(person)
    if is_new:
        return hand_over_link(request, person=person)
    messages.success(request, _("%(person)s has the role now.") % {"person": person})
    return redirect("people:show", person.pk)


@require_safe
def show(request: HttpRequest, pk: int) -> HttpResponse:
    person = reached(request, pk)
    admin = cast(User, request.user)
    run = set(memberships_run_by(admin).filter(user=person).values_list("pk", flat=True))
    context = {
        "person": person,
        "memberships": person.memberships.select_related("group", "restaurant"),
        "run": run,
        "is_run": is_run_by(person, admin),
        "form": MembershipForm(admin=admin),
    }
    return render(request, "people/show.html", context)


@require_POST
@confirmed
def give_role(request: HttpRequest, pk: int) -> HttpResponse:
    person = reached(request, pk)
    form = MembershipForm(request.POST, admin=cast(User, request.user))
    if not form.is_valid():
        context = {"person": person, "form": form}
        return render(request, "people/give_role.html", context, status=422)
    membership = form.give_to(person)
    messages.success(request, _("Given: %(role)s.") % {"role": membership})
    return redirect("people:show", person.pk)


@require_POST
@confirmed
def take_role(request: HttpRequest, pk: int, membership: int) -> HttpResponse:
    person = reached(request, pk)
    held = get_object_or_404(Membership, pk=membership, user=person)
    if not memberships_run_by(cast(User, request.user)).filter(pk=held.pk).exists():
        raise PermissionDenied
    held.delete()
    messages.success(request, _("Taken away: %(role)s.") % {"role": held})
    still_visible = people_visible_to(cast(User, request.user), RIGHT).filter(pk=pk).exists()
    return redirect("people:show", pk) if still_visible else redirect("people:index")


@require_POST
@confirmed
def renew_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a new link with which the person chooses a password."""
    person = run_person(request, pk)
    audit.record(cast(User, request.user), "made a sign-in link", person)
    return hand_over_link(request, person=person)


@require_POST
@confirmed
def deactivate(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep a person out from now on. Nobody does it to themselves by mistake."""
    person = run_person(request, pk)
    if person == request.user:
        raise PermissionDenied
    person.deactivate()
    messages.success(request, _("%(person)s is signed out everywhere.") % {"person": person})
    return redirect("people:show", person.pk)


@require_POST
@confirmed
def reactivate(request: HttpRequest, pk: int) -> HttpResponse:
    person = run_person(request, pk)
    person.reactivate()
    messages.success(request, _("%(person)s may sign in again.") % {"person": person})
    return redirect("people:show", person.pk)


def reached(request: HttpRequest, pk: int) -> User:
    """A person within sight, for somebody who manages people where that person works."""
    user = cast(User, request.user)
    person = get_object_or_404(people_visible_to(user), pk=pk)
    if not people_visible_to(user, RIGHT).filter(pk=pk).exists():
        raise PermissionDenied
    return person


def run_person(request: HttpRequest, pk: int) -> User:
    """A person who answers to this admin alone."""
    person = reached(request, pk)
    if not is_run_by(person, cast(User, request.user)):
        raise PermissionDenied
    return person


def hand_over_link(request: HttpRequest, *, person: User) -> HttpResponse:
    """Send the link by mail, or show it once to the admin when no mail leaves."""
    link = link_for(person)
    facts = {"person": person, "link": link}
    if settings.EMAIL_BACKEND in NO_MAIL:
        return render(request, "people/link.html", facts)
    body = render_to_string("people/invitation.txt", facts)
    if not Post().send(person, _("Couvert: your invitation"), body):
        return render(request, "people/link.html", facts)
    messages.success(request, _("An invitation is on its way to %(person)s.") % {"person": person})
    return redirect("people:show", person.pk)
