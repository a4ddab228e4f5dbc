"""Forms of a shared device: its name, and PINs."""

from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.forms import DIGITS, SECOND_FACTOR_FIRST, CodeForm
from accounts.models import Pin, SharedDevice, User
from accounts.sign_in import second_factor


class ShareForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    class Meta:
        model = SharedDevice
        fields = ["name"]
        help_texts = {"name": _("What people call it, such as “Tablet at the entrance”.")}


class PinField(forms.CharField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            widget=forms.PasswordInput(attrs=DIGITS),
            validators=[RegexValidator(r"^[0-9]{4,6}\Z", _("A PIN has 4 to 6 digits."))],
            **kwargs,
        )


class SetPinForm(forms.Form):
    """A full sign-in on a shared device, once, to choose a PIN."""

    email = forms.EmailField(label=_("Your e-mail address"))
    password = forms.CharField(label=_("Your password"), strip=False, widget=forms.PasswordInput)
    code = forms.CharField(
        label=_("Code of your second factor"),
        required=False,
        help_text=_("If you have one: from your authenticator app, or a recovery code."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code"}),
    )
    pin = PinField(label=_("New PIN"), help_text=_("4 to 6 digits, for this device only."))
    again = PinField(label=_("The same PIN again"))

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        self.person: User | None = None

    def clean_pin(self) -> str:
        pin: str = self.cleaned_data["pin"]
        if is_guessed_first(pin):
            raise ValidationError(_("This PIN would be guessed first: choose another one."))
        return pin

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if "pin" in data and data.get("again") not in {None, data["pin"]}:
            self.add_error("again", _("The two PINs differ."))
        if not self.errors:
            self.person = self.identify(**data)
        return data

    def identify(self, *, email: str, password: str, code: str, **_rest: str) -> User:
        """Check password and second factor, under the same throttle as a sign-in."""
        person = get_adapter().authenticate(self.request, email=email, password=password)
        if not isinstance(person, User) or not person.is_active:
            raise ValidationError(_("The e-mail address or the password is wrong."))
        if second_factor.lacks_one(person):
            raise ValidationError(SECOND_FACTOR_FIRST)
        if second_factor.factors_of(person).exists():
            proof = CodeForm({"code": code}, user=person)
            if not proof.is_valid():
                self.add_error("code", [str(error) for error in proof.errors["code"]])
        return person


class TakeOverForm(forms.Form):
    nothing_done = _("You have not taken over yet.")

    pin = PinField(label=_("PIN"))

    def __init__(self, *args: Any, held: Pin, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.held = held
        self.fields["pin"].widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, Any]:
        if not self.errors and second_factor.lacks_one(self.held.person):
            raise ValidationError(SECOND_FACTOR_FIRST)
        return self.cleaned_data

    def clean_pin(self) -> str:
        pin: str = self.cleaned_data["pin"]
        now = timezone.now()
        if self.held.opens_with(pin, now=now):
            return pin
        audit.record(self.held.person, "failed a PIN", self.held.device)
        if self.held.is_locked(now=now):
            raise ValidationError(_("Too many wrong PINs: try again in 15 minutes."))
        raise ValidationError(_("This PIN is wrong."))


def is_guessed_first(digits: str) -> bool:
    """Whether the digits are all the same or a run, which is what people try first."""
    steps = {int(later) - int(sooner) for sooner, later in zip(digits, digits[1:], strict=False)}
    return steps in ({0}, {1}, {-1})
