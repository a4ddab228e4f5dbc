"""The filters of the audit trail."""

from typing import cast

from auditlog.models import LogEntry
from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from lib.web.inputs import DayInput


class AuditFilterForm(forms.Form):
    """The filters of the audit page; unknown values are ignored."""

    person = forms.ModelChoiceField(
        label=_("Person"), queryset=User.objects.none(), required=False, empty_label=_("Everybody")
    )
    what = forms.ChoiceField(
        label=_("What"),
        required=False,
        choices=[
            ("", _("Everything")),
            ("0", _("created")),
            ("1", _("changed")),
            ("2", _("removed")),
            ("3", _("did")),
        ],
    )
    until = forms.DateField(label=_("Until"), required=False, widget=DayInput())
    before = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict, *, people: QuerySet[User]) -> None:
        super().__init__(data)
        self.fields["person"].queryset = people  # type: ignore[attr-defined]  # a model choice
        self.is_valid()

    def narrow(self, entries: "QuerySet[LogEntry]") -> "QuerySet[LogEntry]":
        params = self.cleaned_data
        if params.get("person"):
            entries = entries.filter(actor=params["person"])
        if params.get("what"):
            entries = entries.filter(action=int(params["what"]))
        if params.get("until"):
            entries = entries.filter(timestamp__date__lte=params["until"])
        if params.get("before"):
            entries = entries.filter(pk__lt=params["before"])
        return entries

    def older(self, last: int) -> str:
        """The query of the page after the entry `last`, filters kept."""
        query = cast(QueryDict, self.data).copy()
        query["before"] = str(last)
        return str(query.urlencode())
