"""Roles that must have a second factor, as an owner chose them on the page of people."""

from collections.abc import Iterable

from auditlog.registry import auditlog
from django.db import models, transaction

from accounts.rights import Role
from lib.processes.short_cache import ShortCache


class SecondFactorRuleManager(models.Manager["SecondFactorRule"]):
    def require_of(self, roles: Iterable[str]) -> None:
        """Require it of these roles and of no other. Row by row: the audit trail sees each."""
        wanted = set(roles)
        with transaction.atomic():
            for rule in self.exclude(role__in=wanted):
                rule.delete()
            for role in wanted:
                self.get_or_create(role=role)
        CHOSEN.forget()


class SecondFactorRule(models.Model):
    role = models.CharField(max_length=16, choices=Role, unique=True)

    objects = SecondFactorRuleManager()

    def __str__(self) -> str:
        return str(self.get_role_display())


def _read() -> frozenset[str]:
    return frozenset(SecondFactorRule.objects.values_list("role", flat=True))


# Every page of a person without a second factor needs it.
CHOSEN: ShortCache[frozenset[str]] = ShortCache(_read, usual=frozenset())

auditlog.register(SecondFactorRule)
