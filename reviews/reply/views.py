"""Views of the reply: save the draft, suggest, send back, send, undo."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SignedInRequest
from lib.broker.worker_signals import notify_workers
from outbox import engine
from outbox import submit as outbox
from outbox.models import Intent
from outbox.registry import DecisionRefused
from outbox.tasks import work as send_what_is_due
from restaurants.access import can, require
from reviews import actions
from reviews.details.pages import REPLY, SUGGEST
from reviews.forms import DraftForm, RemarkForm, ReplyForm
from reviews.inbox.views import page
from reviews.models import Review, Stage, Work
from reviews.reply import workflow
from reviews.reply.pages import Editor
from reviews.reply.snapshot import ReviewChanged, UnseenText, find_unseen
from reviews.requests import detail_of, inbox_of, query_of, review_to_see


@require_POST
def draft(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Save the draft, and return the results of the checks."""
    review = review_to_write(request, uuid)
    form = DraftForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=400)
    data, now = form.cleaned_data, timezone.now()
    work_of(review)
    work, is_kept = workflow.save_draft(
        uuid, **_text(data), base=data["base"], by=request.user, now=now
    )
    if request.htmx.target != "draft":  # a button of the form, or a browser without script
        if not is_kept and work.stage == Stage.SENDING:
            messages.warning(request, _("The reply is on its way. Your text is kept aside."))
        return back(request, review)
    detail = detail_of(request, review, now=now)
    editor = Editor(detail, typed=data)
    context = {"detail": detail, "editor": editor, "is_kept": is_kept, "saved_at": now}
    return render(request, "reviews/_draft.html", context | {"base": data["base"]})


@require_POST
def presence(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Record that somebody is typing: others see it, and cannot send meanwhile."""
    work_of(review_to_write(request, uuid))
    workflow.is_writing(uuid, request.user, now=timezone.now())
    return HttpResponse(status=204)


@require_POST
def suggest(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Hand the draft to those who may send it."""
    review = review_to_write(request, uuid)
    return _go_on(request, review, is_sending=False)


@require_POST
def send(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Approve and send, after ten seconds in which it can be undone."""
    review = review_to_write(request, uuid)
    require(request, REPLY, review.restaurant)
    return _go_on(request, review, is_sending=True)


def _go_on(request: SignedInRequest, review: Review, *, is_sending: bool) -> HttpResponse:
    form = ReplyForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=400)
    data, now = form.cleaned_data, timezone.now()
    work_of(review)
    detail = detail_of(request, review, now=now)
    editor = Editor(detail, typed=data)
    editor.problem = problem_of(editor, data, is_sending=is_sending)
    if is_sending and (earlier := outbox.resent(str(data["key"]), actor=request.user)):
        if is_double_click(earlier, data):
            return forward(request, review, following=[])
        editor.problem = editor.problem or _("This form was sent before. Send it again from here.")
    if editor.problem:
        inbox = inbox_of(request, now=now)
        return page(request, inbox, review, is_opened=True, editor=editor, status=422)
    following = inbox_of(request, now=now).uuids
    try:
        submit_reply(request, review, data, is_sending=is_sending)
    except ReviewChanged:  # since the lines above: they find it now
        return _go_on(request, review_to_write(request, review.pk), is_sending=is_sending)
    except workflow.Superseded:
        messages.warning(request, _("Somebody else was faster: a reply is on its way already."))
    return forward(request, review, following=following if data["then"] else [])


def is_double_click(earlier: Intent, data: dict[str, Any]) -> bool:
    """Else somebody went back in the browser: after an undo, or to send another text."""
    is_undone = earlier.state == Intent.State.WITHDRAWN
    return not is_undone and earlier.payload.get("content") == data["text"]


def problem_of(editor: Editor, data: dict[str, Any], *, is_sending: bool) -> str:
    """Why the text may not be sent on, or "". Warnings need a confirmation."""
    detail = editor.detail
    if why_not := detail.why_not or (is_sending and detail.why_not_sent):
        return why_not
    if is_sending and (unseen := _unseen_in(editor, data)):
        editor.unseen = unseen
        return unseen.sentence
    if editor.blocks:
        return editor.blocks[0].sentence
    if editor.would_overwrite and not data["take_over"]:
        return _("%(person)s changed the draft meanwhile. Nothing was sent; yours is kept.") % {
            "person": detail.work.drafted_by
        }
    return _why_to_wait(editor, data) if is_sending else ""


def _unseen_in(editor: Editor, data: dict[str, Any]) -> UnseenText | None:
    return find_unseen(data["seen"], editor.review, editor.work, by=editor.detail.user)


def _why_to_wait(editor: Editor, data: dict[str, Any]) -> str:
    if editor.detail.writers and not data["take_over"]:
        names = ", ".join(str(person) for person in editor.detail.writers)
        return _("%(names)s is writing. Wait, or take over.") % {"names": names}
    if editor.warnings and not data["anyway"]:
        return _("Check it once more, then send it anyway.")
    return ""


def submit_reply(
    request: SignedInRequest, review: Review, data: dict[str, Any], *, is_sending: bool
) -> None:
    now = timezone.now()
    if not is_sending:
        workflow.suggest(review.pk, **_text(data), by=request.user, now=now)
        return
    with transaction.atomic():
        work = workflow.approve(review.pk, **_text(data), key=data["key"], by=request.user, now=now)
        if find_unseen(data["seen"], work.review, work, by=request.user):
            raise ReviewChanged
        outbox.submit(
            actions.REPLY,
            key=data["key"],
            kind="review",
            uuid=review.pk,
            restaurant=review.restaurant,
            actor=request.user,
            hold=actions.HOLD,
            payload={
                "content": data["text"],
                "language": data["language"] or None,
                "before": work.review.reply,
                "comment": work.review.comment,
            },
        )


@require_POST
def send_back(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Return a suggestion to its author, with a remark."""
    review = review_to_write(request, uuid)
    require(request, REPLY, review.restaurant)
    form = RemarkForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Say in a few words what should be different."))
        return back(request, review)
    try:
        workflow.send_back(
            uuid, remark=form.cleaned_data["remark"], by=request.user, now=timezone.now()
        )
    except (workflow.Superseded, Work.DoesNotExist):
        messages.warning(request, _("There is no suggestion any more."))
    return back(request, review)


@require_POST
def undo(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Undo a reply during its hold."""
    intent = intent_to_decide(request, key)
    engine.withdraw(intent, now=timezone.now())
    return redirect(address_of(request, intent.uuid))


@require_POST
def again(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Send a reply whose end is unknown once more."""
    intent = intent_to_decide(request, key)
    try:
        if engine.try_again(intent, now=timezone.now()):
            notify_workers(send_what_is_due)
    except DecisionRefused as refused:
        messages.warning(request, refused.sentence)
    return redirect(address_of(request, intent.uuid))


# --- What these share ----------------------------------------------------------------------------


def review_to_write(request: SignedInRequest, uuid: UUID) -> Review:
    review = review_to_see(request, uuid)
    if not may_write(request, review):
        raise PermissionDenied
    return review


def may_write(request: SignedInRequest, review: Review) -> bool:
    return any(can(request.user, right, review.restaurant) for right in (SUGGEST, REPLY))


def intent_to_decide(request: SignedInRequest, key: UUID) -> Intent:
    rows = Intent.objects.visible_to(request.user).filter(action=actions.REPLY)
    intent = get_object_or_404(rows.select_related("restaurant__group"), key=key)
    require(request, REPLY, intent.restaurant)
    return intent


def work_of(review: Review) -> None:
    """Create the work row if there is none, so that it can be locked."""
    if not Work.objects.filter(pk=review.pk).exists():
        workflow.create_work(review, now=timezone.now())


def _text(data: dict[str, Any]) -> dict[str, str]:
    return {"text": data["text"], "language": data["language"]}


def address_of(request: SignedInRequest, uuid: UUID | None) -> str:
    """The page of a review, with the queue and filters that the person came from."""
    here = reverse("reviews:show", args=[uuid]) if uuid else reverse("reviews:index")
    query = query_of(request)
    return f"{here}?{query}" if query else here


def back(request: SignedInRequest, review: Review) -> HttpResponse:
    return redirect(address_of(request, review.pk))


def forward(request: SignedInRequest, review: Review, *, following: list[UUID]) -> HttpResponse:
    """To the next review of the list, or to the same one."""
    after = workflow.next_after(following, review.pk) if following else None
    return redirect(address_of(request, after or review.pk))
