"""After an upgrade no finding shows an object of the program."""

from importlib import import_module

import pytest
from django.apps import apps
from django.utils import timezone

from mirror.models import Drift

pytestmark = pytest.mark.django_db


def test_it_works():
    now = timezone.now()
    for finding in (
        "DriftItem(kind='unknown word', path='reservationChannel', word='(text)')",
        "DriftItem(kind='naive time', path='createdAt', word='')",
        "unknown field: loyalty",
    ):
        Drift.objects.create(
            kind="reservation", finding=finding, first_seen_at=now, last_seen_at=now
        )
    import_module("mirror.migrations.0018_findings_in_words").delete_objects(apps, None)

    assert [row.finding for row in Drift.objects.all()] == ["unknown field: loyalty"]
