"""Provisions a connection, groups and restaurants from a TOML file through the admin's forms.

Reading collects every fault before anything is written; writing is one transaction. What the
file does not name stays as it is, so a second run finds nothing to do.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.forms.models import model_to_dict
from django.utils.translation import gettext as _

from partner.models import Connection, PosIdentity
from partner.setup_pages.forms import AddressField
from restaurants.models import Group, Period, Restaurant
from restaurants.places import colours
from restaurants.places.forms import (
    GroupForm,
    RestaurantForm,
    ServicePeriodForm,
    UuidField,
    check_starts,
)
from restaurants.provisioning.toml_lines import Path, find_lines

STAYS = ["stay_up_to_2", "stay_up_to_4", "stay_up_to_6", "stay_larger"]


@dataclass(frozen=True)
class FileFault:
    line: int
    key: str
    sentence: str

    def __str__(self) -> str:
        place = f"{self.key}: " if self.key else ""
        return f"line {self.line}: {place}{self.sentence}"


class FileFaults(Exception):
    """The file has faults, and nothing was changed."""

    def __init__(self, faults: list[FileFault]) -> None:
        super().__init__(f"{len(faults)} faults")
        self.faults = sorted(faults, key=lambda fault: fault.line)


def one_word(token: str) -> None:
    """Refuse white space, which is invisible in an address and has two encodings there."""
    if token.split() != [token]:
        raise ValidationError(_("A token holds no space."))


class ProvisionedConnectionForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    base_url = AddressField()
    auth_url = AddressField()
    client_secret = forms.CharField(strip=False)
    webhook_token = forms.CharField(
        min_length=8, max_length=200, required=False, validators=[one_word]
    )

    class Meta:
        model = Connection
        fields = [
            "name",
            "base_url",
            "auth_url",
            "audience",
            "client_id",
            "client_secret",
            "host_app_name",
            "requests_per_minute",
            "webhook_token",
        ]


class PosForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    base_url = AddressField()
    api_key = forms.CharField(strip=False)
    uuid = UuidField()

    class Meta:
        model = PosIdentity
        fields = ["base_url", "api_key", "uuid"]


@dataclass
class ProvisioningEntry:
    """One table of the file, merged with the stored row that it describes."""

    kind: str
    path: Path
    given: dict[str, Any]
    form: "forms.ModelForm[Any]"
    periods: list[Period] | None = None
    restaurants: list["ProvisioningEntry"] = field(default_factory=list)
    before: dict[str, Any] = field(default_factory=dict)

    @property
    def is_new(self) -> bool:
        return not self.before

    @property
    def changes(self) -> list[str]:
        """The names, never the values, of the fields that the file changes."""
        data = self.form.cleaned_data
        return [key for key in self.given if key in data and data[key] != self.before.get(key)]


@dataclass(frozen=True)
class ProvisioningResult:
    """The result of one table of the file."""

    verb: str
    kind: str
    name: str
    changes: list[str]

    def __str__(self) -> str:
        what = f": {', '.join(self.changes)}" if self.verb == "changed" else ""
        return f"{self.verb:<8} {self.kind} {self.name}{what}"


class Reader:
    """Turns the text of a file into entries and faults."""

    def __init__(self, text: str) -> None:
        self.faults: list[FileFault] = []
        self.lines = find_lines(text)
        self.uuids: dict[Any, Path] = {}
        self.tables = self.parse(text)

    def parse(self, text: str) -> dict[str, Any]:
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            line = getattr(error, "lineno", 0) or line_in(str(error))
            sentence = _("This is not TOML: %(error)s.") % {"error": error}
            raise FileFaults([FileFault(line, "", sentence)]) from error

    def read(self) -> list[ProvisioningEntry]:
        for name in self.tables.keys() - {"connection", "pos", "group"}:
            self.fault((name,), _("There is no such table or key."))
        entries = [*self.read_connection(), *self.read_pos(), *self.read_groups()]
        if not self.tables:
            self.fault((), _("The file is empty."))
        if self.faults:
            raise FileFaults(self.faults)
        return entries

    def fault(self, path: Path, sentence: str) -> None:
        key = ".".join(part for part in path if isinstance(part, str))
        self.faults.append(FileFault(self.lines.find(path), key, sentence))

    # The three tables

    def read_connection(self) -> Iterator[ProvisioningEntry]:
        for path, given in self.table("connection"):
            row = _only_connection() or Connection()
            yield self.entry("connection", path, given, form=ProvisionedConnectionForm, row=row)

    def read_pos(self) -> Iterator[ProvisioningEntry]:
        for path, given in self.table("pos"):
            row = PosIdentity.objects.first() or PosIdentity()
            yield self.entry("pos", path, given, form=PosForm, row=row)

    def read_groups(self) -> Iterator[ProvisioningEntry]:
        for path, given in self.array(("group",), self.tables.get("group", [])):
            restaurants = given.pop("restaurant", [])
            row = known(Group, given.get("uuid"))
            entry = self.entry("group", path, given, form=GroupForm, row=row)
            self.claim_uuid(entry)
            entry.restaurants = list(self.read_restaurants(entry, restaurants))
            yield entry

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

    def table(self, name: str) -> Iterator[tuple[Path, dict[str, Any]]]:
        if name not in self.tables:
            return
        if isinstance(self.tables[name], dict):
            yield (name,), self.tables[name]
        else:
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


def provision(text: str) -> list[ProvisioningResult]:
    """Apply the file to the database. Raises `Faulty` without any change."""
    with transaction.atomic():
        return [outcome for entry in Reader(text).read() for outcome in write(entry)]


def write(entry: ProvisioningEntry) -> Iterator[ProvisioningResult]:
    yield write_row(entry)
    for restaurant in entry.restaurants:
        restaurant.form.instance.group = entry.form.instance
        if restaurant.is_new and "colour" not in restaurant.given:
            restaurant.form.instance.colour = colours.least_used()
        yield write_row(restaurant)


def write_row(entry: ProvisioningEntry) -> ProvisioningResult:
    changes = entry.changes
    if entry.is_new or changes:
        save(entry, changes=changes)
    row = entry.form.instance
    if entry.periods is not None and row.set_service_periods(entry.periods):
        changes = [*changes, "service_periods"]
    verb = "created" if entry.is_new else "changed" if changes else "left"
    return ProvisioningResult(verb=verb, kind=entry.kind, name=str(row), changes=changes)


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


def _only_connection() -> Connection | None:
    current = Connection.objects.exclude(state=Connection.State.RETIRED)
    return current.order_by("pk").first()


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
