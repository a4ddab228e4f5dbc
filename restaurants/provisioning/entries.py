"""The tables of a provisioning file: their forms, what they describe, and what is wrong."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.models import User
from partner.models import Connection, PosIdentity
from partner.models.webhook_tokens import is_taken
from partner.setup_pages.forms import AddressField, refuse_known_client
from restaurants.models import Period
from restaurants.places.forms import UuidField
from restaurants.provisioning.toml_lines import Path

SECRETS = {"client_secret", "webhook_token", "api_key"}


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

    def clean(self) -> dict[str, Any]:
        refuse_known_client(self)
        return self.cleaned_data

    def clean_webhook_token(self) -> str:
        token = str(self.cleaned_data["webhook_token"])
        if token and is_taken(token, besides=self.instance.pk):
            raise ValidationError(_("Another connection has this webhook token."))
        return token


class PosForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    base_url = AddressField()
    api_key = forms.CharField(strip=False)
    uuid = UuidField()

    class Meta:
        model = PosIdentity
        fields = ["base_url", "api_key", "uuid"]


class OwnerForm(forms.Form):
    """A person who owns a connection: an account is made for an address that nobody has."""

    email = forms.EmailField()
    name = forms.CharField(max_length=120, required=False)

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        if User.objects.filter(email__iexact=email, is_active=False).exists():
            raise ValidationError(_("This person may not sign in."))
        return email

    def person(self) -> User:
        found = User.objects.filter(email__iexact=self.cleaned_data["email"]).first()
        return found or User(**self.cleaned_data)


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
    def row(self) -> Any:
        return self.form.instance

    @property
    def is_new(self) -> bool:
        return not self.before

    @property
    def changes(self) -> list[str]:
        """The names, never the values, of the fields that the file changes."""
        data = self.form.cleaned_data
        return [key for key in self.given if key in data and data[key] != self.before.get(key)]

    @property
    def differences(self) -> Iterator[str]:
        """Each change with both values; a secret without."""
        for key in self.changes:
            values = f" {self.before.get(key)} → {self.form.cleaned_data[key]}"
            yield f"{key}{'' if key in SECRETS else values}"


@dataclass
class OwnerEntry:
    """A person who owns a connection from now on."""

    person: User
    connection: Connection

    @property
    def is_new(self) -> bool:
        is_stored = self.connection.pk and self.person.pk
        return not (is_stored and self.connection.owners.filter(pk=self.person.pk).exists())


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
