"""Provisions connections, groups and restaurants from a TOML file through the admin's forms.

Reading collects every fault before anything is written; writing is one transaction. What the
file does not name stays as it is, so a second run finds nothing to do.
"""

from collections.abc import Iterator

from django.db import transaction

from accounts.models import User
from partner.models import Connection
from restaurants.places import colours
from restaurants.provisioning.entries import (
    OwnerEntry,
    ProvisioningEntry,
    ProvisioningResult,
)
from restaurants.provisioning.reading import Reader


def provision(text: str) -> list[ProvisioningResult]:
    """Apply the file to the database. Raises `FileFaults` without any change."""
    with transaction.atomic():
        return [outcome for entry in Reader(text).read() for outcome in write(entry)]


def plan(text: str) -> list[ProvisioningResult]:
    """Return what `provision` would do, with old and new values. Writes nothing."""
    return [outcome for entry in Reader(text).read() for outcome in foresee(entry)]


def foresee(entry: ProvisioningEntry | OwnerEntry) -> Iterator[ProvisioningResult]:
    if isinstance(entry, OwnerEntry):
        yield result_of_owner(entry, is_new=entry.is_new)
        return
    yield result_of(entry, changes=[*entry.differences, *periods_to_change(entry)])
    for restaurant in entry.restaurants:
        yield from foresee(restaurant)


def periods_to_change(entry: ProvisioningEntry) -> list[str]:
    if entry.periods is None or entry.is_new:
        return []
    stored = {period.as_tuple() for period in entry.row.service_periods.all()}
    return [] if stored == set(entry.periods) else ["service_periods"]


def write(entry: ProvisioningEntry | OwnerEntry) -> Iterator[ProvisioningResult]:
    if isinstance(entry, OwnerEntry):
        yield write_owner(entry)
        return
    yield write_row(entry)
    for restaurant in entry.restaurants:
        restaurant.form.instance.group = entry.form.instance
        if restaurant.is_new and "colour" not in restaurant.given:
            restaurant.form.instance.colour = colours.least_used()
        yield write_row(restaurant)


def write_owner(entry: OwnerEntry) -> ProvisioningResult:
    is_new = entry.is_new
    if entry.person._state.adding:
        entry.person = person_of(entry.person)
    if is_new:
        entry.person.make_owner([entry.connection.pk])
    return result_of_owner(entry, is_new=is_new)


def person_of(new: User) -> User:
    """The account of an address that nobody had; of two tables of one person the first made it."""
    made = User.objects.filter(email=new.email).first()
    return made or User.objects.create_user(new.email, name=new.name)


def write_row(entry: ProvisioningEntry) -> ProvisioningResult:
    changes = entry.changes
    if entry.is_new or changes:
        save(entry, changes=changes)
    row = entry.form.instance
    if entry.periods is not None and row.set_service_periods(entry.periods):
        changes = [*changes, "service_periods"]
    return result_of(entry, changes=changes)


def result_of(entry: ProvisioningEntry, *, changes: list[str]) -> ProvisioningResult:
    verb = "created" if entry.is_new else "changed" if changes else "left"
    return ProvisioningResult(verb=verb, kind=entry.kind, name=str(entry.row), changes=changes)


def result_of_owner(entry: OwnerEntry, *, is_new: bool) -> ProvisioningResult:
    name = f"{entry.person.email} of {entry.connection}"
    verb = "created" if is_new else "left"
    return ProvisioningResult(verb=verb, kind="owner", name=name, changes=[])


def save(entry: ProvisioningEntry, *, changes: list[str]) -> None:
    """Save a row; a new webhook token of a stored connection overlaps with the old one."""
    row = entry.form.instance
    if isinstance(row, Connection) and not entry.is_new:
        stored = Connection.objects.get(pk=row.pk)
        if "webhook_token" in changes:
            row.webhook_token = stored.webhook_token
            row.rotate_webhook_token(entry.form.cleaned_data["webhook_token"])
        if "client_secret" in changes:
            row.client_secret = stored.client_secret
            row.set_client_secret(entry.form.cleaned_data["client_secret"])
    row.save()
