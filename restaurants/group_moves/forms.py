"""The connection to which a group moves."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from partner.models import Connection


class MoveForm(forms.Form):
    to = forms.ModelChoiceField(Connection.objects.none(), label=_("To the connection"))

    def __init__(self, *args: Any, targets: QuerySet[Connection], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"] = forms.ModelChoiceField(targets, label=_("To the connection"))
