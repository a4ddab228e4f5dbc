"""Forms of the guest list, the profile and privacy. Invalid query parameters are ignored."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from restaurants.models import GroupQuerySet, SavedView

SIZES = (50, 100, 200)
MOST_VIEWS = 50  # of one person


class ListForm(forms.Form):
    q = forms.CharField(required=False)
    language = forms.RegexField(r"^[a-z]{2,3}$", required=False)
    size = forms.TypedChoiceField(choices=[(n, n) for n in SIZES], coerce=int, required=False)


class GuestLookUpForm(forms.Form):
    """A number to look up in the service, and the restaurant to look it up for."""

    phone = forms.RegexField(r"^\+[1-9]\d{1,14}$", label=_("Phone"))
    restaurant = forms.UUIDField()


class InternalNoteForm(forms.Form):
    text = forms.CharField(
        label=_("Internal note"),
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("Only in this dashboard. The service and the host app never see it."),
    )


class EraseForm(forms.Form):
    sure = forms.BooleanField(
        label=_("I have checked who asks, and that the law lets us forget this guest.")
    )


class NotSameForm(forms.Form):
    other = forms.UUIDField()


class SavedViewForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    class Meta:
        model = SavedView
        fields = ["name", "group"]
        help_texts = {"name": _("A new view takes the place of your own of the same name.")}

    def __init__(self, *args: Any, groups: GroupQuerySet, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["group"] = forms.ModelChoiceField(
            groups,
            label=_("Who may use it"),
            required=False,
            empty_label=_("Only me"),
            help_text=_("Colleagues see the guests that their own rights let them see."),
        )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        own = SavedView.objects.filter(owner=self.instance.owner, page=self.instance.page)
        others = own.exclude(pk=self.instance.pk)
        if self.instance.pk and others.filter(name=name).exists():
            raise forms.ValidationError(gettext("Another of your views has this name."))
        if not self.instance.pk and others.exclude(name=name).count() >= MOST_VIEWS:
            raise forms.ValidationError(gettext("You have many views; delete one of them first."))
        return name
