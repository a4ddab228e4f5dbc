"""Sending invitations and links: by mail through the queue, or shown to whoever may send them."""

from collections.abc import Iterable
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from accounts import audit
from accounts.mail import mail_queue
from accounts.models import User
from accounts.rights import Role
from accounts.tasks import send_mails
from lib.broker.worker_signals import notify_workers
from restaurants.invitations.models import Invitation, default_expiry
from restaurants.invitations.offers import RoleOffer
from restaurants.models import Group, Restaurant

# Mail backends that send nothing: the admin passes the link on.
NO_MAIL = {
    "django.core.mail.backends.console.EmailBackend",
    "django.core.mail.backends.dummy.EmailBackend",
}


def invite_to_all(
    email: str,
    *,
    name: str,
    places: Iterable[Group | Restaurant],
    role: Role,
    invited_by: User,
) -> RoleOffer:
    """Offer a role at several places, with one link."""
    places = list(places)
    batch = uuid4() if len(places) > 1 else None
    with transaction.atomic():
        rows = [
            invite(email, name=name, place=place, role=role, invited_by=invited_by, batch=batch)
            for place in places
        ]
    return RoleOffer(rows)


def invite(
    email: str,
    *,
    name: str,
    place: Group | Restaurant,
    role: Role,
    invited_by: User,
    batch: UUID | None = None,
) -> Invitation:
    """Offer a role. A pending invitation to the same place is replaced, and its link ends there.

    So is one of a second click at the same moment: both are answered, and the later link holds.
    """
    group = place if isinstance(place, Group) else None
    restaurant = place if isinstance(place, Restaurant) else None
    Invitation.objects.filter(email=email, group=group, restaurant=restaurant).delete()
    offer = {
        "key": uuid4(),
        "name": name,
        "role": role,
        "batch": batch,
        "invited_by": invited_by,
        "expires_at": default_expiry(),
    }
    invitation, _made = Invitation.objects.update_or_create(
        email=email, group=group, restaurant=restaurant, defaults=offer
    )
    audit.record(invited_by, "invited a person", place, {"role": role})
    return invitation


def leaves_by_mail() -> bool:
    return settings.EMAIL_BACKEND not in NO_MAIL


def send_invitation(offer: RoleOffer) -> None:
    facts = {"offer": offer, "invitation": offer.first, "link": offer.first.link}
    body = render_to_string("people/invitation.txt", facts)
    send(offer.first.email, subject=_("Couvert: your invitation"), body=body)


def send_link(person: User, link: str) -> None:
    body = render_to_string("people/password_link.txt", {"person": person, "link": link})
    send(person.email, subject=_("Couvert: choose a password"), body=body)


def send(email: str, *, subject: str, body: str) -> None:
    """Queue a mail for the worker, so that a slow mail server delays no page."""
    mail_queue.enqueue(email, subject=subject, body=body)
    notify_workers(send_mails)
