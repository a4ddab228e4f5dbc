"""Guests: the mirrored copy, and derived columns to search and filter by."""

from functools import reduce
from operator import or_
from typing import Any, Self
from uuid import UUID

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from customers.note_decisions.models import (  # part of this app's models
    InternalNote as InternalNote,
)
from customers.note_decisions.models import (
    NoteDecision as NoteDecision,
)
from customers.note_decisions.models import ReadNotes
from customers.privacy.models import PurgeQuestion as PurgeQuestion
from customers.privacy.models import RetentionPlace as RetentionPlace
from lib.labels import label_of, language_label
from lib.text import board_name, fold
from mirror.models import Mirrored
from restaurants.models import Group, Restaurant

CIVILITIES = {
    "mr": _("Mr"),
    "mrs": _("Mrs"),
    "ms": _("Ms"),
    "mr_and_mrs": _("Mr and Mrs"),
    "mx": _("Mx"),
    "doctor": _("Doctor"),
    "professor": _("Professor"),
    "counsel": _("Counsel"),
    "ambassador": _("Ambassador"),
    "madam_ambassador": _("Madam Ambassador"),
    "president": _("President"),
    "madam_president": _("Madam President"),
    "magister": _("Magister"),
    "chef": _("Chef"),
    "lord": _("Lord"),
    "prince": _("Prince"),
    "princess": _("Princess"),
    "count": _("Count"),
    "countess": _("Countess"),
    "duke": _("Duke"),
    "duchess": _("Duchess"),
    "sir": _("Sir"),
    "lady": _("Lady"),
    "highness": _("Highness"),
    "baron": _("Baron"),
    "baroness": _("Baroness"),
    "company": _("Company"),
}
RANKS = {
    "gold": _("Gold"),
    "silver": _("Silver"),
    "bronze": _("Bronze"),
    "caution": _("Caution"),
}
CAUTION = "caution"
LINE = (
    "uuid",
    "group_id",
    "first_name",
    "last_name",
    "email",
    "phone",
    "phone_e164",
    "secondary_phone",
    "secondary_phone_e164",
    "locale",
    "is_vip",
    "has_allergies",
    "has_diet",
    "needs_caution",
    "allergies_and_intolerances",
    "dietary_restrictions",
    "last_name_key",
    "first_name_key",
    "version",
)
NAME_KEY_LENGTH = 64  # a B-tree entry of PostgreSQL may not grow past 2,700 bytes


def in_sums(prefix: str = "") -> Q:
    """Guests who may count in the sums of a board: with a mark, or with words in their notes.

    Without parameters: SQLite uses a partial index only where a query repeats its condition.
    """
    words: dict[str, Any] = {"is_vip": True, "has_allergies": True, "notes_tell__isnull": True}
    words |= {"notes_tell": True, "notes_read_by__isnull": False}
    return reduce(or_, (Q(**{f"{prefix}{name}": value}) for name, value in words.items()))


class CustomerQuerySet(models.QuerySet["Customer"]):
    def visible_to(self, user: User) -> Self:
        """Guests of every group in which the user works, even if at one restaurant only.

        A profile belongs to all restaurants of a group; contacts and health facts are shown by
        permission (docs/privacy.md).
        """
        seen = Restaurant.objects.visible_to(user)
        return self.filter(group__in=seen.values("group"))

    def present(self) -> Self:
        """Without guests that were deleted at the service or erased here."""
        return self.filter(presence=Mirrored.Presence.PRESENT)

    def light(self) -> Self:
        """Defer the two columns that lists never show and that may hold megabytes."""
        return self.defer("raw", "search_text")

    def badly_numbered(self) -> Self:
        """Guests with a number that the service does not find in international form."""
        return self.exclude(phone=F("phone_e164"))

    def for_lines(self) -> Self:
        """The columns of a line: name, masked number, marks."""
        return self.only(*LINE)


class Customer(Mirrored, ReadNotes):
    """A guest of a group. The columns repeat the answer; the last block is derived from it."""

    group = models.ForeignKey(Group, models.PROTECT, related_name="customers")

    email = models.TextField(_("e-mail"), blank=True)
    first_name = models.TextField(_("first name"), blank=True)
    last_name = models.TextField(_("last name"), blank=True)
    phone = models.TextField(_("phone"), blank=True)
    secondary_phone = models.TextField(_("second phone"), blank=True)
    birth_date = models.DateField(_("birth date"), null=True)
    locale = models.CharField(_("language"), max_length=64, blank=True)
    civility = models.CharField(_("title (Mr, Ms)"), max_length=64, blank=True)
    rank = models.CharField(_("rank"), max_length=64, blank=True)
    computed_rank = models.CharField(_("computed rank"), max_length=64, blank=True)
    is_vip = models.BooleanField(_("VIP"), null=True)
    is_promoter = models.BooleanField(_("promoter"), null=True)
    address = models.TextField(_("address"), blank=True)
    country = models.CharField(_("country"), max_length=64, blank=True)
    city = models.TextField(_("city"), blank=True)
    zipcode = models.TextField(_("postcode"), blank=True)
    allergies_and_intolerances = models.JSONField(_("allergies"), default=list)
    dietary_restrictions = models.JSONField(_("diet"), default=list)
    spending_behaviour = models.JSONField(_("spending"), default=list)
    customer_relationship = models.JSONField(_("relationship"), default=list)
    risk_level = models.JSONField(_("risk"), default=list)
    other_tags = models.JSONField(_("other tags"), default=list)
    fav_food = models.TextField(_("favourite food"), blank=True)
    fav_drinks = models.TextField(_("favourite drinks"), blank=True)
    fav_seating = models.TextField(_("favourite seating"), blank=True)
    notes = models.TextField(_("notes"), blank=True)
    origin_restaurant_uuid = models.UUIDField(null=True)
    origin_restaurant_name = models.TextField(_("first met at"), blank=True)
    creation_date = models.DateTimeField(_("created upstream"), null=True)
    last_update_date = models.DateTimeField(_("updated upstream"), null=True)
    restaurant_newsletter = models.BooleanField(_("newsletter"), null=True)
    custom_fields = models.JSONField(_("custom fields"), default=list)

    search_text = models.TextField(blank=True)
    last_name_key = models.CharField(max_length=NAME_KEY_LENGTH, blank=True)
    first_name_key = models.CharField(max_length=NAME_KEY_LENGTH, blank=True)
    phone_e164 = models.CharField(max_length=16, blank=True)
    secondary_phone_e164 = models.CharField(max_length=16, blank=True)
    birthday = models.PositiveSmallIntegerField(null=True)  # month × 100 + day
    has_allergies = models.BooleanField(default=False)
    has_diet = models.BooleanField(default=False)
    needs_caution = models.BooleanField(default=False)

    objects = CustomerQuerySet.as_manager()

    class Meta:
        permissions = [
            ("reveal_contact", _("Reveal contact details of guests")),
            ("view_health", _("See allergies and diets")),
            ("manage_privacy", _("Export and erase what is held on a guest")),
        ]
        indexes = [
            # The guest list in the order of names, and what a sweep's list must name.
            models.Index(fields=["group", "last_name_key"], name="customer_by_last_name"),
            models.Index(fields=["group", "last_update_date"], name="customer_updated"),
            # A name's first letters. PostgreSQL looks those up in the order of bytes only.
            models.Index(
                fields=["group", "last_name_key"],
                name="customer_last_name_starts",
                opclasses=["int8_ops", "varchar_pattern_ops"],
            ),
            models.Index(
                fields=["group", "first_name_key"],
                name="customer_first_name_starts",
                opclasses=["int8_ops", "varchar_pattern_ops"],
            ),
            # Callers. Partial ones would not be used: these queries have parameters (SQLite).
            models.Index(fields=["phone_e164"], name="customer_by_phone"),
            models.Index(fields=["secondary_phone_e164"], name="customer_by_second_phone"),
            # The saved views of the guest list.
            models.Index(
                fields=["group", "birthday"],
                condition=Q(birthday__isnull=False),
                name="customer_by_birthday",
            ),
            models.Index(fields=["group"], condition=Q(is_vip=True), name="customer_vip"),
            models.Index(
                fields=["group"], condition=Q(has_allergies=True), name="customer_allergic"
            ),
            models.Index(
                fields=["group"], condition=Q(needs_caution=True), name="customer_caution"
            ),
            # Marks of guests for the sums of a board, without reading the table's rows.
            models.Index(
                fields=["uuid", "is_vip", "has_allergies", "notes_read_by", "notes_tell"],
                condition=in_sums(),
                name="customer_in_sums",
            ),
            # Numbers to correct in the host app.
            models.Index(
                fields=["group"],
                condition=~Q(phone=F("phone_e164")),
                name="customer_bad_phone",
            ),
        ]

    def __str__(self) -> str:
        return self.full_name or str(_("No name"))

    def get_absolute_url(self) -> str:
        return reverse("customers:show", args=[self.uuid])

    @property
    def full_name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def board_name(self) -> str:
        return board_name(self.first_name, self.last_name) or str(_("No name"))

    @property
    def civility_label(self) -> str:
        return label_of(self.civility, CIVILITIES)

    @property
    def rank_label(self) -> str:
        return label_of(self.rank, RANKS)

    @property
    def computed_rank_label(self) -> str:
        return str(RANKS.get(self.computed_rank, self.computed_rank))

    @property
    def language_label(self) -> str:
        return language_label(self.locale)

    @property
    def risk_labels(self) -> list[str]:
        return [tag_label(tag) for tag in self.risk_level]

    @property
    def caution_labels(self) -> list[str]:
        """Why caution is advised: the mark itself says no more than the heading above it."""
        return [tag_label(tag) for tag in self.risk_level if tag.lower() != CAUTION]

    @property
    def tag_labels(self) -> list[str]:
        return [tag_label(tag) for tag in self.other_tags]

    @property
    def masked_phone(self) -> str:
        """The last digits: enough to distinguish guests, not enough to call."""
        return masked_number(self.phone)

    @property
    def masked_secondary_phone(self) -> str:
        return masked_number(self.secondary_phone)

    @property
    def masked_email(self) -> str:
        name, at, host = self.email.rpartition("@")
        return f"{name[:1]}•••@{host}" if at else "•••" if self.email else ""

    def derive(self) -> None:
        """Fill the columns that screens search and filter by. Phones: customers.phones."""
        self.last_name_key = name_key(self.last_name)
        self.first_name_key = name_key(self.first_name)
        self.search_text = fold(" ".join(filter(None, self._findable())))
        born = self.birth_date
        self.birthday = born.month * 100 + born.day if born else None
        self.has_allergies = bool(self.allergies_and_intolerances)
        self.has_diet = bool(self.dietary_restrictions)
        self.needs_caution = self.rank == CAUTION or any(
            tag.lower() == CAUTION for tag in (*self.risk_level, *self.other_tags)
        )

    def _findable(self) -> tuple[str, ...]:
        numbers = (digits(self.phone), self.phone_e164, digits(self.secondary_phone))
        return (self.first_name, self.last_name, self.email, *numbers, self.secondary_phone_e164)


class ProfileView(models.Model):
    """Who viewed a guest's profile, and how. Refers to the uuid, which survives erasure."""

    class What(models.TextChoices):
        OPENED = "opened", _("Opened the page")
        REVEALED = "revealed", _("Revealed the contact details")
        EXPORTED = "exported", _("Exported guest data")

    customer_uuid = models.UUIDField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    what = models.CharField(max_length=8, choices=What)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["customer_uuid", "at"], name="views_of_a_profile")]

    def __str__(self) -> str:
        return f"{self.what} {self.customer_uuid}"


class NotSameQuerySet(models.QuerySet["NotSame"]):
    def about(self, uuid: UUID) -> Self:
        return self.filter(Q(one=uuid) | Q(other=uuid))


class NotSame(models.Model):
    """Two profiles that a person marked as two people. `one` is the smaller uuid."""

    one = models.UUIDField()
    other = models.UUIDField(db_index=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    decided_at = models.DateTimeField()

    objects = NotSameQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="not_same_once"),
        ]

    def __str__(self) -> str:
        return f"{self.one} is not {self.other}"


class DuplicateScore(models.Model):
    """Two profiles that may be of one person, as last computed. `one` is the smaller uuid."""

    one = models.UUIDField()
    other = models.UUIDField(db_index=True)
    group = models.ForeignKey(Group, models.CASCADE, related_name="+", db_index=False)
    score = models.PositiveSmallIntegerField()
    signs = models.JSONField()
    found_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["one", "other"], name="one_score_a_pair")]
        indexes = [
            # The worklist of pairs, the likeliest first.
            models.Index(fields=["group", "-score"], name="duplicates_of_a_group")
        ]

    def __str__(self) -> str:
        return f"{self.one} may be {self.other}"


def masked_number(text: str) -> str:
    number = digits(text)
    return f"•••• {number[-4:]}" if len(number) > 4 else "••••" if text else ""


def tag_label(tag: str) -> str:
    """Return a tag as the group wrote it; only the one that the service sets is translated."""
    return str(RANKS[CAUTION]) if tag.lower() == CAUTION else tag


def name_key(name: str) -> str:
    return " ".join(fold(name[: 2 * NAME_KEY_LENGTH]).split())[:NAME_KEY_LENGTH]


def digits(text: str) -> str:
    return "".join(filter(str.isdecimal, text))
