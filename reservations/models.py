"""Reservations: the mirrored copy, indexed by restaurant and service day."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from functools import reduce
from operator import or_
from typing import Any, Self

from django.db import models
from django.db.models import (
    Case,
    Count,
    Exists,
    FilteredRelation,
    OuterRef,
    Q,
    Sum,
    When,
)
from django.db.models.functions import Cast
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from customers.models import Customer, in_sums
from customers.note_decisions.models import (
    InternalNote,
    JoinedTexts,
    ReadNotes,
    decisions_text,
    internal_note_text,
    may_tell,
)
from lib.labels import label_of
from mirror.models import Mirrored
from reservations.briefing.models import (  # part of this app's models
    KitchenAcknowledgement as KitchenAcknowledgement,
)
from reservations.briefing.models import (
    PrintedBriefing as PrintedBriefing,
)
from reservations.briefing.models import (
    PrintedLine as PrintedLine,
)
from reservations.calendar_feed.models import Feed as Feed  # part of this app's models
from reservations.host_marks.models import HostMark as HostMark  # part of this app's models
from reservations.learnt_stays.models import (  # part of this app's models
    ArrivalTracking as ArrivalTracking,
)
from reservations.service_clock import SIZE_CLASSES as SIZE_CLASSES
from reservations.service_clock import minutes_on
from reservations.words import (
    CHANNELS,
    MEAL_STATUSES,
    OFFER_TYPES,
    STATUSES,
    UTM_KEYS,
    offer_kind,
    offer_restriction,
    party_in_words,
)
from restaurants.models import Group, Restaurant, by_service_day

ONE_DAY = timedelta(days=1)
# Texts of a guest in which an allergy may be written.
OF_GUESTS = ("customer__notes", "customer__fav_food", "customer__fav_drinks")
# What the bookings of an aggregate row share, and what is counted of them beside their sizes.
SHARED_FIELDS = ("restaurant_id", "local_minutes", "meal_at", "status", "meal_status")
AGGREGATE_FIELDS = (*SHARED_FIELDS, "telling", "bookings", "vips", "allergies")
# Standing bookings. The others count in no covers of a service day.
STANDING = ("RECORDED", "REQUESTED")
ENDED = ("CANCELED", "REFUSED", "NO_SHOW")  # no action needed
UNDATED = Q(service_day__isnull=True) & ~Q(status__in=ENDED)


def well_before(now: datetime) -> date:
    """A day whose service is over at this instant in every time zone."""
    return (now - timedelta(days=2)).date()


def _covers(low: int, top: int) -> Sum:
    return Sum(Case(When(party_size__range=(low, top), then="party_size"), default=0))


class ReservationQuerySet(models.QuerySet["Reservation"]):
    def visible_to(self, user: User, permission: str | None = None) -> Self:
        return self.filter(restaurant__in=Restaurant.objects.visible_to(user, permission))

    def for_restaurants(self, ids: Iterable[int]) -> Self:
        return self.filter(restaurant__in=list(ids))

    def for_day(self, day: date) -> Self:
        """One service day in every time zone: 00:30 still belongs to it."""
        return self.filter(service_day=day)

    def present(self) -> Self:
        return self.filter(presence=Mirrored.Presence.PRESENT)

    def requested(self) -> Self:
        """Requests without an answer. A condition on the service day selects their index."""
        return self.present().filter(status="REQUESTED")

    def undated(self) -> Self:
        """Bookings that have not ended and are on no board, because no answer had a date."""
        return self.present().filter(UNDATED)

    def open_past(self) -> Self:
        """Confirmed past bookings without an outcome: neither left nor no-show."""
        return self.present().filter(status="RECORDED").exclude(meal_status="LEFT")

    def in_past_days(self, restaurants: Iterable[Restaurant], *, now: datetime, days: int) -> Self:
        """The last finished service days in the local time of each restaurant."""
        past = [
            Q(restaurant__in=ids, service_day__range=(day - timedelta(days), day - ONE_DAY))
            for day, ids in by_service_day(restaurants, now=now).items()
        ]
        return self.filter(reduce(or_, past)) if past else self.none()

    def with_internal_note(self) -> Self:
        """What the team has noted of the guest, which the service does not know."""
        return self.annotate(internal_note=internal_note_text("customer"))

    def with_note_texts(self) -> Self:
        """Beside the notes everything where an allergy may be written, as text, and what people
        decided about it: `customers.allergies` reads it."""
        return self.with_internal_note().annotate(
            field_texts=Cast("custom_fields", models.TextField()),
            guest_field_texts=Cast("customer__custom_fields", models.TextField()),
            guest_tag_texts=Cast("customer__other_tags", models.TextField()),
            decided=decisions_text("pk"),
            guest_decided=decisions_text("customer"),
        )

    def with_words(self) -> Self:
        """Those with a note or a field in which something could be read."""
        texts = ("customer_note", "restaurant_note", "internal_note", *OF_GUESTS)
        found = ~Q(field_texts="[]") | ~Q(guest_field_texts="[]") | ~Q(guest_tag_texts="[]")
        return self.with_note_texts().filter(
            reduce(or_, [found, *(Q(**{f"{text}__gt": ""}) for text in texts)])
        )

    def for_board(self) -> Self:
        """Everything a card shows, in one query. `is_first` looks for an earlier visit, which may
        be still to come."""
        earlier = Reservation.objects.present().filter(
            customer=OuterRef("customer"), meal_at__lt=OuterRef("meal_at"), status="RECORDED"
        )
        return self.with_note_texts().annotate(
            is_first=~Exists(earlier),
            # As text, because a list is not hashable and most cards come from the cache.
            allergy_tags=Cast("customer__allergies_and_intolerances", models.TextField()),
            diet_tags=Cast("customer__dietary_restrictions", models.TextField()),
        )

    def aggregated(self, reading_number: int) -> "models.QuerySet[Reservation, Any]":
        """One row for all that share a moment and a state: a few hundred for thousands.

        `telling` has the uuids of those whose notes, or whose guest's, may tell something, with
        spaces between. Only guests who may count are joined: a small index covers them.
        """
        guest_may_tell = Q(guest__pk__isnull=False) & may_tell(reading_number, "guest__")
        is_noted = Q(Exists(InternalNote.objects.filter(pk=OuterRef("customer"), text__gt="")))
        rows = self.exclude(status__in=ENDED).annotate(
            guest=FilteredRelation("customer", condition=in_sums("customer__"))
        )
        aggregates = rows.order_by().values(*SHARED_FIELDS)
        sizes = {name: _covers(low, top) for name, (low, top) in SIZE_CLASSES.items()}
        aggregated: models.QuerySet[Reservation, Any] = aggregates.annotate(
            telling=JoinedTexts(
                Cast("uuid", models.TextField()),
                filter=may_tell(reading_number) | guest_may_tell | is_noted,
            ),
            bookings=Count("*"),
            vips=Count("pk", filter=Q(guest__is_vip=True)),
            allergies=Count("pk", filter=Q(guest__has_allergies=True)),
            **sizes,
        ).values_list(*AGGREGATE_FIELDS, *SIZE_CLASSES)
        return aggregated

    def with_guests(self) -> Self:
        """With the guest of each row in the same query.

        A guest who has not been read yet is missing.
        """
        return self.select_related("customer").defer("customer__raw", "customer__search_text")


class Reservation(Mirrored, ReadNotes):
    """A booking. The columns repeat the answer; the second block holds service day and local time.

    `customer` has no constraint in the database: entities arrive in any order, and a guest may
    be erased while the booking stays.
    """

    restaurant = models.ForeignKey(
        Restaurant, models.PROTECT, related_name="reservations", db_index=False
    )

    meal_date_text = models.CharField(max_length=64, blank=True)  # exactly as it was sent
    meal_at = models.DateTimeField(_("time"), null=True)
    party_size = models.PositiveIntegerField(_("party"), null=True)
    status = models.CharField(_("status"), max_length=64, blank=True)
    meal_status = models.CharField(_("arrival"), max_length=64, blank=True)
    customer = models.ForeignKey(
        Customer,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        db_index=False,
        db_column="customer_uuid",
        related_name="reservations",
    )
    customer_note = models.TextField(_("guest's note"), blank=True)
    restaurant_note = models.TextField(_("team note"), blank=True)
    offer_uuid = models.UUIDField(null=True)
    offer_type = models.CharField(_("offer"), max_length=64, blank=True)
    offer_name = models.JSONField(_("name of the offer"), default=dict)  # locale → words
    offer_discount = models.DecimalField(max_digits=15, decimal_places=3, null=True)  # per cent
    offer_menu_type = models.CharField(max_length=64, blank=True)
    offer_price = models.DecimalField(max_digits=15, decimal_places=3, null=True)
    offer_currency = models.CharField(max_length=8, blank=True)
    bill_amount = models.DecimalField(_("bill"), max_digits=15, decimal_places=3, null=True)
    bill_currency = models.CharField(max_length=8, blank=True)
    reservation_channel = models.CharField(_("channel"), max_length=64, blank=True)
    utm = models.JSONField(_("campaign"), default=dict)  # utm_source → value
    custom_fields = models.JSONField(_("custom fields"), default=list)
    created_at = models.DateTimeField(_("booked"), null=True)  # zone not stated: read as UTC
    updated_at = models.DateTimeField(_("updated upstream"), null=True)

    # Local terms, after the restaurant's zone and day start. Minutes count of the local clock
    # from the midnight that begins the service day: 00:30 of the next date is 1470.
    service_day = models.DateField(_("service day"), null=True)
    local_minutes = models.PositiveSmallIntegerField(null=True)
    # The last answers had no bill where an earlier one had: unknown, not deleted (the contract
    # says null also when the order could not be retrieved).
    bill_is_stale = models.BooleanField(default=False)

    objects = ReservationQuerySet.as_manager()

    class Meta:
        indexes = [
            # Every board, list, calendar and export.
            models.Index(
                fields=["restaurant", "service_day", "local_minutes"], name="reservation_board"
            ),
            # The visits of a guest.
            models.Index(fields=["customer", "meal_at"], name="reservation_of_a_guest"),
            # What a sweep's list must name.
            models.Index(fields=["restaurant", "updated_at"], name="reservation_updated"),
            # Requests that wait for the restaurant, on whatever day.
            models.Index(
                fields=["restaurant", "service_day"],
                condition=Q(status="REQUESTED"),
                name="reservation_requested",
            ),
            # Past bookings without an outcome: the worklist, and its count above the board.
            models.Index(
                fields=["restaurant", "service_day"],
                condition=Q(status="RECORDED") & ~Q(meal_status="LEFT"),
                name="reservation_open_past",
            ),
        ]

    def __str__(self) -> str:
        return str(self.uuid)

    def get_absolute_url(self) -> str:
        return reverse("reservations:show", args=[self.uuid])

    @property
    def status_label(self) -> str:
        return label_of(self.status, STATUSES)

    @property
    def meal_status_label(self) -> str:
        return label_of(self.meal_status, MEAL_STATUSES)

    @property
    def channel_label(self) -> str:
        return label_of(self.reservation_channel, CHANNELS)

    @property
    def offer_label(self) -> str:
        """The name of the offer in the reader's language, else in any, else its type in words."""
        for language in (get_language() or "en", "en"):
            for locale, words in self.offer_name.items():
                if locale.split("_")[0] == language:
                    return str(words)
        named = next(iter(self.offer_name.values()), "")
        return named or label_of(self.offer_type, OFFER_TYPES)

    @property
    def offer_kind(self) -> str:
        """The kind of the offer, unless its name contains it."""
        kind = offer_kind(self.offer_type, self.offer_menu_type)
        return "" if kind == self.offer_label else kind

    @property
    def offer_restriction(self) -> str:
        return offer_restriction(self.offer_menu_type)

    @property
    def campaign(self) -> list[tuple[str, str]]:
        """How the booking came online, as labels and values."""
        return [(label_of(key, UTM_KEYS), value) for key, value in self.utm.items()]

    @property
    def meal_local(self) -> datetime | None:
        """The time in the restaurant's local time, without a zone."""
        if self.service_day is None or self.local_minutes is None:
            return None
        return datetime.combine(self.service_day, time()) + timedelta(minutes=self.local_minutes)

    @property
    def why_undated(self) -> str:
        """What is shown instead of a date: there was none, or it cannot be parsed."""
        if self.meal_date_text:
            return gettext("Unreadable date: %(text)s") % {"text": self.meal_date_text}
        return gettext("No date yet")

    @property
    def people(self) -> str:
        return party_in_words(self.party_size)

    @property
    def days_ahead(self) -> int | None:
        """Days from booking to service day on the restaurant's calendar, as insights count them."""
        if self.service_day is None or self.created_at is None:
            return None
        return max(0, (self.service_day - self.restaurant.local(self.created_at).date()).days)

    def set_service_day(self) -> None:
        """Compute service day and local time from the instant and the restaurant."""
        self.service_day, self.local_minutes = service_day_and_minutes(
            self.restaurant, self.meal_at
        )


def service_day_and_minutes(
    restaurant: Restaurant, meal_at: datetime | None
) -> tuple[date | None, int | None]:
    """The service day and local minutes of an instant by the restaurant's clock."""
    if meal_at is None:
        return None, None
    day = restaurant.service_day(meal_at)
    return day, minutes_on(restaurant.local(meal_at), day)


class MovedBooking(models.Model):
    """A booking that was on a service day before it was moved to another day or restaurant."""

    uuid = models.UUIDField()
    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="+", db_index=False)
    day = models.DateField()
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["restaurant", "day"], name="moved_from_a_day")]

    def __str__(self) -> str:
        return f"{self.uuid} {self.day}"


class ReturningGuest(models.Model):
    """A guest with several visits, and the last one; recomputed every night.

    It refers to the guest's uuid only, because the row may survive an erasure for a day.
    """

    customer_uuid = models.UUIDField(primary_key=True)
    group = models.ForeignKey(Group, models.CASCADE, related_name="+")
    visits = models.PositiveIntegerField()
    last_visit_at = models.DateTimeField()

    class Meta:
        indexes = [
            # Returning guests without a recent visit: the filter of the guest list.
            models.Index(fields=["group", "last_visit_at"], name="returning_guest_last_visit")
        ]

    def __str__(self) -> str:
        return str(self.customer_uuid)
