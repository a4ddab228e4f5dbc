"""Groups, restaurants and memberships, which define who may see what, and saved views of lists."""

import zoneinfo
from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Self
from uuid import uuid4

from auditlog.registry import auditlog
from django.conf import settings
from django.contrib.auth.models import Group as AuthGroup
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.rights import Role
from restaurants.codes import (
    KITCHEN_LANGUAGES,
    validate_colour,
    validate_country,
    validate_currency,
    validate_timezone,
)

# The longest party of each class of stay; larger parties belong to the last class.
STAY_CLASSES = ((2, "stay_up_to_2"), (4, "stay_up_to_4"), (6, "stay_up_to_6"))
STAY_LIMITS = [MinValueValidator(15), MaxValueValidator(600)]  # minutes

# weekday, name, start, end
Period = tuple[int, str, time, time]


class GroupQuerySet(models.QuerySet["Group"]):
    def visible_to(self, user: User, permission: str | None = None) -> Self:
        """Groups of which the person may see a restaurant, or holds `permission` at one."""
        if permission and user.is_barred_from(permission):
            return self.none()
        held = Membership.objects.of(user, permission=permission)
        return self.filter(
            Q(pk__in=held.exclude(group=None).values("group"))
            | Q(pk__in=held.exclude(restaurant=None).values("restaurant__group"))
        )

    def owned_by(self, user: User) -> Self:
        """Groups of the person's connections: all for those who own every connection."""
        if user.owns_installation:
            return self
        return self.filter(connection__in=user.owned_connection_ids)

    def run_by(self, user: User, permission: str) -> Self:
        """Groups where the person holds the permission for the group as a whole."""
        if user.is_barred_from(permission):
            return self.none()
        held = Membership.objects.of(user, permission=permission)
        return self.filter(pk__in=held.exclude(group=None).values("group"))


class Group(models.Model):
    """A restaurant group. Guests belong to it; its restaurants share them."""

    # Empty only as long as there is no connection at all: see `only_connection.py`.
    connection = models.ForeignKey(
        "partner.Connection",
        models.PROTECT,
        null=True,
        editable=False,
        related_name="groups",
        verbose_name=_("connection"),
    )
    uuid = models.UUIDField(_("uuid"), unique=True)
    name = models.CharField(_("name"), max_length=120)
    no_show_hints = models.BooleanField(_("say which bookings are worth a call"), default=False)

    objects = GroupQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("restaurants:edit_group", args=[self.uuid])


class RestaurantQuerySet(models.QuerySet["Restaurant"]):
    def visible_to(self, user: User, permission: str | None = None) -> Self:
        """Restaurants within the person's reach, or where their role carries `permission`.

        One query with two sub-selects, whatever the number of memberships.
        """
        if permission and user.is_barred_from(permission):
            return self.none()
        held = Membership.objects.of(user, permission=permission)
        return self.filter(
            Q(pk__in=held.exclude(restaurant=None).values("restaurant"))
            | Q(group__in=held.exclude(group=None).values("group"))
        )


class Restaurant(models.Model):
    """A restaurant as an admin described it: the API lists none, so nothing here is mirrored."""

    # Identity
    group = models.ForeignKey(Group, models.PROTECT, related_name="restaurants")
    uuid = models.UUIDField(_("uuid"), unique=True)
    name = models.CharField(_("name"), max_length=120)
    short_name = models.CharField(_("short name"), max_length=24, blank=True)
    colour = models.CharField(
        _("colour"), max_length=7, default="#155aa7", validators=[validate_colour]
    )

    # Place
    timezone = models.CharField(_("time zone"), max_length=64, validators=[validate_timezone])
    currency = models.CharField(
        _("currency"), max_length=3, default="EUR", validators=[validate_currency]
    )
    country = models.CharField(_("country"), max_length=2, validators=[validate_country])
    phone = models.CharField(_("telephone line"), max_length=32, blank=True)
    host_app_url = models.URLField(_("link to the reservation app"), blank=True)

    # The kitchen: allergens have names in more languages than the screens
    kitchen_language = models.CharField(
        _("kitchen's language"), max_length=2, blank=True, choices=list(KITCHEN_LANGUAGES.items())
    )

    # Service: none of it is known upstream, so what is drawn from it says "assumed"
    day_start = models.TimeField(_("day starts at"), default=time(4))
    stay_up_to_2 = models.PositiveSmallIntegerField(
        _("stay of 1–2 guests"), default=90, validators=STAY_LIMITS
    )
    stay_up_to_4 = models.PositiveSmallIntegerField(
        _("stay of 3–4 guests"), default=105, validators=STAY_LIMITS
    )
    stay_up_to_6 = models.PositiveSmallIntegerField(
        _("stay of 5–6 guests"), default=120, validators=STAY_LIMITS
    )
    stay_larger = models.PositiveSmallIntegerField(
        _("stay of 7 guests and more"), default=150, validators=STAY_LIMITS
    )

    objects = RestaurantQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("restaurants:edit", args=[self.uuid])

    # Queries

    @property
    def label(self) -> str:
        return self.short_name or self.name

    @cached_property
    def zone(self) -> zoneinfo.ZoneInfo:
        return zoneinfo.ZoneInfo(self.timezone)

    def local(self, instant: datetime) -> datetime:
        return instant.astimezone(self.zone)

    def at(self, day: date, local_time: time) -> datetime:
        """The instant, in UTC, at which the local clock shows a time of a day.

        In the night that skips an hour a skipped time is read as the hour after; in the night
        that repeats one, as the first of the two.
        """
        return datetime.combine(day, local_time, tzinfo=self.zone).astimezone(UTC)

    def day_bounds(self, day: date) -> tuple[datetime, datetime]:
        """The instants between which a service day lies; 23 or 25 hours apart twice a year."""
        return self.at(day, self.day_start), self.at(day + timedelta(days=1), self.day_start)

    def service_day(self, instant: datetime) -> date:
        """The service day of an instant: 00:30 still belongs to yesterday.

        It compares instants, because local times repeat in the night that has an hour twice.
        """
        today = self.local(instant).date()
        return today if instant >= self.at(today, self.day_start) else today - timedelta(days=1)

    def stay(self, party_size: int | None) -> timedelta:
        """How long a party is assumed to stay; an unknown size counts as two."""
        for longest, field in STAY_CLASSES:
            if (party_size or 2) <= longest:
                return timedelta(minutes=getattr(self, field))
        return timedelta(minutes=self.stay_larger)

    # Actions

    def set_service_periods(self, wanted: Iterable["Period"]) -> bool:
        """Replace the periods, and return whether anything changed.

        Row by row and not in bulk, because the audit trail does not see bulk writes.
        """
        kept = {period.as_tuple(): period for period in self.service_periods.all()}
        new = set(wanted)
        for gone in kept.keys() - new:
            kept[gone].delete()
        for weekday, name, start, end in sorted(new - kept.keys()):
            self.service_periods.create(weekday=weekday, name=name, start=start, end=end)
        return kept.keys() != new


def by_service_day(restaurants: Iterable[Restaurant], *, now: datetime) -> dict[date, list[int]]:
    """Restaurants by their present service day; worldwide there are two or three at a time."""
    sharing: dict[date, list[int]] = defaultdict(list)
    for restaurant in restaurants:
        sharing[restaurant.service_day(now)].append(restaurant.pk)
    return sharing


class ServicePeriod(models.Model):
    """A stretch of opening on one weekday, such as dinner. It may pass midnight."""

    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="service_periods")
    weekday = models.PositiveSmallIntegerField(_("weekday"), choices=list(WEEKDAYS.items()))
    name = models.CharField(_("name"), max_length=40)
    start = models.TimeField(_("from"))
    end = models.TimeField(_("until"))

    class Meta:
        ordering = ["weekday", "start"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(start=F("end")), name="service_period_is_not_empty"
            ),
            models.UniqueConstraint(
                fields=["restaurant", "weekday", "start"], name="one_service_period_per_start"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.start:%H:%M}–{self.end:%H:%M}"

    def as_tuple(self) -> Period:
        return self.weekday, self.name, self.start, self.end

    def bounds_on(self, service_day: date) -> tuple[datetime, datetime]:
        """The instants between which the period lies on a service day of its weekday.

        A start before the restaurant's day start lies after midnight, on the next date.
        """
        next_day = service_day + timedelta(days=1)
        first = service_day if self.start >= self.restaurant.day_start else next_day
        last = first if self.end > self.start else first + timedelta(days=1)
        return self.restaurant.at(first, self.start), self.restaurant.at(last, self.end)


class AppliedClockQuerySet(models.QuerySet["AppliedClock"]):
    def due(self) -> Self:
        """Rows whose restaurant's clock differs, or differed a moment ago."""
        same = Q(timezone=F("restaurant__timezone"), day_start=F("restaurant__day_start"))
        return self.exclude(same & Q(noticed="")).select_related("restaurant__group")


class AppliedClock(models.Model):
    """The time zone and day start that a restaurant's stored service days were computed by."""

    restaurant = models.OneToOneField(
        Restaurant, models.CASCADE, primary_key=True, related_name="applied_clock"
    )
    timezone = models.CharField(max_length=64)
    day_start = models.TimeField()
    # The correction in progress, and since when.
    noticed = models.CharField(max_length=96, blank=True)
    noticed_at = models.DateTimeField(null=True)

    objects = AppliedClockQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.restaurant_id} {self.timezone} {self.day_start:%H:%M}"

    def notice(self, *, now: datetime) -> datetime:
        """Record a changed clock, and return since when it has differed."""
        clock = f"{self.restaurant.timezone} {self.restaurant.day_start:%H:%M:%S}"
        if self.noticed != clock or self.noticed_at is None:
            self.noticed, self.noticed_at = clock, now
            self.save(update_fields=["noticed", "noticed_at"])
        return self.noticed_at

    def settle(self) -> None:
        """Record that all rows follow the noticed clock."""
        place = self.restaurant
        self.timezone, self.day_start, self.noticed = place.timezone, place.day_start, ""
        self.save(update_fields=["timezone", "day_start", "noticed"])


class MembershipQuerySet(models.QuerySet["Membership"]):
    def of(self, user: User, *, permission: str | None = None) -> Self:
        held = self.filter(user=user)
        return held.allowing(permission) if permission else held

    def allowing(self, permission: str) -> Self:
        """Memberships whose role carries the permission, written `app.codename`."""
        app, codename = permission.split(".")
        roles = AuthGroup.objects.filter(
            permissions__codename=codename, permissions__content_type__app_label=app
        )
        return self.filter(role__in=roles.values("name"))


class Membership(models.Model):
    """A person's role in a whole group or in one restaurant."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    group = models.ForeignKey(
        Group, models.CASCADE, null=True, blank=True, related_name="memberships"
    )
    restaurant = models.ForeignKey(
        Restaurant, models.CASCADE, null=True, blank=True, related_name="memberships"
    )
    role = models.CharField(_("role"), max_length=16, choices=Role)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(group__isnull=True) ^ Q(restaurant__isnull=True),
                name="membership_is_of_a_group_or_of_a_restaurant",
            ),
            models.UniqueConstraint(fields=["user", "group"], name="one_role_per_person_and_group"),
            models.UniqueConstraint(
                fields=["user", "restaurant"], name="one_role_per_person_and_restaurant"
            ),
        ]

    def __str__(self) -> str:
        """Without the role: the audit trail keeps this text, and its readers have languages."""
        return f"{self.user} · {self.group or self.restaurant}"


class SavedViewQuerySet(models.QuerySet["SavedView"]):
    def visible_to(self, user: User) -> Self:
        """One's own views, and those shared in one's groups."""
        shared = Q(group__in=Group.objects.visible_to(user))
        return self.filter(Q(owner=user, group=None) | shared)

    def changeable_by(self, user: User) -> Self:
        """One's own views, and shared ones for those who run the group."""
        run = Group.objects.run_by(user, "restaurants.change_restaurant")
        return self.visible_to(user).filter(Q(owner=user) | Q(group__in=run))


class SavedView(models.Model):
    """A list's filters saved under a name, for oneself or for a group.

    It stands in this app so that every list above can have some. `query` is the list's
    query string; the list decides which parameters are saved, and who may use them.
    """

    uuid = models.UUIDField(unique=True, default=uuid4)
    page = models.CharField(max_length=32)  # the app whose list it is
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="saved_views")
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="+")
    name = models.CharField(_("name"), max_length=40)
    query = models.CharField(max_length=1000)

    objects = SavedViewQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "page", "name"], name="one_saved_view_per_name"
            ),
        ]

    def __str__(self) -> str:
        return self.name


auditlog.register(Group)
auditlog.register(Restaurant)
auditlog.register(ServicePeriod)
auditlog.register(Membership)

import restaurants.audit_trail.models  # noqa: E402, F401
import restaurants.emergency_access.models  # noqa: E402, F401
import restaurants.invitations.models  # noqa: E402, F401
import restaurants.offline_devices.models  # noqa: E402, F401  # models of this app that need those above
