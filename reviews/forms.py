"""What people say about reviews: where they look, and what they write."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from reviews.models import AlertPreferences, Lane, Rules, SavedReply, SavedView

MINE = "mine"
LANES: dict[str, Any] = {
    Lane.REWRITE: Lane.REWRITE.label,
    Lane.REPLY: Lane.REPLY.label,
    MINE: _("Mine"),
    Lane.DRAFTS: Lane.DRAFTS.label,
    Lane.APPROVE: Lane.APPROVE.label,
    Lane.SENT: Lane.SENT.label,
    Lane.PUBLISHED: Lane.PUBLISHED.label,
    Lane.WAITING: Lane.WAITING.label,
    Lane.CLOSED: Lane.CLOSED.label,
    Lane.ARCHIVED: Lane.ARCHIVED.label,
}
SORTS = {
    "urgent": _("Most urgent"),
    "oldest": _("Oldest"),
    "newest": _("Newest"),
}


class InboxParamsForm(forms.Form):
    """What the address of the inbox says. Nonsense is ignored, never an error."""

    lane = forms.ChoiceField(choices=LANES.items(), required=False)
    sort = forms.ChoiceField(choices=SORTS.items(), required=False)
    who = forms.ChoiceField(choices=[("me", ""), ("nobody", "")], required=False)
    low = forms.BooleanField(required=False)
    late = forms.BooleanField(required=False)
    q = forms.CharField(max_length=100, required=False)
    page = forms.IntegerField(min_value=1, max_value=10_000, required=False)


class InboxParams:
    """The same as plain values. `view` names what a link or a saved view takes along."""

    def __init__(self, address: Any) -> None:
        form = InboxParamsForm(address)
        form.is_valid()
        data = form.cleaned_data
        self.lane: str = data.get("lane") or Lane.REPLY
        self.sort: str = data.get("sort") or ("urgent" if self.lane in WORKED else "newest")
        self.who: str = data.get("who") or ""
        self.is_low: bool = data.get("low") or False
        self.is_late: bool = data.get("late") or False
        self.words: str = (data.get("q") or "").strip()
        self.page: int = data.get("page") or 1

    @property
    def query(self) -> str:
        """What a saved view keeps: not the page, nor words of a search, which name a person."""
        data = {
            "lane": self.lane,
            "sort": self.sort,
            "who": self.who,
            "low": "1" if self.is_low else "",
            "late": "1" if self.is_late else "",
        }
        return urlencode({name: value for name, value in data.items() if value})

    @property
    def is_worth_keeping(self) -> bool:
        return bool(self.who or self.is_low or self.is_late)

    @property
    def is_filtered(self) -> bool:
        return self.is_worth_keeping or bool(self.words)


# Lanes in which the most urgent is asked for; elsewhere people look for what is new.
WORKED = (Lane.REWRITE, Lane.REPLY, Lane.DRAFTS, Lane.APPROVE, MINE)


LONGEST_REPLY = 10_000  # the service states no limit; this one keeps a mistake from being sent
LONGEST_REMARK = 1000
MOST_AT_ONCE = 100  # reviews of one bulk step


class TextField(forms.CharField):
    """Text with the line ends of a person, not of a form."""

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return text.replace("\r\n", "\n")


class DraftForm(forms.Form):
    text = TextField(max_length=LONGEST_REPLY, required=False, strip=False)
    language = forms.RegexField(r"^[a-z]{2,3}$", required=False)
    # The number of the draft that the person began with.
    base = forms.IntegerField(min_value=0, max_value=2**31 - 1, required=False)

    def clean_base(self) -> int:
        return self.cleaned_data["base"] or 0


class ReplyForm(DraftForm):
    """A draft that is to go on. The key makes a resent form one intent."""

    key = forms.UUIDField()
    anyway = forms.BooleanField(required=False)
    take_over = forms.BooleanField(required=False)
    then = forms.ChoiceField(choices=[("next", "")], required=False)


class RemarkForm(forms.Form):
    remark = TextField(max_length=LONGEST_REMARK)


class AssignForm(forms.Form):
    """Whose it is from now on: somebody who may answer it, or nobody."""

    to = forms.ModelChoiceField(
        label=_("Who answers it?"),
        queryset=User.objects.none(),  # who may answer: the view knows
        required=False,
        blank=True,  # radio buttons offer nobody only if told so
        empty_label=_("Nobody"),
        widget=forms.RadioSelect,
    )
    remark = TextField(
        label=_("Message"),
        max_length=LONGEST_REMARK,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, *args: Any, people: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"].queryset = people  # type: ignore[attr-defined]


class BulkForm(forms.Form):
    """What is done with several reviews of a page at once."""

    verb = forms.ChoiceField(choices=[("archive", ""), ("take", ""), ("release", ""), ("give", "")])
    uuid = forms.TypedMultipleChoiceField(coerce=UUID, choices=())

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        wanted = data.getlist("uuid")[:MOST_AT_ONCE]
        self.fields["uuid"].choices = [(one, one) for one in wanted]  # type: ignore[attr-defined]


class SaveViewForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    class Meta:
        model = SavedView
        fields = ["name"]


class SavedReplyForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    text = TextField(
        label=_("Text"),
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("Filled in for each guest: {first_name} {last_name} {restaurant} {date} {me}"),
    )
    language = forms.RegexField(
        r"^[a-z]{2,3}$",
        label=_("Language"),
        required=False,
        max_length=3,
        help_text=_("Two or three letters, such as fr. Shown first for comments in it."),
    )

    class Meta:
        model = SavedReply
        fields = ["group", "title", "text", "language"]

    def __init__(self, *args: Any, groups: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["group"].queryset = groups  # type: ignore[attr-defined]
        if len(groups) == 1:
            self.initial.setdefault("group", groups[0].pk)


class RulesForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    class Meta:
        model = Rules
        fields = ["target_hours", "low_rating"]


class AlertPreferencesForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    class Meta:
        model = AlertPreferences
        fields = [
            "low_in_app",
            "low_by_mail",
            "given_by_mail",
            "digest",
            "quiet_from",
            "quiet_until",
        ]
        widgets = {
            "quiet_from": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
            "quiet_until": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        }
        help_texts = {"quiet_until": _("No mail in between; it comes afterwards.")}


class NumbersForm(forms.Form):
    days = forms.TypedChoiceField(
        choices=[(n, "") for n in (30, 90, 365)], coerce=int, required=False
    )
    by = forms.CharField(max_length=30, required=False)
