"""One example for every word in angle brackets of an address, for the walk of all URLs.

An example is an object of Harbour Group, so that Charlie of Hill Group must never find it. Keys
are `namespace.kwarg`, or `namespace:view.kwarg` where one view means something else.
"""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.utils import timezone

from customers.testing import make_customer
from customers.testing import make_saved_view as make_saved_list
from insights.day_notes.testing import make_day_note
from live.push.testing import make_push_device, unreachable
from mirror.models import Job
from partner.models import Connection
from phone.testing import make_call
from pos.testing import make_logo
from reservations.testing import make_intent, make_printed_briefing, make_reservation
from restaurants.models import Group
from restaurants.testing import (
    Cast,
    make_emergency_access,
    make_invitation,
    make_offline_device,
)
from reviews.testing import make_reply_intent, make_review, make_saved_reply, make_saved_view
from webhooks.testing import delivery

DAY = date(2026, 1, 17)
EXAMPLES: dict[str, Callable[[Cast], Any]] = {
    "restaurants.uuid": lambda cast: cast.quay.uuid,
    "restaurants:add.uuid": lambda cast: cast.harbour.uuid,
    "restaurants:find.uuid": lambda cast: cast.harbour.uuid,
    "restaurants:edit_group.uuid": lambda cast: cast.harbour.uuid,
    "restaurants:move.uuid": lambda cast: cast.harbour.uuid,
    "people.pk": lambda cast: cast.alice.pk,
    "people.membership": lambda cast: cast.alice.memberships.get().pk,
    "people.key": lambda cast: make_invitation("fay@example.org", cast.quay, cast.alice).key,
    "invitations.key": lambda cast: make_invitation(cast.alice.email, cast.quay, cast.dora).key,
    "customers.uuid": lambda cast: make_customer(cast.harbour).uuid,
    "customers:open_view.uuid": lambda cast: make_saved_list(cast.alice, cast.harbour).uuid,
    "customers:edit_view.uuid": lambda cast: make_saved_list(cast.alice, cast.harbour).uuid,
    "customers:delete_view.uuid": lambda cast: make_saved_list(cast.alice, cast.harbour).uuid,
    "push.pk": lambda cast: make_push_device(cast.alice, unreachable(), now=timezone.now()).pk,
    "reservations:feed.uuid": lambda cast: cast.quay.uuid,
    "reservations:make_feed.uuid": lambda cast: cast.quay.uuid,
    "reservations:revoke_feed.uuid": lambda cast: cast.quay.uuid,
    "reservations.uuid": lambda cast: make_reservation(cast.quay).uuid,
    "reservations.number": lambda cast: make_printed_briefing(cast.quay, DAY, cast.alice).pk,
    "outbox.key": lambda cast: make_intent(cast.quay).key,
    "reservations:before_changes.rest": lambda cast: f"{make_intent(cast.quay).key}/",
    "reservations.key": lambda cast: make_intent(cast.quay).key,
    "emergency_access.pk": lambda cast: make_emergency_access(cast.harbour).pk,
    "offline_devices.pk": lambda cast: make_offline_device(cast.quay).pk,
    "partner.pk": lambda cast: connection_of(cast.harbour),
    "pos.pk": lambda cast: make_logo(connection=cast_connection(cast)).pk,
    "phone.uuid": lambda cast: make_call(cast.quay).uuid,
    "telephone.uuid": lambda cast: cast.quay.uuid,
    "reviews:edit_reply.pk": lambda cast: make_saved_reply(cast.harbour).pk,
    "reviews:delete_reply.pk": lambda cast: make_saved_reply(cast.harbour).pk,
    "reviews:delete_view.pk": lambda cast: make_saved_view(cast.alice).pk,
    "reviews:rules.uuid": lambda cast: cast.harbour.uuid,
    "reviews.uuid": lambda cast: make_review(cast.quay).uuid,
    "reviews:before_changes.rest": lambda cast: f"{make_reply_intent(cast.quay).key}/undo/",
    "reviews.key": lambda cast: make_reply_intent(cast.quay).key,
    "mirror.pk": lambda cast: a_backfill().pk,
    "mirror.verb": lambda cast: "pause",
    "calendar.pk": lambda cast: make_day_note(cast.harbour).pk,
    "insights.uuid": lambda cast: cast.quay.uuid,
    "tour.name": lambda cast: "late-party",
    "insights.slug": lambda cast: "fullness",
    "webhooks.pk": lambda cast: delivery(b"{").pk,
    "accounts.person": lambda cast: cast.alice.pk,
    "mfa_remove_webauthn.pk": lambda cast: 1,
    "mfa_edit_webauthn.pk": lambda cast: 1,
    "account_confirm_email.key": lambda cast: "x",  # closed to everybody
    "account_reset_password_from_key.uidb36": lambda cast: "x",
    "account_reset_password_from_key.key": lambda cast: "set-password",
}

# Views that anybody may open; every other one asks for a sign-in.
PUBLIC = {
    "reservations:feed",  # with the token of its address
    "account_login",
    "account_logout",
    "account_inactive",
    "account_signup",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "account_confirm_login_code",
    "accounts:accept_invitation",
    "accounts:first_admin",
    "invitations:open",  # with the token of its address
    "invitations:refuse",
    "mfa_authenticate",
    "mfa_login_webauthn",
    "web_app:manifest",
    "web_app:service_worker",
}

# Addresses with a word in angle brackets that names no object of a group.
OF_NO_GROUP = {
    "tour:play",  # a step; the demo alone has them
    "tour:show",
    "insights:show",  # a question; the answer is of the asker's own restaurants
    "insights:export_csv",
    "insights:export_xlsx",
    "reservations:before_changes",  # leads on to the address of today, which answers
    "reservations:before_sent_changes",
    "reviews:before_changes",
    "accounts:take_over",  # a colleague on this very device
    "account_reset_password_from_key",
}


# Apps whose objects belong to the installation as a whole: without the right, 403 for everybody.
INSTALLATION_WIDE = {
    "emergency_access",
    "mirror",
    "outbox",
    "partner",
    "pos",
    "telephone",
    "webhooks",
}


def cast_connection(cast: Cast) -> Connection | None:
    return Group.objects.get(pk=cast.harbour.pk).connection


def connection_of(group: Group) -> int:
    """The key of its connection; where there is none, that of nothing."""
    return Group.objects.get(pk=group.pk).connection_id or 1


def a_backfill() -> Job:
    day = date(2026, 6, 1)
    return Job.objects.create(
        purpose=Job.Purpose.BACKFILL, since=day, until=day, started_at=timezone.now()
    )


def example(view: str, kwarg: str, *, cast: Cast) -> Any:
    namespace = view.split(":")[0]
    for key in (f"{view}.{kwarg}", f"{namespace}.{kwarg}"):
        if key in EXAMPLES:
            return EXAMPLES[key](cast)
    pytest.fail(
        f"“{view}” has a word “{kwarg}” in its address that the walk of all URLs does not know: "
        f"add an object of Harbour Group as “{namespace}.{kwarg}” to tests/url_examples.py.",
        pytrace=False,
    )
