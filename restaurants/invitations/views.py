"""Views to invite people and to make links, and to answer an invitation.

The inviter learns nothing about the address; its person accepts or declines: signed in with an
account, or by the link as a new person.
"""

from hashlib import sha256
from typing import cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import SetPasswordForm
from django.core.cache import cache
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
from accounts.password_links.invitations import link_for
from accounts.requests import SignedInRequest
from lib.web.fresh_sign_in import needs_fresh_sign_in_to_post as confirmed
from restaurants.access import require
from restaurants.invitations import sending
from restaurants.invitations.models import Invitation
from restaurants.invitations.offers import RoleOffer, renew
from restaurants.people.forms import InvitationForm
from restaurants.people.reach import RIGHT
from restaurants.people.views import run_person

CHOSEN = "invitation-answered"  # key in the cache of a link whose person has just chosen a password
DOUBLE_CLICK = 60  # seconds


@require_safe
def mine(request: SignedInRequest) -> HttpResponse:
    """The pending invitations of this person."""
    if request.user.is_on_shared_device:
        raise PermissionDenied
    waiting = Invitation.objects.addressed_to(request.user)
    offers = RoleOffer.all_of(waiting.select_related("group", "restaurant", "invited_by"))
    return render(request, "invitations/mine.html", {"offers": offers})


@require_POST
def accept(request: SignedInRequest, key: UUID) -> HttpResponse:
    offer = offer_to(request.user, key)
    backed = offer.backed
    if not backed:
        offer.decline()
        messages.error(request, _("This invitation no longer holds. Ask for a new one."))
        return redirect("invitations:mine")
    given = str(RoleOffer(backed))
    with transaction.atomic():
        offer.accept(request.user)
    messages.success(request, _("You have the role now: %(role)s.") % {"role": given})
    return redirect("/")


def offer_to(user: User, key: UUID) -> RoleOffer:
    """What was offered to the person together with this invitation."""
    mine = Invitation.objects.addressed_to(user)
    found = get_object_or_404(mine, key=key)
    rows = found.together.filter(pk__in=mine.values("pk"))
    return RoleOffer(list(rows.select_related("group", "restaurant", "invited_by")))


@require_POST
def decline(request: SignedInRequest, key: UUID) -> HttpResponse:
    offer_to(request.user, key).decline()
    messages.info(request, _("Declined. Nobody sees anything of you there."))
    return redirect("invitations:mine")


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def open_link(request: HttpRequest) -> HttpResponse:
    """Redirect an account to its own page, and let a new or deactivated person choose a password.
    Public: the token in the address identifies the person."""
    token = request.GET.get("token", "")
    if request.method == "POST" and cache.get(chosen_key(token)):
        return redirect("account_login")
    offer = RoleOffer(list(Invitation.objects.of_token(token)))
    offer = RoleOffer(offer.backed)
    if not offer.rows or is_another(request, offer):
        return render(request, "accounts/invitation_over.html", status=404)
    person = offer.first.newcomer()
    if person is None:
        return lead_to_sign_in(request)
    return choose_password(request, offer, person=person)


def chosen_key(token: str) -> str:
    """A hash: a token may be of any length and hold what no table does, and it is a secret."""
    return f"{CHOSEN}:{sha256(token.encode()).hexdigest()}"


def is_another(request: HttpRequest, offer: RoleOffer) -> bool:
    """Whether somebody else is signed in here, such as whoever wrote the invitation."""
    user = request.user
    return isinstance(user, User) and user.email.lower() != offer.first.email


def lead_to_sign_in(request: HttpRequest) -> HttpResponse:
    answer_at = reverse("invitations:mine")
    if request.user.is_authenticated:
        return redirect(answer_at)
    return redirect(f"{reverse('account_login')}?{urlencode({'next': answer_at})}")


def choose_password(request: HttpRequest, offer: RoleOffer, *, person: User) -> HttpResponse:
    """Create the account, or open a deactivated one, when its person accepts, not before."""
    form = SetPasswordForm(person, request.POST or None)
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        context = {"form": form, "offer": offer}
        return render(request, "invitations/open.html", context, status=status)
    with transaction.atomic():
        # The other click of two was faster, or somebody reactivated the person meanwhile.
        if not offer.lock() or (person.pk and not lock_deactivated(person)):
            return redirect("account_login")
        form.save()
        offer.accept_anew(person)
    cache.set(chosen_key(request.GET["token"]), True, DOUBLE_CLICK)
    messages.success(request, _("Your password is set. Sign in with it now."))
    return redirect("account_login")


def lock_deactivated(person: User) -> bool:
    rows = User.objects.select_for_update().filter(pk=person.pk, is_active=False)
    return len(rows) == 1


@login_not_required
@require_POST
def refuse(request: HttpRequest) -> HttpResponse:
    """Decline without an account; people with one decline when signed in."""
    offer = RoleOffer(list(Invitation.objects.of_token(request.GET.get("token", ""))))
    if not offer.rows or is_another(request, offer) or not offer.first.newcomer():
        return render(request, "accounts/invitation_over.html", status=404)
    offer.decline()
    return render(request, "invitations/declined.html")


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
    offer = renew(run_invitation(request, key), by=cast(User, request.user))
    return hand_over(request, offer)


@require_POST
def withdraw(request: HttpRequest, key: UUID) -> HttpResponse:
    invitation = run_invitation(request, key)
    audit.record(cast(User, request.user), "withdrew an invitation", invitation.place)
    others = invitation.together.exclude(pk=invitation.pk).exists()
    invitation.delete()
    if others:
        words = _(
            "The invitation to %(place)s is withdrawn; its link still offers the other places."
        )
        messages.success(request, words % {"place": invitation.place})
    else:
        messages.success(request, _("The invitation is withdrawn; its link no longer works."))
    return redirect("people:index")


@require_POST
@confirmed
def renew_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a new link with which the person chooses a password."""
    person = run_person(request, pk)
    audit.record(cast(User, request.user), "made a sign-in link", person)
    link = link_for(person)
    if not sending.leaves_by_mail():
        done = reverse("people:show", args=[person.pk])
        return show_link(request, whom=str(person), link=link, done=done)
    sending.send_link(person, link)
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


def hand_over(request: HttpRequest, offer: RoleOffer) -> HttpResponse:
    """Send the link by mail, or show it to the inviter where no mail leaves."""
    invitation = offer.first
    if not sending.leaves_by_mail():
        done = reverse("people:index")
        return show_link(request, whom=invitation.email, link=invitation.link, done=done)
    sending.send_invitation(offer)
    words = _("An invitation is on its way to %(person)s.") % {"person": invitation.email}
    messages.success(request, words)
    return redirect("people:index")


def show_link(request: HttpRequest, *, whom: str, link: str, done: str) -> HttpResponse:
    return render(request, "people/link.html", {"person": whom, "link": link, "done": done})
