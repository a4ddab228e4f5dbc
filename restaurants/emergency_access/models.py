"""Roles that superusers gave themselves: for which reason, until when."""

from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import IntegrityError, models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.rights import Role
from restaurants.models import Group, Membership

RIGHT = "restaurants.take_emergency_access"
KEPT = 20  # lines below the list of people


class EmergencyAccessQuerySet(models.QuerySet["EmergencyAccess"]):
    def visible_to(self, user: User, permission: str) -> Self:
        """Those to groups where the person holds the permission for the group as a whole, and
        those to groups of their connections for owners."""
        run = Group.objects.run_by(user, permission)
        return self.filter(Q(group__in=run) | Q(group__in=Group.objects.owned_by(user)))

    def running(self) -> Self:
        return self.filter(ended_at=None)

    def end_due(self, *, now: datetime) -> int:
        """End those whose time is over; return how many."""
        due = self.running().filter(ends_at__lte=now).select_related("membership")
        return sum(access.end(now=now) for access in due)


class EmergencyAccess(models.Model):
    """A role of a superuser in one group, which ends by itself. The row stays."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    group = models.ForeignKey(
        Group, models.CASCADE, related_name="emergency_accesses", verbose_name=_("group")
    )
    role = models.CharField(_("role"), max_length=16, choices=Role, default=Role.STAFF)
    reason = models.CharField(_("reason"), max_length=200)
    began_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    membership = models.OneToOneField(Membership, models.SET_NULL, null=True, related_name="+")

    objects = EmergencyAccessQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            # What has to end: read at every page of a superuser, and by the worker.
            models.Index(
                fields=["person"], condition=Q(ended_at__isnull=True), name="emergency_running"
            )
        ]

    def __str__(self) -> str:
        return f"{self.person} · {self.get_role_display()} · {self.group}"

    def begin(self) -> bool:
        """Give the person the role. Of two begun at once in one group one succeeds."""
        try:
            with transaction.atomic():
                self.membership = Membership.objects.create(
                    user=self.person, group=self.group, role=self.role
                )
                self.save()
        except IntegrityError:
            return False
        return True

    def end(self, *, now: datetime) -> bool:
        """Take the role away. Of two ends at once one succeeds."""
        with transaction.atomic():
            running = EmergencyAccess.objects.running().filter(pk=self.pk)
            is_mine = bool(running.update(ended_at=now))
            if is_mine and self.membership:
                self.membership.delete()
        return is_mine
