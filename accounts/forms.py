"""Forms of sign-in, preferences and password resets."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    ChangePasswordForm,
    LoginForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
)
from allauth.account.forms import ReauthenticateForm as PasswordForm
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from django import forms
from django.conf import settings
from django.contrib.auth.forms import BaseUserCreationForm
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.models import PasswordResetRequest, User
from accounts.sign_in import recovery_codes
from accounts.sign_in.sessions import fix_end
from lib.web.fresh_sign_in import note_fresh_sign_in

SECOND_FACTOR_FIRST = _(
    "Your role asks for a second factor, and you have none yet. Set it up on a device of your own, "
    "then come back."
)
NOT_SIGNED_IN = _("You are not signed in yet.")
NOT_CONFIRMED = _("It is not confirmed yet.")
PASSWORD_HINT = _("At least 12 characters; several words are best.")
PASSWORD_LABELS = {
    "oldpassword": _("Current password"),
    "password1": _("New password"),
    "password2": _("New password, again"),
}
DIGITS = {"inputmode": "numeric", "autocomplete": "off", "maxlength": "6"}


class SignInForm(LoginForm):  # type: ignore[misc]  # allauth ships no types
    """E-mail address and password; the library would let the session live from its last change."""

    nothing_done = NOT_SIGNED_IN

    def login(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().login(request, *args, **kwargs)
        fix_end(request)
        return response


class FirstAdminForm(BaseUserCreationForm):  # type: ignore[type-arg]  # it takes none at run time
    """The account of the person who sets the installation up."""

    class Meta:
        model = User
        fields = ("name", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = True
        self.fields["name"].widget.attrs |= {"autocomplete": "name", "autofocus": True}
        self.fields["email"].widget.attrs.pop("autofocus", None)
        self.fields["password1"].help_text = PASSWORD_HINT
        self.fields["password2"].help_text = ""

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()

    def sign_in(self, request: HttpRequest, *, then: str) -> HttpResponse:
        """Sign the new person in as the sign-in page would, with the password just chosen."""
        data = {"login": self.instance.email, "password": self.cleaned_data["password1"]}
        form = SignInForm(data, request=request)
        form.is_valid()
        response: HttpResponse = form.login(request, redirect_url=then)
        note_fresh_sign_in(request)
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

    nothing_done = NOT_SIGNED_IN


class CodeAgainForm(HashedCodes, ReauthenticateForm):  # type: ignore[misc]  # allauth ships no types
    """The code once more, before something that only the person may do."""

    nothing_done = NOT_CONFIRMED


class ConfirmedPasswordForm(PasswordForm):  # type: ignore[misc]  # allauth ships no types
    """The password once more, before something that only the person may do."""

    nothing_done = NOT_CONFIRMED


class RulesInOneSentence(BaseForm):
    """The rules of a password in one sentence: the library lists them in four.

    Its labels are in Title Case, and stand in each field once more.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = PASSWORD_LABELS[name]
            field.widget.attrs.pop("placeholder", None)
        self.fields["password1"].help_text = PASSWORD_HINT


class NewPasswordForm(RulesInOneSentence, ChangePasswordForm):  # type: ignore[misc]  # allauth ships no types
    """Another password."""


class PasswordOfLinkForm(RulesInOneSentence, ResetPasswordKeyForm):  # type: ignore[misc]  # allauth ships no types
    """A password in place of a forgotten one, or the first of somebody who was invited."""


class PasskeyForm(AddWebAuthnForm):  # type: ignore[misc]  # allauth ships no types
    """A new passkey. The library's labels are not in all of our languages."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name")
        passwordless = self.fields["passwordless"]
        passwordless.label = _("Sign in without a password")
        passwordless.help_text = _(
            "Your device then asks for your fingerprint, your face or its PIN."
        )


class PasskeyNameForm(EditWebAuthnForm):  # type: ignore[misc]  # allauth ships no types
    """Another name for a passkey."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name")


class ResetForm(ResetPasswordForm):  # type: ignore[misc]  # allauth ships no types
    """Asks for a link to a new password; who has the address is looked up in the worker."""

    nothing_done = _("No link was requested yet.")

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        return email

    def save(self, request: HttpRequest, **_options: Any) -> str:
        email: str = self.cleaned_data["email"]
        PasswordResetRequest.objects.create(email=email, language=get_language() or "en")
        get_adapter().notify_mail_worker()
        return email
