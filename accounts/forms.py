"""Forms of sign-in, preferences, shared devices and password resets."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import LoginForm, ResetPasswordForm
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts import audit, recovery_codes, second_factor
from accounts.models import PasswordResetRequest, Pin, SharedDevice, User
from accounts.sessions import fix_end

SECOND_FACTOR_FIRST = _(
    "Your role asks for a second factor, and you have none yet. Set it up on a device of your own, "
    "then come back."
)
DIGITS = {"inputmode": "numeric", "autocomplete": "off", "maxlength": "6"}


class SignInForm(LoginForm):  # type: ignore[misc]  # allauth ships no types
    """E-mail address and password; the library would let the session live from its last change."""

    def login(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().login(request, *args, **kwargs)
        fix_end(request)
        return response


class PreferencesForm(forms.Form):
    """One or more preferences; those that were not sent keep their value."""

    theme = forms.ChoiceField(choices=User.Theme.choices)
    density = forms.ChoiceField(choices=User.Density.choices)
    language = forms.ChoiceField(choices=[("", ""), *settings.LANGUAGES], required=False)
    shortcuts = forms.BooleanField(required=False)
    rail_pinned = forms.BooleanField(required=False)
    weekly_digest = forms.BooleanField(required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        for name in self.fields.keys() - data.keys():
            del self.fields[name]

    def save(self, *, user: User) -> None:
        for name, value in self.cleaned_data.items():
            setattr(user, name, value)
        user.save(update_fields=list(self.cleaned_data))


class ShareForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    class Meta:
        model = SharedDevice
        fields = ["name"]
        help_texts = {"name": _("What people call it, such as “Tablet at the door”.")}


class PinField(forms.CharField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            widget=forms.PasswordInput(attrs=DIGITS),
            validators=[RegexValidator(r"^[0-9]{4,6}\Z", _("A PIN has 4 to 6 digits."))],
            **kwargs,
        )


class HashedCodes(BaseAuthenticateForm):  # type: ignore[misc]  # allauth ships no types
    """Lets a code form know the hashed recovery codes too, under the form's own throttle."""

    def clean_code(self) -> str:
        try:
            code: str = super().clean_code()
        except ValidationError as error:
            if error.code == "incorrect_code":
                return self.clean_recovery_code(error)
            raise
        return code

    def clean_recovery_code(self, error: ValidationError) -> str:
        code: str = self.cleaned_data["code"]
        self.authenticator = recovery_codes.use(self.user, code)
        if not self.authenticator:
            audit.record(self.user, "failed the second factor")
            raise error
        return code


class CodeForm(HashedCodes, AuthenticateForm):  # type: ignore[misc]  # allauth ships no types
    """The second step of a sign-in."""


class CodeAgainForm(HashedCodes, ReauthenticateForm):  # type: ignore[misc]  # allauth ships no types
    """The code once more, before something that only the person may do."""


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


class ResetForm(ResetPasswordForm):  # type: ignore[misc]  # allauth ships no types
    """Asks for a link to a new password; who has the address is looked up in the worker."""

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        return email

    def save(self, request: HttpRequest, **_options: Any) -> str:
        email: str = self.cleaned_data["email"]
        PasswordResetRequest.objects.create(email=email, language=get_language() or "en")
        get_adapter().notify_mail_worker()
        return email


class TakeOverForm(forms.Form):
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
