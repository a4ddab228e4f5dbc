"""Mails the owners when an address that receives the installation's credentials changes.

It compares the stored rows, so that a change by page, file or shell is noticed alike.
"""

from typing import Any

from django.conf import settings
from django.db.models import Model, QuerySet
from django.utils import translation
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts.mail import mail_queue
from accounts.models import User
from lib.labels import labelled
from partner.models import Connection, PosIdentity

ADDRESSES: dict[type[Model], tuple[str, ...]] = {
    Connection: ("base_url", "auth_url"),
    PosIdentity: ("base_url",),
}


def note_addresses(sender: type[Model], instance: Model, **_options: Any) -> None:
    """Remember the stored addresses before the row is written. One query."""
    names = ADDRESSES[sender]
    stored = sender._default_manager.filter(pk=instance.pk).values(*names).first()
    instance._addresses_before = stored  # type: ignore[attr-defined]


def tell_owners(sender: type[Model], instance: Model, **_options: Any) -> None:
    before = getattr(instance, "_addresses_before", None) or {}
    changes = [
        (capfirst(label_of(sender, name)), f"{old} → {getattr(instance, name)}")
        for name, old in before.items()
        if old != getattr(instance, name)
    ]
    if changes:
        for owner in owners_of(instance):
            with translation.override(owner.language or settings.LANGUAGE_CODE):
                subject = _("Couvert: an address was changed")
                mail_queue.enqueue(owner.email, subject=subject, body=body_of(changes))


def owners_of(row: Model) -> QuerySet[User]:
    """The owners of the connection, or of that of the identity."""
    connection = row.pk if isinstance(row, Connection) else getattr(row, "connection_id", None)
    owners = User.objects.owners()
    return owners.filter(owned_connections=connection) if connection else owners


def label_of(model: type[Model], name: str) -> str:
    return str(getattr(model._meta.get_field(name), "verbose_name", name))


def body_of(changes: list[tuple[str, str]]) -> str:
    first = _("An address to which this installation sends its credentials was changed:")
    last = _(
        "If no owner meant this, sign in, put the address back and ask the service for a new "
        "secret. The audit trail under Setup names who changed it."
    )
    return "\n\n".join([first, "\n".join(labelled(*change) for change in changes), last]) + "\n"
