"""Form of a saved view."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from restaurants.models import GroupQuerySet, SavedView

MOST_VIEWS = 50  # of one person


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
