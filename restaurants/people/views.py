"""People: who signs in, with which role where."""

from typing import cast

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import audit
from accounts.models import User
from lib.web.fresh_sign_in import needs_fresh_sign_in_to_post as confirmed
from partner.models import Connection
from restaurants.access import can, require
from restaurants.emergency_access.models import KEPT, EmergencyAccess
from restaurants.invitations import sending
from restaurants.invitations.models import Invitation
from restaurants.people.forms import MembershipForm, OwnershipForm, SecondFactorForm
from restaurants.people.reach import (
    RIGHT,
    connections_to_own,
    is_run_by,
    memberships_run_by,
    memberships_visible_to,
    owns_with,
    people_visible_to,
    with_visible_roles,
    works_in,
)

OWNERS_RIGHT = "accounts.manage_owners"
FACTORS_RIGHT = "accounts.require_second_factor"


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    require(request, RIGHT)
    admin = cast(User, request.user)
    people = with_visible_roles(people_visible_to(admin, RIGHT), admin)
    emergency_accesses = EmergencyAccess.objects.visible_to(admin, RIGHT)
    waiting = Invitation.objects.open().run_by(admin).select_related("group", "restaurant")
    context = {
        "people": people.prefetch_related("authenticator_set"),
        "invitations": waiting,
        "emergency_accesses": emergency_accesses.select_related("person", "group")[:KEPT],
        "second_factor_forms": second_factor_forms(admin) if can(admin, FACTORS_RIGHT) else [],
    }
    return render(request, "people/index.html", context)


def second_factor_forms(owner: User) -> list[SecondFactorForm]:
    """One form for each connection of the owner; one before there is any."""
    mine = Connection.objects.current_ones().filter(pk__in=owner.owned_connection_ids)
    connections: list[Connection | None] = list(mine.order_by("name", "pk")) or [None]
    return [SecondFactorForm(connection=one) for one in connections]


@require_POST
@confirmed
def require_second_factor(request: HttpRequest) -> HttpResponse:
    """Choose the roles that must have a second factor, for owners: it holds at places of the
    connection that the address names."""
    require(request, FACTORS_RIGHT)
    named = request.GET.get("connection", "")
    offered = {str(form.pk or ""): form for form in second_factor_forms(cast(User, request.user))}
    if named not in offered:
        raise Http404
    form = SecondFactorForm(request.POST, connection=offered[named].connection)
    if form.is_valid():
        form.save()
        messages.success(request, _("Saved. Whoever has none yet sets one up at the next page."))
    return redirect("people:index")


@require_safe
def show(request: HttpRequest, pk: int) -> HttpResponse:
    person = reached(request, pk)
    admin = cast(User, request.user)
    run = set(memberships_run_by(admin).filter(user=person).values_list("pk", flat=True))
    context = {
        "person": person,
        "memberships": memberships_visible_to(admin).filter(user=person),
        "run": run,
        "is_run": is_run_by(person, admin),
        "may_make_owners": can(admin, OWNERS_RIGHT),
        "is_owner": owns_with(person, admin),
        "connections": connections_to_own(person, admin),
        "form": MembershipForm(admin=admin),
    }
    return render(request, "people/show.html", context)


@require_POST
@confirmed
def give_role(request: HttpRequest, pk: int) -> HttpResponse:
    person = reached(request, pk)
    if person == request.user and person.runs_instance:
        raise PermissionDenied  # the role that they took would outlive its time
    form = MembershipForm(request.POST, admin=cast(User, request.user))
    if not form.is_valid():
        context = {"person": person, "form": form}
        return render(request, "people/give_role.html", context, status=422)
    if not works_in(person, form.chosen_place):
        return offer_role(request, person=person, form=form)
    membership = form.give_to(person)
    messages.success(request, _("Added: %(role)s.") % {"role": membership})
    return back_to(request, person)


def offer_role(request: HttpRequest, *, person: User, form: MembershipForm) -> HttpResponse:
    """Invite a person to a group where they do not work yet, because its people would see them."""
    offer = form.offer_to(person.email, name=str(person), invited_by=cast(User, request.user))
    sending.send_invitation(offer)
    words = _("%(person)s is asked: the role is given with their yes.") % {"person": person}
    messages.success(request, words)
    return redirect("people:show", person.pk)


@require_POST
@confirmed
def take_role(request: HttpRequest, pk: int, membership: int) -> HttpResponse:
    person = reached(request, pk)
    admin = cast(User, request.user)
    held = get_object_or_404(memberships_visible_to(admin), pk=membership, user=person)
    if not memberships_run_by(admin).filter(pk=held.pk).exists():
        raise PermissionDenied
    held.delete()
    messages.success(request, _("Removed: %(role)s.") % {"role": held})
    return back_to(request, person)


def back_to(request: HttpRequest, person: User) -> HttpResponse:
    """The person's page, or the list when the admin lost sight of them."""
    people = people_visible_to(cast(User, request.user), RIGHT)
    if people.filter(pk=person.pk).exists():
        return redirect("people:show", person.pk)
    return redirect("people:index" if people.exists() else "/")


@require_POST
@confirmed
def make_owner(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a person decide about the chosen connections of this owner too."""
    person = reached(request, pk)
    require(request, OWNERS_RIGHT)
    if not person.is_active:
        raise PermissionDenied
    form = OwnershipForm(request.POST, owner=cast(User, request.user))
    if not form.is_valid():
        messages.warning(request, _("Nothing was changed. Choose the connections first."))
        return redirect("people:show", person.pk)
    person.make_owner(form.chosen)
    audit.record(cast(User, request.user), "made an owner", person)
    messages.success(
        request, _("%(person)s is an owner of the installation now.") % {"person": person}
    )
    return redirect("people:show", person.pk)


@require_POST
@confirmed
def end_ownership(request: HttpRequest, pk: int) -> HttpResponse:
    person = reached(request, pk)
    require(request, OWNERS_RIGHT)
    form = OwnershipForm(request.POST, owner=cast(User, request.user))
    if not form.is_valid():
        messages.warning(request, _("Nothing was changed. Choose the connections first."))
        return redirect("people:show", person.pk)
    ending = form.owned_by(person)
    # Before there is a connection it is the installation that is owned.
    if not ending and (form.chosen or not person.is_owner):
        words = _("Nothing was changed: %(person)s owns none of the chosen connections.")
        messages.warning(request, words % {"person": person})
    elif person.end_ownership(form.chosen):
        audit.record(cast(User, request.user), "ended an ownership", person)
        messages.success(request, _no_longer_owner(person, ending))
    else:
        words = _(
            "Nothing was changed: an installation has at least one owner. Make another first."
        )
        messages.warning(request, words)
    return redirect("people:show", person.pk)


def _no_longer_owner(person: User, ended: list[Connection]) -> str:
    """Names the connections that ended where others are left, whoever may see those."""
    if not person.is_owner:
        return _("%(person)s is no longer an owner of the installation.") % {"person": person}
    names = ", ".join(map(str, ended))
    words = _("%(person)s is no longer an owner of %(connections)s.")
    return words % {"person": person, "connections": names}


@require_POST
@confirmed
def deactivate(request: HttpRequest, pk: int) -> HttpResponse:
    """Deactivate a person; nobody can deactivate themselves."""
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
    """A person who works only at places of this admin."""
    person = reached(request, pk)
    if not is_run_by(person, cast(User, request.user)):
        raise PermissionDenied
    return person
