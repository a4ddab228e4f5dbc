"""Making something happen: what guests, staff and moderators do, each with its events."""

from collections.abc import Callable
from typing import Any

from partner_sandbox.happenings import evening, guests, happening, opinions
from partner_sandbox.happenings.happening import Happening
from partner_sandbox.service import SandboxService

MOST_AT_ONCE = 5000
Act = Callable[[Happening], dict[str, Any] | None]

HAPPENINGS: dict[str, Act] = {
    "new_booking": guests.new_booking,
    "walk_in": guests.walk_in,
    "late_party": guests.late_party,
    "change": guests.change,
    "cancel": guests.cancel,
    "answer_request": guests.answer_request,
    "change_customer": guests.change_customer,
    "forget_customer": guests.forget_customer,
    "arrive": evening.arrive,
    "partly_arrive": evening.partly_arrive,
    "seat": evening.seat,
    "bill": evening.ask_bill,
    "leave": evening.leave,
    "no_show": evening.no_show,
    "review": opinions.review,
    "publish_comment": opinions.publish_comment,
    "unpublish_comment": opinions.unpublish_comment,
    "invalidate_review": opinions.invalidate_review,
    "moderate_comment": opinions.moderate_comment,
    "moderate_reply": opinions.moderate_reply,
    "end_reformulation": opinions.end_reformulation,
    "close_restaurant": happening.close_restaurant,
    "open_restaurant": happening.open_restaurant,
}


def happen(
    service: SandboxService, what: str, options: dict[str, Any], count: int = 1
) -> list[Any]:
    """Do it, in one short transaction each; stops early when there is nothing left to do it to."""
    act = HAPPENINGS[what]
    done: list[Any] = []
    for _ in range(min(count, MOST_AT_ONCE)):
        with service.store.writing() as db:
            result = act(Happening(service, db, options, service.clock.now()))
        if result is None:
            break
        done.append({"what": what, **result})
    return done
