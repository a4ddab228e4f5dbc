"""The panels of the guest's page that this app adds itself."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from customers.allergies.kitchen_names import read_by_people
from customers.allergies.mentions import (
    NoteMention,
    Source,
    all_mentions_in,
    mentions_in,
    sources_of_guest,
)
from customers.models import Customer, InternalNote, ProfileView
from customers.note_decisions.decisions import decisions_about
from customers.privacy import erasure, retention
from customers.profile.pages import GuestPanel, PanelColumn, Profile
from partner.wording.names import naming_host_app

# Allergies, diets and risk tags are health data; free notes and own fields tell of them too.
HEALTH = "customers.view_health"
MOST_VIEWS = 10


class Tags(NamedTuple):
    label: str | Promise
    words: list[str]


def risks(profile: Profile) -> list[tuple[str, Tags]] | None:
    """Allergies, diet and cautions, which a waiter must know first; None without any."""
    guest = profile.guest
    tags = [
        ("allergy", Tags(_("Allergies"), read_by_people(guest.allergies_and_intolerances))),
        ("diet", Tags(_("Diet"), read_by_people(guest.dietary_restrictions))),
        ("caution", Tags(_("Caution"), _cautions(profile))),
    ]
    return [(mark, found) for mark, found in tags if found.words] or None


def note_mentions(profile: Profile) -> list[NoteMention] | None:
    """What the notes say of allergies and diets, dismissed or not. One query a page if they do."""
    if "note mentions" not in profile.kept:
        profile.kept["note mentions"] = _read_note_mentions(profile)
    found: list[NoteMention] | None = profile.kept["note mentions"]
    return found


def _read_note_mentions(profile: Profile) -> list[NoteMention] | None:
    own = Source(_("Internal note"), internal_note(profile).text)
    sources = [*sources_of_guest(profile.guest), own]
    if not mentions_in(sources):
        return None
    return all_mentions_in(sources, decisions_about(None, profile.guest.pk))


def _cautions(profile: Profile) -> list[str]:
    labels = profile.guest.caution_labels
    if labels or not profile.guest.needs_caution:
        return labels
    return [str(naming_host_app(_("Marked with caution in %(app)s")))]


def likes(profile: Profile) -> list[tuple[str | Promise, str]] | None:
    guest = profile.guest
    found = [
        (_("Food"), guest.fav_food),
        (_("Drinks"), guest.fav_drinks),
        (_("Seating"), guest.fav_seating),
    ]
    return [(label, words) for label, words in found if words] or None


def tags(profile: Profile) -> list[Tags] | None:
    guest = profile.guest
    found = [
        Tags(_("Relationship"), guest.customer_relationship),
        Tags(_("Spending"), guest.spending_behaviour),
        Tags(_("Other tags"), guest.tag_labels),
    ]
    return [one for one in found if one.words] or None


def custom_fields(profile: Profile) -> list[dict[str, Any]] | None:
    return profile.guest.custom_fields or None


class Note(NamedTuple):
    """The team's own note, or the place for one."""

    text: str
    changed_by: User | None
    changed_at: datetime | None


def internal_note(profile: Profile) -> Note:
    """One query a page."""
    if "internal note" not in profile.kept:
        profile.kept["internal note"] = _read_internal_note(profile)
    note: Note = profile.kept["internal note"]
    return note


def _read_internal_note(profile: Profile) -> Note:
    for note in _note(profile.guest.pk):
        return Note(note.text, note.changed_by, note.changed_at)
    return Note("", None, None)


def _note(uuid: UUID) -> Any:
    notes = InternalNote.objects.filter(pk=uuid).select_related("changed_by")
    return notes.only("text", "changed_at", "changed_by__name", "changed_by__email")


class PanelView(NamedTuple):
    at: datetime
    who: User | None
    what: str | Promise


class Privacy(NamedTuple):
    views: list[PanelView]
    keep_until: datetime | None


def privacy_facts(profile: Profile) -> Privacy | None:
    """For people with the right to manage privacy. One query, and one per app."""
    if not erasure.may_manage(profile.user, profile.everywhere):
        return None
    until = retention.keep_until(profile.guest, now=profile.now)
    words = dict(ProfileView.What.choices)
    views = [PanelView(view.at, view.user, words[view.what]) for view in _views(profile.guest.pk)]
    return Privacy(views, until)


def _views(uuid: UUID) -> Any:
    views = ProfileView.objects.filter(customer_uuid=uuid).select_related("user").order_by("-at")
    return views.only("at", "what", "user__name", "user__email")[:MOST_VIEWS]


def notes(profile: Profile) -> str | None:
    return profile.guest.notes or None


def itself(profile: Profile) -> Customer:
    return profile.guest


def _panel(
    name: str,
    title: Promise,
    *,
    place: int,
    facts: Callable[[Profile], Any],
    right: str = "",
    column: PanelColumn = PanelColumn.FACTS,
) -> GuestPanel:
    """A panel beside the facts by default. Its template is named for the panel."""
    template = f"customers/_{name.replace('-', '_')}.html"
    return GuestPanel(
        name=name,
        title=title,
        place=place,
        template=template,
        facts=facts,
        right=right,
        column=column,
    )


OWN_PANELS = (
    _panel("risks", _("Take care"), place=10, facts=risks, right=HEALTH, column=PanelColumn.TOP),
    _panel(
        "note-mentions",
        _("Allergies and diets in notes"),
        place=11,
        facts=note_mentions,
        right=HEALTH,
        column=PanelColumn.TOP,
    ),
    _panel("contacts", _("Contact"), place=10, facts=itself),
    _panel("notes", _("Notes of the group"), place=20, facts=notes, right=HEALTH),
    _panel("internal-note", _("Internal note"), place=25, facts=internal_note, right=HEALTH),
    _panel("likes", _("Favourites"), place=30, facts=likes),
    _panel("tags", _("Tags"), place=40, facts=tags),
    _panel("custom-fields", _("Fields of the group"), place=50, facts=custom_fields, right=HEALTH),
    _panel("duplicates", _("Possible duplicates"), place=80, facts=itself, column=PanelColumn.END),
    _panel(
        "privacy",
        _("Privacy"),
        place=90,
        facts=privacy_facts,
        right=erasure.MANAGE,
        column=PanelColumn.END,
    ),
)
