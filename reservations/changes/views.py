"""Views that change, note or cancel a booking, and undo, repeat or show an intent."""

from typing import Any
from uuid import UUID, uuid4, uuid5

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import SignedInRequest
from lib.broker.worker_signals import notify_workers
from lib.web.htmx import render_part
from outbox import engine
from outbox import submit as outbox
from outbox.models import Intent, say
from outbox.refusals import RefusedField, refused_change, show_refusal
from outbox.tasks import work
from reservations import actions
from reservations.actions.cancelling import HOLD
from reservations.changes.forms import CancelForm, ChangeForm, NoteForm, pack_snapshot, state_of
from reservations.changes.pages.permissions import ReservationPermissions
from reservations.changes.pages.picker import Picker
from reservations.changes.pages.summaries import CHANGE_RIGHT, ChangeSummary, right_of
from reservations.models import Reservation
from restaurants.access import require

ACTIONS = [action.name for action in actions.OWN_ACTIONS]
# Results of an intent that conflicted with a colleague's change.
KEPT_THEIRS = _("The other change was kept.")
UNDONE_BEFORE = _("This form was sent before and undone. Nothing was sent now: open it again.")
# A booking with an unknown outcome, which somebody has looked up.
FOUND_THERE = _("%(person)s found it in the service. Nothing more is sent.")
APPLIED_AGAIN = _("Sent again, on top of the other change.")


@require_http_methods(["GET", "HEAD", "POST"])
def change(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Pick another time or size, see the difference, confirm."""
    reservation = booking_to_change(request, uuid)
    if is_resent(request):
        return redirect("reservations:show", uuid=uuid)
    form = ChangeForm(request.POST or None, reservation=reservation)
    if request.method == "POST" and form.is_valid():
        submit_change(request, reservation, form.cleaned_data)
        return redirect("reservations:show", uuid=uuid)
    picker = Picker(reservation, request.POST or request.GET)
    refused = refused_change_of(request, reservation)
    shown = {"picker": picker, "refused": refused and RefusedField.of(refused)}
    return part(request, "reservations/change.html", reservation, form=form, **shown)


@require_http_methods(["GET", "HEAD", "POST"])
def note(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    reservation = booking_to_change(request, uuid)
    if is_resent(request):
        return redirect("reservations:show", uuid=uuid)
    form = NoteForm(request.POST or None, reservation=reservation)
    if request.method == "POST" and form.is_valid():
        submit_change(request, reservation, form.cleaned_data)
        return redirect("reservations:show", uuid=uuid)
    if request.method != "POST" and (refused := refused_change_of(request, reservation)):
        form = refused_note(refused, reservation)
    return part(request, "reservations/note.html", reservation, form=form)


@require_http_methods(["GET", "HEAD", "POST"])
def cancel(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Explain what a cancellation does, then hold it for eight seconds."""
    reservation = booking_to_change(request, uuid)
    if is_resent(request):
        return redirect("reservations:show", uuid=uuid)
    form = CancelForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        about = {"uuid": uuid, "restaurant": reservation.restaurant, "actor": request.user}
        held = {"payload": {}, "hold": HOLD, "reason": data["reason"]}
        outbox.submit(actions.CANCEL, key=data["key"], kind="reservation", **about, **held)
        return redirect("reservations:show", uuid=uuid)
    return part(request, "reservations/cancel.html", reservation, form=form)


@require_safe
def sent_changes(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """The intents about a booking, as a fragment that is read again when one of them changes."""
    rows = Reservation.objects.visible_to(request.user).select_related("restaurant")
    reservation = get_object_or_404(rows, uuid=uuid)
    permissions = ReservationPermissions(reservation, request.user, now=timezone.now())
    context = {"permissions": permissions, "row": reservation}
    with timezone.override(reservation.restaurant.zone):
        return render(request, "reservations/_sent_changes.html", context)


@require_safe
def form_facts(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Which booking an opened form is about, and whether it changed `since` the form was read."""
    rows = Reservation.objects.visible_to(request.user).select_related("restaurant", "customer")
    reservation = get_object_or_404(rows, uuid=uuid)
    permissions = ReservationPermissions(reservation, request.user, now=timezone.now())
    is_changed = str(reservation.version) != request.GET.get("since", "")
    why_not = permissions.why_not or permissions.why_not_moved
    form = {"is_changed": is_changed, "is_cancelling": "cancel" in request.GET}
    context = {"row": reservation, "why_not": why_not} | form
    with timezone.override(reservation.restaurant.zone):
        return render(request, "reservations/_change_facts.html", context)


@require_POST
def undo(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Withdraw an intent before it is sent."""
    intent = intent_to_decide(request, key)
    engine.withdraw(intent, now=timezone.now())  # unless it was sent already, which its state shows
    return back_from(request, intent)


@require_POST
def again(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Send an intent again with an unknown outcome, or after a colleague's change."""
    intent = intent_to_decide(request, key)
    if ChangeSummary(intent).can_apply_again:
        apply_again(request, intent)
    elif engine.try_again(intent, now=timezone.now()):
        notify_workers(work)
    return back_from(request, intent)


@require_POST
def found(request: SignedInRequest, key: UUID) -> HttpResponse:
    """End the question whether a new booking went through: the person sees it in the service."""
    intent = intent_to_decide(request, key)
    if ChangeSummary(intent).can_be_found:
        engine.end_as_found(intent, message=say(FOUND_THERE, person=str(request.user)))
    return back_from(request, intent)


@require_POST
def keep(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Keep a colleague's change, or leave a refused one: the mark goes, nothing is sent."""
    intent = intent_to_decide(request, key)
    if ChangeSummary(intent).can_apply_again:
        engine.answer(intent, message=say(KEPT_THEIRS))
    elif ChangeSummary(intent).can_be_acknowledged:
        engine.answer(intent, message=intent.message)
    return back_from(request, intent)


def refused_change_of(request: SignedInRequest, reservation: Reservation) -> Intent | None:
    """The refused change of this booking that the address names."""
    key = request.GET.get("correct", "")
    intent = refused_change(key, action=actions.UPDATE, user=request.user) if key else None
    return intent if intent and intent.uuid == reservation.pk else None


def refused_note(intent: Intent, reservation: Reservation) -> NoteForm:
    """The form with the refused note, and the reason at the field."""
    note = intent.payload["changes"].get("restaurant_note", reservation.restaurant_note) or ""
    data = {"key": uuid4(), "seen": pack_snapshot(reservation), "note": note}
    form = NoteForm(data, reservation=reservation)
    form.errors.clear()
    show_refusal(form, intent, names={"restaurant_note": "note"})
    return form


def is_resent(request: SignedInRequest) -> bool:
    """Whether the form was sent before, whatever the booking is like by now.

    If that change was undone, a person who went back in the browser learns that nothing is sent.
    """
    earlier = outbox.resent(request.POST.get("key", ""), actor=request.user)
    if earlier is not None and earlier.state == Intent.State.WITHDRAWN:
        messages.warning(request, str(UNDONE_BEFORE))
    return earlier is not None


def booking_to_change(request: SignedInRequest, uuid: UUID) -> Reservation:
    rows = Reservation.objects.visible_to(request.user).select_related(
        "restaurant__group", "customer"
    )
    reservation = get_object_or_404(rows, uuid=uuid)
    require(request, CHANGE_RIGHT, reservation.restaurant)
    return reservation


def intent_to_decide(request: SignedInRequest, key: UUID) -> Intent:
    """An intent of these actions: a reply, or a milestone, needs another right."""
    rows = Intent.objects.visible_to(request.user).filter(action__in=ACTIONS)
    intent = get_object_or_404(rows.select_related("restaurant__group"), key=key)
    require(request, right_of(intent), intent.restaurant)
    return intent


def submit_change(request: SignedInRequest, reservation: Reservation, data: dict[str, Any]) -> None:
    outbox.submit(
        actions.UPDATE,
        key=data["key"],
        kind="reservation",
        uuid=reservation.uuid,
        restaurant=reservation.restaurant,
        payload={"changes": data["changes"], "base": data["seen"]},
        actor=request.user,
    )


def apply_again(request: SignedInRequest, intent: Intent) -> None:
    """Submit the same change based on the booking as it is now."""
    reservation = get_object_or_404(
        Reservation.objects.visible_to(request.user).select_related("restaurant__group"),
        uuid=intent.uuid,
    )
    with transaction.atomic():
        if not engine.answer(intent, message=say(APPLIED_AGAIN)):
            return  # a second click, or its guest was erased
        data = {"changes": intent.payload["changes"], "seen": state_of(reservation)}
        submit_change(request, reservation, data | {"key": uuid5(intent.key, "again")})


def back_from(request: SignedInRequest, intent: Intent) -> HttpResponse:
    """Redirect to the booking, where the person may see it, else to the page of the change."""
    rows = Reservation.objects.visible_to(request.user)
    if intent.kind == "reservation" and intent.uuid and rows.filter(uuid=intent.uuid).exists():
        return redirect("reservations:show", uuid=intent.uuid)
    return redirect("reservations:sent_change", key=intent.key)


def is_titled(request: SignedInRequest) -> bool:
    """Whether the page around the form shows the form's own title already."""
    try:
        around = request.htmx.current_url_abs_path if request.htmx else request.path
    except ValueError:  # a header that is no address
        around = None
    return (around or "").partition("?")[0] == request.path


def part(
    request: SignedInRequest, template: str, reservation: Reservation, *, form: Any, **more: Any
) -> HttpResponse:
    """The page of a form, or its fragment in the drawer; 422 with errors."""
    context = {
        "row": reservation,
        "permissions": ReservationPermissions(reservation, request.user, now=timezone.now()),
        "form": form,
        "key": request.POST.get("key") or uuid4(),
        "seen": pack_snapshot(reservation),
        "is_meanwhile": form.has_error("__all__", "meanwhile"),
        "is_titled": is_titled(request),
    }
    with timezone.override(reservation.restaurant.zone):
        response = render_part(request, template, context | more, parts=(), default="drawer")
    response.status_code = 422 if form.errors and request.method == "POST" else 200
    return response
