"""One guest: the page, the reveal of contacts, the internal note, a fresh read."""

from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import audit, quotas
from accounts.models import User
from accounts.requests import SignedInRequest
from customers import requests
from customers.forms import InternalNoteForm
from customers.models import Customer, InternalNote, ProfileView
from customers.note_decisions.deciding import DecisionSubject, apply, follow_up_reading
from customers.note_decisions.forms import DecisionForm
from customers.personal_data import is_held_again
from customers.privacy import erasure
from customers.profile.pages import Profile
from customers.profile.panels import note_mentions
from customers.requests import guest_within_reach
from lib.web.htmx import part_of
from mirror.models import Mirrored
from restaurants.access import require
from restaurants.models import Restaurant

REVEAL = "customers.reveal_contact"
HEALTH = "customers.view_health"
GONE_FOR_EVER = 410
STALE = gettext_lazy("The note has changed meanwhile. Nothing was decided: read it again.")
# Rendered again with the contacts in full: the page, its panel, else the contacts of a booking.
REVEALED = {"": "customers/show.html", "contacts": "customers/_panel.html"}


@require_safe
def show(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Everything known about one guest, in the panels that the apps have registered."""
    guest = guest_within_reach(request, uuid)
    if guest.presence == Mirrored.Presence.ERASED:
        return _erased(request, guest)
    profile = Profile(guest, request.user, now=timezone.now())
    profile.in_full = request.GET.getlist("all")
    erasure.record_view(guest, request.user, ProfileView.What.OPENED, now=profile.now)
    return render(request, "customers/show.html", {"profile": profile, "guest": guest})


def _erased(request: SignedInRequest, guest: Customer) -> HttpResponse:
    """What was booked since the erasure can be erased as well, by those who may."""
    places = Restaurant.objects.filter(group=guest.group_id)
    may_erase = erasure.may_manage(request.user, places)
    is_back = may_erase and is_held_again(guest)
    context = {"guest": guest, "is_back": is_back}
    return render(request, "customers/erased.html", context, status=GONE_FOR_EVER)


@require_POST
def reveal(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Show the contacts in full once, and record it."""
    guest = guest_within_reach(request, uuid)
    require(request, REVEAL, group=guest.group)
    quotas.spend(request, "reveal")
    profile = Profile(guest, request.user, now=timezone.now(), is_revealed=True)
    erasure.record_view(guest, request.user, ProfileView.What.REVEALED, now=profile.now)
    details = {"guest": str(guest.pk)}
    audit.record(request.user, "revealed contacts", details=details, within=[guest.group])
    context = {"profile": profile, "guest": guest, "shown": profile.panel("contacts")}
    beside_booking = f"contacts-{guest.pk}"
    part = part_of(request, parts=(beside_booking,), default="contacts")
    if part == beside_booking:
        context = {"guest": guest, "shown": True}
    return render(request, REVEALED.get(part, "customers/_booking_contacts.html"), context)


@require_POST
def refresh(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Request a fresh copy of this guest."""
    guest = guest_within_reach(request, uuid)
    if why_not := requests.request_refresh(request, guest.pk, guest.group):
        messages.warning(request, why_not)
    else:
        messages.success(request, _("The profile is being read again."))
    return redirect(guest)


@require_POST
def decide_reading(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Confirm or dismiss what a note says of the guest, or take that back."""
    guest = guest_within_reach(request, uuid)
    require(request, HEALTH, group=guest.group)
    form = DecisionForm(request.POST)
    mentions = note_mentions(Profile(guest, request.user, now=timezone.now())) or []
    decidable = {digest for mention in mentions for digest in mention.digests}
    if form.is_valid() and form.cleaned_data["digest"] in decidable:
        subject = DecisionSubject(guest.pk, guest.group, is_of_guest=True)
        apply(form.cleaned_data, [subject], user=request.user)
    else:
        messages.warning(request, STALE)
    return redirect(guest)


@require_http_methods(["GET", "HEAD", "POST"])
def internal_note(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """The team's own note, stored only here."""
    guest = guest_within_reach(request, uuid)
    require(request, HEALTH, group=guest.group)
    if guest.presence == Mirrored.Presence.ERASED:
        return redirect(guest)
    note = InternalNote.objects.filter(pk=guest.pk).first()
    form = InternalNoteForm(request.POST or None, initial={"text": note.text if note else ""})
    if form.is_valid():
        _save_internal_note(guest, form.cleaned_data["text"], user=request.user)
        return redirect(guest)
    status = 422 if request.method == "POST" else 200
    return render(
        request, "customers/internal_note.html", {"form": form, "guest": guest}, status=status
    )


@transaction.atomic
def _save_internal_note(guest: Customer, text: str, *, user: User) -> None:
    """Boards and kitchen read it, too: an allergy may be written there only.

    Of a guest who was erased while somebody wrote nothing is kept.
    """
    held = Customer.objects.select_for_update().exclude(presence=Mirrored.Presence.ERASED)
    if not held.filter(pk=guest.pk).values_list("pk", flat=True).first():
        return
    facts = {"text": text, "changed_by": user, "changed_at": timezone.now()}
    InternalNote.objects.update_or_create(pk=guest.pk, defaults=facts)
    follow_up_reading(DecisionSubject(guest.pk, guest.group, is_of_guest=True))
