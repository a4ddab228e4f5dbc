"""Roles that must have a second factor, as an owner chose them on the page of people."""

from collections.abc import Iterable

from auditlog.registry import auditlog
from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from accounts.rights import Role
from lib.processes.short_cache import ShortCache
from partner.models import Connection


class SecondFactorRuleManager(models.Manager["SecondFactorRule"]):
    def require_of(self, roles: Iterable[str], *, connection: int | None) -> None:
        """Require it of these roles at places of the connection, and of no other.

        Row by row: the audit trail sees each.
        """
        wanted = set(roles)
        own = self.filter(connection=connection)
        with transaction.atomic():
            for rule in own.exclude(role__in=wanted):
                rule.delete()
            for role in wanted - set(own.values_list("role", flat=True)):
                self.create(role=role, connection_id=connection)
        CHOSEN.clear()


class SecondFactorRule(models.Model):
    role = models.CharField(max_length=16, choices=Role)
    # None only as long as there is no connection at all: then it holds everywhere.
    connection = models.ForeignKey(
        Connection, models.CASCADE, null=True, related_name="+", verbose_name=_("connection")
    )

    objects = SecondFactorRuleManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["role", "connection"], name="one_second_factor_rule")
        ]

    def __str__(self) -> str:
        return str(self.get_role_display())


RoleAt = tuple[str, int | None]  # a role, and the connection of its place


def _read() -> frozenset[RoleAt]:
    return frozenset(SecondFactorRule.objects.values_list("role", "connection"))


# Every page of a person without a second factor needs it.
CHOSEN: ShortCache[frozenset[RoleAt]] = ShortCache(_read, usual=frozenset())

auditlog.register(SecondFactorRule)
