"""Reads a provisioning file into entries, and collects every fault with its line."""

import tomllib
from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.forms.models import model_to_dict
from django.utils.translation import gettext as _

from partner.models import Connection, PosIdentity
from restaurants.models import Group, Period, Restaurant
from restaurants.places.forms import GroupForm, RestaurantForm, ServicePeriodForm, check_starts
from restaurants.provisioning.entries import (
    FileFault,
    FileFaults,
    OwnerEntry,
    OwnerForm,
    PosForm,
    ProvisionedConnectionForm,
    ProvisioningEntry,
)
from restaurants.provisioning.toml_lines import Path, find_lines

STAYS = ["stay_up_to_2", "stay_up_to_4", "stay_up_to_6", "stay_larger"]


class Reader:
    """Turns the text of a file into entries and faults."""

    def __init__(self, text: str) -> None:
        self.faults: list[FileFault] = []
        self.lines = find_lines(text)
        self.uuids: dict[Any, Path] = {}
        self.connections: list[Connection] = []
        self.tables = self.parse(text)

    def parse(self, text: str) -> dict[str, Any]:
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            line = getattr(error, "lineno", 0) or line_in(str(error))
            sentence = _("This is not TOML: %(error)s.") % {"error": error}
            raise FileFaults([FileFault(line, "", sentence)]) from error

    def read(self) -> list[ProvisioningEntry | OwnerEntry]:
        for name in self.tables.keys() - {"connection", "pos", "owner", "group"}:
            self.fault((name,), _("There is no such table or key."))
        connections = list(self.read_connections())
        self.connections = [*(entry.row for entry in connections), *_others(connections)]
        entries: list[ProvisioningEntry | OwnerEntry]
        entries = [*connections, *self.read_pos(), *self.read_groups(), *self.read_owners()]
        if not self.tables:
            self.fault((), _("The file is empty."))
        if self.faults:
            raise FileFaults(self.faults)
        return entries

    def fault(self, path: Path, sentence: str) -> None:
        key = ".".join(part for part in path if isinstance(part, str))
        self.faults.append(FileFault(self.lines.find(path), key, sentence))

    # The tables

    def read_connections(self) -> Iterator[ProvisioningEntry]:
        names: dict[str, Path] = {}
        for path, given in self.tables_of("connection"):
            entry = self.entry(
                "connection",
                path,
                given,
                form=ProvisionedConnectionForm,
                row=self.stored_connection(path, given),
            )
            self.claim_connection(entry, names)
            yield entry

    def stored_connection(self, path: Path, given: dict[str, Any]) -> Connection:
        """The stored row of a table: that of its name, or without a list the only one."""
        stored = list(Connection.objects.current_ones())
        if len(path) == 1 and len(stored) <= 1:
            return stored[0] if stored else Connection()
        found = [one for one in stored if one.name == given.get("name")]
        if "name" not in given:
            self.fault(path, _("Several connections are parted by their names: write name = “…”."))
        elif len(found) > 1:
            self.fault((*path, "name"), _("Several connections have this name."))
        elif not found and len(path) == 1:
            self.fault(path, _("To add one to several, write it as [[connection]]."))
        return found[0] if found else Connection()

    def claim_connection(self, entry: ProvisioningEntry, names: dict[str, Path]) -> None:
        """Refuse a name, a client or a webhook token that another table of the file has."""
        data = entry.form.cleaned_data
        client = [str(data.get(key)) for key in ("auth_url", "audience", "client_id")]
        claims = {"name": data.get("name"), "client_id": client, "webhook_token": ""}
        claims["webhook_token"] = data.get("webhook_token")
        for key, value in claims.items():
            claim = f"{key} {value}"
            if value and claim in names:
                line = self.lines.find((*names[claim], key))
                words = _("Another connection has the same on line %(line)d.") % {"line": line}
                self.fault((*entry.path, key), words)
            names.setdefault(claim, entry.path)

    def read_pos(self) -> Iterator[ProvisioningEntry]:
        for path, given in self.tables_of("pos"):
            connection = self.connection_of(path, given, is_needed=True)
            stored = PosIdentity.objects.filter(connection=connection and connection.pk).first()
            row = stored or PosIdentity(connection=connection)
            yield self.entry("pos", path, given, form=PosForm, row=row)

    def read_owners(self) -> Iterator[OwnerEntry]:
        for path, given in self.array(("owner",), self.tables.get("owner", [])):
            connection = self.connection_of(path, given, is_needed=True)
            form = OwnerForm(given)
            for key in given.keys() - form.fields.keys():
                self.fault((*path, key), _("There is no such key."))
            for key, errors in form.errors.items():
                self.fault((*path, key), " ".join(str(error) for error in errors))
            if connection and form.is_valid():
                yield OwnerEntry(form.person(), connection)

    def connection_of(
        self, path: Path, given: dict[str, Any], *, is_needed: bool
    ) -> Connection | None:
        """The connection that a table names; where it names none, the only one."""
        name = given.pop("connection", None)
        if name is None and len(self.connections) > 1 and is_needed:
            self.fault(path, _("Several connections: write connection = “…”."))
        if name is None:
            return self.connections[0] if len(self.connections) == 1 else None
        found = [one for one in self.connections if one.name == name]
        if len(found) != 1:
            words = _("“%(name)s” does not name one connection.") % {"name": name}
            self.fault((*path, "connection"), words)
        return found[0] if len(found) == 1 else None

    def read_groups(self) -> Iterator[ProvisioningEntry]:
        for path, given in self.array(("group",), self.tables.get("group", [])):
            restaurants = given.pop("restaurant", [])
            row = known(Group, given.get("uuid"))
            self.place_group(row, path, given)
            entry = self.entry("group", path, given, form=GroupForm, row=row)
            self.claim_uuid(entry)
            entry.restaurants = list(self.read_restaurants(entry, restaurants))
            yield entry

    def place_group(self, row: Group, path: Path, given: dict[str, Any]) -> None:
        """Give a new group to the connection it names. A stored one moves by another command."""
        is_named = "connection" in given
        connection = self.connection_of(path, given, is_needed=row.pk is None)
        if row.connection_id is None:
            row.connection = connection
        elif is_named and connection and connection.pk != row.connection_id:
            words = _("This group belongs to another connection: use manage.py partner move.")
            self.fault((*path, "connection"), words)

    def read_restaurants(
        self, group: ProvisioningEntry, tables: Any
    ) -> Iterator[ProvisioningEntry]:
        for path, given in self.array((*group.path, "restaurant"), tables):
            periods = self.read_periods(path, given.pop("service_periods", None))
            self.spread_stays(path, given)
            row = known(Restaurant, given.get("uuid"))
            if row.pk and not group.form.errors and row.group_id != group.form.instance.pk:
                self.fault((*path, "uuid"), _("This restaurant belongs to another group."))
            entry = self.entry("restaurant", path, given, form=RestaurantForm, row=row)
            entry.periods = periods
            self.claim_uuid(entry)
            yield entry

    # Their parts

    def tables_of(self, name: str) -> Iterator[tuple[Path, dict[str, Any]]]:
        """A table that may be written once, or as a list of tables."""
        tables = self.tables.get(name)
        if isinstance(tables, dict):
            yield (name,), dict(tables)
        elif isinstance(tables, list):
            yield from self.array((name,), tables)
        elif tables is not None:
            self.fault((name,), _("Write it as a table: [%(name)s].") % {"name": name})

    def array(self, path: Path, tables: Any) -> Iterator[tuple[Path, dict[str, Any]]]:
        if isinstance(tables, list) and all(isinstance(table, dict) for table in tables):
            for index, table in enumerate(tables):
                yield (*path, index), dict(table)
            return
        name = ".".join(part for part in path if isinstance(part, str))
        self.fault(path, _("Write it as a list of tables: [[%(name)s]].") % {"name": name})

    def entry(
        self,
        kind: str,
        path: Path,
        given: dict[str, Any],
        *,
        form: "type[forms.ModelForm[Any]]",
        row: models.Model,
    ) -> ProvisioningEntry:
        before = model_to_dict(row, fields=form.base_fields) if row.pk else {}
        data = model_to_dict(row, fields=form.base_fields) | given
        entry = ProvisioningEntry(kind=kind, path=path, given=given, form=form(data, instance=row))
        entry.before = before
        for key, value in given.items():
            if key not in form.base_fields:
                self.fault((*path, key), _("There is no such key."))
            elif isinstance(value, list | dict):
                self.fault((*path, key), _("Write a single value."))
        for key, errors in entry.form.errors.items():
            where = path if key == "__all__" else (*path, key)
            self.fault(where, " ".join(str(error) for error in errors))
        return entry

    def claim_uuid(self, entry: ProvisioningEntry) -> None:
        uuid = entry.form.cleaned_data.get("uuid")
        if uuid is None:
            return
        if uuid in self.uuids:
            line = self.lines.find((*self.uuids[uuid], "uuid"))
            self.fault(
                (*entry.path, "uuid"), _("This uuid is used on line %(line)d.") % {"line": line}
            )
        self.uuids.setdefault(uuid, entry.path)

    def read_periods(self, path: Path, tables: Any) -> list[Period] | None:
        """The service periods of a restaurant; None leaves those that are stored."""
        if tables is None:
            return None
        path = (*path, "service_periods")
        checked = [ServicePeriodForm(table) for _path, table in self.array(path, tables)]
        for form in checked:
            for key, errors in form.errors.items():
                self.fault(path, f"{key}: {' '.join(str(error) for error in errors)}")
        periods = [period for form in checked if form.is_valid() for period in form.periods()]
        try:
            check_starts(periods)
        except ValidationError as error:
            self.fault(path, " ".join(error.messages))
        return periods

    def spread_stays(self, path: Path, given: dict[str, Any]) -> None:
        """Read `stay_minutes = [90, 105, 120, 150]`: up to 2, up to 4, up to 6 guests, more."""
        minutes = given.pop("stay_minutes", None)
        if minutes is None:
            return
        if not isinstance(minutes, list) or len(minutes) != len(STAYS):
            self.fault((*path, "stay_minutes"), _("Write four numbers of minutes."))
            return
        given.update(zip(STAYS, minutes, strict=True))


def _others(entries: list[ProvisioningEntry]) -> list[Connection]:
    """The stored connections that the file does not name."""
    named = [one.row.pk for one in entries if one.row.pk]
    return list(Connection.objects.current_ones().exclude(pk__in=named))


def known(model: type[models.Model], uuid: Any) -> Any:
    """The stored row of a uuid, or a new one when there is none or the uuid is no uuid."""
    try:
        found = model._default_manager.filter(uuid=uuid).first()
    except ValidationError:
        found = None
    return found or model()


def line_in(message: str) -> int:
    """Find the line in the parser's message, its only source before Python 3.14."""
    _before, _word, rest = message.partition("at line ")
    digits = rest.split(",")[0]
    return int(digits) if digits.isdigit() else 1
