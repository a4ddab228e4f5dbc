"""Forms of the inbox, the reply, triage and settings."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from lib.quiet_hours import QuietHoursMixin
from lib.web.inputs import ClockInput
from reviews.models import AlertPreferences, InboxQueue, Rules, SavedInboxView, SavedReply

MINE = "mine"
INBOX_QUEUES: dict[str, Any] = {
    InboxQueue.REWRITE: InboxQueue.REWRITE.label,
    InboxQueue.REPLY: InboxQueue.REPLY.label,
    MINE: _("Mine"),
    InboxQueue.DRAFTS: InboxQueue.DRAFTS.label,
    InboxQueue.APPROVE: InboxQueue.APPROVE.label,
    InboxQueue.SENT: InboxQueue.SENT.label,
    InboxQueue.PUBLISHED: InboxQueue.PUBLISHED.label,
    InboxQueue.WAITING: InboxQueue.WAITING.label,
    InboxQueue.CLOSED: InboxQueue.CLOSED.label,
    InboxQueue.ARCHIVED: InboxQueue.ARCHIVED.label,
}
SORTS = {
    "urgent": _("Most urgent"),
    "oldest": _("Oldest"),
    "newest": _("Newest"),
}


class InboxParamsForm(forms.Form):
    """The query parameters of the inbox. Invalid ones are ignored, never an error."""

    lane = forms.ChoiceField(choices=INBOX_QUEUES.items(), required=False)
    sort = forms.ChoiceField(choices=SORTS.items(), required=False)
    who = forms.ChoiceField(choices=[("me", ""), ("nobody", "")], required=False)
    low = forms.BooleanField(required=False)
    late = forms.BooleanField(required=False)
    q = forms.CharField(max_length=100, required=False)
    page = forms.IntegerField(min_value=1, max_value=10_000, required=False)


class InboxParams:
    """The same as plain values. `query` is what a saved view keeps."""

    def __init__(self, address: Any) -> None:
        form = InboxParamsForm(address)
        form.is_valid()
        data = form.cleaned_data
        self.queue: str = data.get("lane") or InboxQueue.REPLY
        self.sort: str = data.get("sort") or ("urgent" if self.queue in WORKED else "newest")
        self.who: str = data.get("who") or ""
        self.is_low: bool = data.get("low") or False
        self.is_late: bool = data.get("late") or False
        self.words: str = (data.get("q") or "").strip()
        self.page: int = data.get("page") or 1

    @property
    def query(self) -> str:
        """The filters of a saved view: neither the page nor the search, which may name a person."""
        data = {
            "lane": self.queue,
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


# Queues sorted by urgency by default; the others by date.
WORKED = (InboxQueue.REWRITE, InboxQueue.REPLY, InboxQueue.DRAFTS, InboxQueue.APPROVE, MINE)


LONGEST_REPLY = 10_000  # the service states no limit; this one keeps a mistake from being sent
LONGEST_REMARK = 1000
MOST_AT_ONCE = 100  # reviews of one bulk step


class ReplyTextField(forms.CharField):
    """Text with the line ends of a person, not of a form."""

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return text.replace("\r\n", "\n")


class DraftForm(forms.Form):
    text = ReplyTextField(max_length=LONGEST_REPLY, required=False, strip=False)
    language = forms.RegexField(r"^[a-z]{2,3}$", required=False)
    # The number of the draft that the person began with.
    base = forms.IntegerField(min_value=0, max_value=2**31 - 1, required=False)

    def clean_base(self) -> int:
        return self.cleaned_data["base"] or 0


class ReplyForm(DraftForm):
    """A draft that is to go on. The key makes a resent form one intent."""

    key = forms.UUIDField()
    seen = forms.CharField(max_length=200, required=False)  # reviews.reply.snapshot
    anyway = forms.BooleanField(required=False)
    take_over = forms.BooleanField(required=False)
    then = forms.ChoiceField(choices=[("next", "")], required=False)


class RemarkForm(forms.Form):
    remark = ReplyTextField(max_length=LONGEST_REMARK)


class AssignForm(forms.Form):
    """The new assignee: somebody who may answer the review, or nobody."""

    to = forms.ModelChoiceField(
        label=_("Who answers it?"),
        queryset=User.objects.none(),  # who may answer: the view knows
        required=False,
        blank=True,  # needed for radio buttons to offer nobody
        empty_label=_("Nobody"),
        widget=forms.RadioSelect,
    )
    remark = ReplyTextField(
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
        model = SavedInboxView
        fields = ["name"]


class SavedReplyForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    text = ReplyTextField(
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


class AlertPreferencesForm(QuietHoursMixin, forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
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
            "quiet_from": ClockInput(),
            "quiet_until": ClockInput(),
        }
        help_texts = {"quiet_until": _("No mail in between; it comes afterwards.")}


class NumbersForm(forms.Form):
    days = forms.TypedChoiceField(
        choices=[(n, "") for n in (30, 90, 365)], coerce=int, required=False
    )
    by = forms.CharField(max_length=30, required=False)
