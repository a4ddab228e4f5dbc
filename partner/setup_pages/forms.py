"""Forms of the connection page. Secrets are write-only."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from lib.encryption import DecryptionFailed
from partner.http.addresses import AddressRefused, check_address
from partner.models import Connection, PosIdentity, Token, last_four
from partner.wording.names import HOST_APP_NAMES

ADDRESSES = ("base_url", "auth_url")
KEY_FIELDS = ("auth_url", "audience", "client_id")  # beside the secret


class AddressField(forms.CharField):
    """A base address: https, and not inside."""

    def __init__(self, **options: Any) -> None:
        widget = forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"})
        super().__init__(max_length=200, widget=widget, **options)

    def clean(self, value: Any) -> str:
        text = str(super().clean(value))
        try:
            return check_address(text)
        except AddressRefused as refused:
            raise ValidationError(str(refused.sentence), code="address") from None


class SecretField(forms.CharField):
    """Write-only: shows at most the last four characters of what is stored; empty keeps it."""

    def __init__(self, **options: Any) -> None:
        widget = forms.PasswordInput(attrs={"autocomplete": "new-password"})
        super().__init__(required=False, widget=widget, **options)

    def show_stored(self, row: Any, name: str) -> None:
        """Say what is stored. A secret that no key opens has to be entered again."""
        try:
            end = last_four(getattr(row, name))
        except DecryptionFailed:
            self.required = True
            self.help_text = now("The stored one cannot be opened: enter it again.")
            return
        self.help_text = now("Stored, ending in %(end)s. Leave empty to keep it.") % {
            "end": f"…{end}"
        }


class ConnectionForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    base_url = AddressField(
        label=_("API address"),
        help_text=_(
            "From the service's integrations team: what stands before every path of its API."
        ),
    )
    auth_url = AddressField(
        label=_("Token host"),
        help_text=_("From the same team: what stands before /oauth/token."),
    )
    client_secret = SecretField(
        label=_("Client secret"),
        help_text=_(
            "Comes with the client id. It is stored encrypted and never shown whole again."
        ),
    )

    class Meta:
        model = Connection
        # The secret is not among them: a model form would read it to show it again.
        fields = [
            "name",
            "base_url",
            "auth_url",
            "audience",
            "client_id",
            "host_app_name",
            "requests_per_minute",
            "wait_for_lost_token",
        ]
        help_texts = {
            "audience": _("The name of the API in a token request. Copy it to the letter."),
            "client_id": _("Names you to the service. It comes with the client secret."),
        }

    field_order = ["name", "base_url", "auth_url", "audience", "client_id", "client_secret"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _prepare_secret(self, "client_secret")

    def clean(self) -> dict[str, Any]:
        data = _with_secret_for_new_address(self, "client_secret", addresses=ADDRESSES)
        refuse_known_client(self)
        return data

    def save(self, commit: bool = True) -> Connection:
        secret = self.cleaned_data["client_secret"]
        if self.instance.pk and _changed(self, ADDRESSES):
            self.instance.move(secret=secret)
        elif secret:
            self.instance.set_client_secret(secret)
        saved: Connection = super().save(commit)
        if secret or _changed(self, KEY_FIELDS):
            # What was refused were the others. These are tried at once, so no page calls them that;
            # and another host did not ask to be left alone.
            paused = Token.objects.filter(connection=saved)
            if not _changed(self, ["auth_url"]):
                paused = paused.filter(is_refused=True)
            paused.update(is_refused=False, paused_until=None)
        HOST_APP_NAMES.clear()
        return saved


class RetireForm(forms.Form):
    """The name of the connection, typed: what is retired does not come back."""

    retired_name = forms.CharField(
        label=_("Name of the connection"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, connection: Connection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.connection = connection
        self.fields["retired_name"].help_text = connection.name

    def clean_retired_name(self) -> str:
        typed = str(self.cleaned_data["retired_name"])
        if typed != self.connection.name:
            raise ValidationError(_("This is not its name. Nothing was changed."))
        return typed


class PosIdentityForm(forms.ModelForm):  # type: ignore[type-arg]  # the same
    base_url = AddressField(label=_("Point-of-sale API address"))
    api_key = SecretField(label=_("API key"))

    class Meta:
        model = PosIdentity
        fields = ["base_url", "uuid"]

    field_order = ["base_url", "api_key", "uuid"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _prepare_secret(self, "api_key")

    def clean(self) -> dict[str, Any]:
        return _with_secret_for_new_address(self, "api_key", addresses=("base_url",))

    def save(self, commit: bool = True) -> PosIdentity:
        if self.cleaned_data["api_key"]:
            self.instance.api_key = self.cleaned_data["api_key"]
        saved: PosIdentity = super().save(commit)
        return saved


def refuse_known_client(form: "forms.ModelForm[Any]") -> None:
    """Refuse a client that another connection is: each would request a key while one is valid.

    Whose it is, nobody here may learn.
    """
    parts = {name: form.cleaned_data.get(name) for name in ("auth_url", "audience", "client_id")}
    others = Connection.objects.current_ones().exclude(pk=form.instance.pk)
    if all(parts.values()) and others.filter(**parts).exists():
        words = _("This client cannot be added. Compare it with what the service's operator gave.")
        form.add_error("client_id", ValidationError(words, code="unique"))


def _changed(form: "forms.ModelForm[Any]", addresses: Sequence[str]) -> list[str]:
    data = form.cleaned_data
    return [name for name in addresses if name in data and data[name] != form.initial.get(name)]


def _with_secret_for_new_address(
    form: "forms.ModelForm[Any]", secret: str, *, addresses: Sequence[str]
) -> dict[str, Any]:
    """Require the secret with a new address: a stored secret is never sent to another host."""
    data = form.cleaned_data
    if form.instance.pk and _changed(form, addresses) and not data.get(secret):
        words = _(
            "You changed an address. Enter the secret again: the stored one is sent to no other "
            "address. Nothing was saved."
        )
        form.add_error(secret, ValidationError(words, code="address"))
    return data


def _prepare_secret(form: "forms.ModelForm[Any]", name: str) -> None:
    field = form.fields[name]
    if form.instance.pk is None:
        field.required = True
    elif isinstance(field, SecretField):
        field.show_stored(form.instance, name)
