"""An offer: a role at one place or at several, with one link and one answer."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Self
from uuid import uuid4

from django.db import transaction

from accounts import audit
from accounts.models import User
from restaurants.invitations.models import Invitation, default_expiry


@dataclass(frozen=True)
class RoleOffer:
    """Invitations of one batch: at least one, all with the same role and address."""

    rows: list[Invitation]

    @classmethod
    def all_of(cls, invitations: Iterable[Invitation]) -> list[Self]:
        """One offer for each batch."""
        rows = sorted(invitations, key=lambda one: (str(one.batch or one.key), one.pk))
        return [cls(list(some)) for _key, some in groupby(rows, lambda one: one.batch or one.key)]

    def __str__(self) -> str:
        places = ", ".join(str(one.place) for one in self.rows)
        return f"{self.first.get_role_display()} · {places}"

    @property
    def first(self) -> Invitation:
        return self.rows[0]

    @property
    def backed(self) -> list[Invitation]:
        """The rows whose inviter may still give roles there."""
        return [one for one in self.rows if one.is_backed]

    def lock(self) -> bool:
        """Keep other answers out until the transaction ends. False once it has been answered."""
        rows = Invitation.objects.select_for_update().filter(pk__in=[one.pk for one in self.rows])
        return len(rows) == len(self.rows)

    def accept(self, person: User) -> None:
        """Give the person each role that is still backed; the other rows end."""
        backed = self.backed
        for one in backed:
            audit.record(person, "accepted an invitation", one.place)
            one.accept(person)
        Invitation.objects.filter(
            pk__in=[one.pk for one in self.rows if one not in backed]
        ).delete()

    def accept_anew(self, person: User) -> None:
        """Give the roles to a person without an account, or open a deactivated one for them alone.

        Its former roles end: whoever deactivated the person decides about those. So do the saved
        lists, whose filters may name guests of the former places; what is shared stays there.
        """
        for one in person.memberships.all():
            one.delete()
        person.saved_views.filter(group=None).delete()
        person.saved_review_views.all().delete()
        self.accept(person)
        if not person.is_active:
            person.reactivate()

    def decline(self) -> None:
        Invitation.objects.filter(pk__in=[one.pk for one in self.rows]).delete()


def renew(invitation: Invitation, *, by: User) -> RoleOffer:
    """Offer it for another week, with what was offered together with it at places of this person.

    What else was offered keeps the old link: an answer to the new one gives nothing at places where
    this person may not invite. Where no mail leaves it is shown to them, and whoever chooses the
    password of a new account by it may answer the other invitations too (docs/people.md).
    """
    with transaction.atomic():
        mine = [one.pk for one in invitation.together.run_by(by)]
        rows = Invitation.objects.filter(pk__in=mine)
        if invitation.together.exclude(pk__in=mine).exists():
            rows.update(batch=uuid4())
        rows.update(expires_at=default_expiry())
    return RoleOffer(list(rows.select_related("group", "restaurant", "invited_by")))
