"""Invitations: a role that waits for the yes of the person it is offered to."""

from datetime import datetime, timedelta
from typing import Self
from uuid import uuid4

from django.conf import settings
from django.core import signing
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.rights import Role
from restaurants.models import Group, Membership, Restaurant
from restaurants.people.giving import give_role
from restaurants.people.reach import at_places_of

SALT = "restaurants.invitations"
LIFETIME = timedelta(days=7)


def default_expiry() -> datetime:
    return timezone.now() + LIFETIME


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> Self:
        return self.filter(expires_at__gt=timezone.now())

    def visible_to(self, user: User) -> Self:
        """Those to places within reach; what they say is for those who run the place."""
        return self.filter(
            Q(group__in=Group.objects.visible_to(user))
            | Q(restaurant__in=Restaurant.objects.visible_to(user))
            | at_places_of(user)
        )

    def run_by(self, user: User) -> Self:
        """Those to places where the person manages people."""
        return self.filter(at_places_of(user))

    def addressed_to(self, user: User) -> Self:
        """Nobody answers for another person, so not on a device that several share."""
        if user.is_on_shared_device:
            return self.none()
        return self.open().filter(email__iexact=user.email)

    def of_token(self, token: str) -> Self:
        """Those that a link was made for, unless it is forged, too old or answered."""
        try:
            key = signing.Signer(salt=SALT).unsign(token)
        except signing.BadSignature:
            return self.none()
        of_link = Q(batch=key) | Q(batch=None, key=key)
        return self.open().select_related("group", "restaurant", "invited_by").filter(of_link)


class Invitation(models.Model):
    """A role offered to an e-mail address. Whether it has an account is not looked up before the
    answer, so that inviting reveals nothing about anybody."""

    key = models.UUIDField(unique=True, default=uuid4)
    # Rows that were offered together, one for each place: one link, one answer. Empty for one.
    batch = models.UUIDField(null=True)
    email = models.EmailField(_("e-mail address"))
    name = models.CharField(_("name"), max_length=120)
    group = models.ForeignKey(Group, models.CASCADE, null=True, related_name="+")
    restaurant = models.ForeignKey(Restaurant, models.CASCADE, null=True, related_name="+")
    role = models.CharField(_("role"), max_length=16, choices=Role)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    expires_at = models.DateTimeField(_("ends"), default=default_expiry)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["email", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(group__isnull=True) ^ Q(restaurant__isnull=True),
                name="invitation_is_to_a_group_or_to_a_restaurant",
            ),
            models.UniqueConstraint(
                fields=["email", "group"], name="one_invitation_per_address_and_group"
            ),
            models.UniqueConstraint(
                fields=["email", "restaurant"], name="one_invitation_per_address_and_restaurant"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_role_display()} · {self.place}"

    @property
    def place(self) -> Group | Restaurant:
        return self.group or self.restaurant  # type: ignore[return-value]  # one of them is set

    @property
    def link(self) -> str:
        """The address that answers it and what was offered together with it. Whoever holds it may
        choose a new person's password."""
        token = signing.Signer(salt=SALT).sign(str(self.batch or self.key))  # the row knows its end
        return f"{settings.PUBLIC_URL}{reverse('invitations:open')}?token={token}"

    @property
    def is_backed(self) -> bool:
        """Whether the inviter may still give roles there; otherwise a yes comes too late."""
        inviter = self.invited_by
        mine = Invitation.objects.filter(pk=self.pk)
        return inviter.is_active and mine.run_by(inviter).exists()

    def person(self) -> User | None:
        """The account of the address, deactivated or not."""
        return User.objects.filter(email__iexact=self.email).first()

    def newcomer(self) -> User | None:
        """Whom the link lets choose a password: somebody new, or whose account was deactivated.

        None: a person with an account signs in, and what a deactivated owner or superuser could do
        again is decided by an owner.
        """
        person = self.person()
        if person is None:
            return User(email=self.email, name=self.name)
        is_above = person.is_owner or person.is_superuser or person.is_staff
        return None if person.is_active or is_above else person

    @property
    def together(self) -> InvitationQuerySet:
        """What was offered together with it, itself included."""
        if self.batch is None:
            return Invitation.objects.filter(pk=self.pk)
        return Invitation.objects.filter(batch=self.batch)

    def accept(self, person: User) -> Membership:
        membership = give_role(person, role=self.role, group=self.group, restaurant=self.restaurant)
        self.delete()
        return membership
