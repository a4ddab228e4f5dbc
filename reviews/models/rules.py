"""What a group has decided about its reviews."""

from datetime import timedelta
from decimal import Decimal

from auditlog.registry import auditlog
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from restaurants.models import Group


class Rules(models.Model):
    """How fast a group answers, and from which rating on it wants to be notified."""

    group = models.OneToOneField(
        Group, models.CASCADE, primary_key=True, related_name="review_rules"
    )
    target_hours = models.PositiveSmallIntegerField(
        _("answer within (hours)"),
        default=72,
        validators=[MinValueValidator(1), MaxValueValidator(720)],
    )
    low_rating = models.DecimalField(
        _("a rating is low up to"),
        max_digits=3,
        decimal_places=1,
        default=Decimal(6),
        validators=[MinValueValidator(0), MaxValueValidator(10)],
        help_text=_("Low ratings are marked, and whoever wants it gets an alert at once."),
    )

    def __str__(self) -> str:
        return f"{self.group}: {self.target_hours} h"

    @property
    def target(self) -> timedelta:
        return timedelta(hours=self.target_hours)


# Of a group that has decided nothing.
DEFAULT_RULES = Rules()

auditlog.register(Rules)
