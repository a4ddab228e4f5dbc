"""Counts of unseen alerts in the menus."""

from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from lib.database.compiled_queries import COUNT, CountQuery, prepared
from restaurants.shell import Shell
from reviews.models.alerts import VIEW, ReviewAlert, ReviewAlertQuerySet


def low(shell: Shell) -> CountQuery | None:
    return _count_unseen(shell.user, ReviewAlert.Kind.LOW)


def assigned(shell: Shell) -> CountQuery | None:
    return _count_unseen(shell.user, ReviewAlert.Kind.ASSIGNED)


def _count_unseen(user: User | AnonymousUser, kind: ReviewAlert.Kind) -> CountQuery | None:
    if not isinstance(user, User) or user.is_barred_from(VIEW):
        return None
    return _unseen.about(user.pk, str(kind))


@prepared
def _unseen(user_id: int, kind: str) -> Any:
    return _unseen_count(ReviewAlert.objects.visible_to(User(pk=user_id)), kind)


def _unseen_count(alerts: ReviewAlertQuerySet, kind: str) -> Any:
    return alerts.unseen().filter(kind=kind).order_by().values_list(COUNT)
