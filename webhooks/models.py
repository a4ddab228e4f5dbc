"""Deliveries of the service, byte for byte, and hourly counts of them."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from lib.database.inline_params import inline
from lib.labels import label_of, readable
from mirror.health.reach import places_of, requests_here
from mirror.models import SyncRequest
from partner.models import Connection, Slot
from restaurants.models import Group, Restaurant
from webhooks import events

SLICE = 1000  # rows of one delete
KEEP_COUNTS = timedelta(days=92)  # a quarter: thirteen samples of each hour of the week


def _is_here(model: type[models.Model], name: str, *, account: str) -> Q:
    """Whether what a delivery names, if anything, is set up here for its account."""
    found = model._default_manager.filter(uuid=OuterRef(name))
    own = found.filter(Q(**{account: None}) | Q(**{account: OuterRef("connection")}))
    return Q(**{name: None}) | Q(Exists(own)) | Q(Exists(found), connection=None)


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def visible_to(self, user: User) -> Self:
        """Deliveries about restaurants where the user may see deliveries.

        A delivery without a restaurant belongs to that of its entity. One that belongs to none, or
        names two groups, is visible to the owners of the connection whose token it came with.
        """
        if user.owns_installation:
            return self
        own = Q(connection__in=user.owned_connection_ids)
        places = places_of(user).values("uuid")
        entities = SyncRequest.objects.filter(requests_here(user)).values("uuid")
        mine = Q(restaurant_uuid__in=places) | Q(restaurant_uuid=None, uuid__in=entities)
        misplaced = [Delivery.Reason.NOT_OURS, Delivery.Reason.TWO_GROUPS]
        return self.filter(own | mine & ~Q(reason__in=misplaced))

    def waiting(self) -> Self:
        """Deliveries not routed yet, including those over the cap of unknown entities."""
        return self.filter(state__in=inline(Delivery.State.NEW, Delivery.State.HELD))

    def for_log(self) -> Self:
        """The newest first, as the log shows them."""
        return self.order_by("-pk")

    def odd(self) -> Self:
        return self.filter(state=Delivery.State.ODD)

    def route_again(self) -> int:
        """Put deliveries back where the router finds them. Returns how many."""
        return self.update(state=Delivery.State.NEW, reason="", routed_at=None)

    def perhaps_placed(self) -> Self:
        """Deliveries that had no place here and may have one since: those of restaurants first.

        Places of other accounts never count: their events would hold up all others for good.
        """
        found = self.odd().filter(
            _is_here(Group, "group_uuid", account="connection"),
            _is_here(Restaurant, "restaurant_uuid", account="group__connection"),
            reason=Delivery.Reason.NOT_OURS,
        )
        named = found.exclude(group_uuid=None, restaurant_uuid=None)
        return named.order_by(F("restaurant_uuid").asc(nulls_last=True), "-pk")

    def delete_old(self, *, now: datetime) -> int:
        """Delete routed deliveries older than `WEBHOOK_KEEP_DAYS`; waiting ones stay.

        In slices, because a delete of a million rows would hold up every delivery meanwhile.
        """
        before = now - timedelta(days=settings.WEBHOOK_KEEP_DAYS)
        done = [Delivery.State.ROUTED, Delivery.State.IGNORED, Delivery.State.ODD]
        old = self.filter(received_at__lt=before, state__in=done)
        forgotten = 0
        while pks := list(old.order_by("received_at").values_list("pk", flat=True)[:SLICE]):
            forgotten += self.filter(pk__in=pks).delete()[0]
        HourlyCount.objects.filter(hour__lt=now - KEEP_COUNTS).delete()
        return forgotten


# What to do about a delivery that was not processed, by its reason.
NEXT_STEPS = {
    "not_ours": _("Add its restaurant under Setup → Restaurants. It is then processed by itself."),
    "two_groups": _("Compare both identifiers under Setup → Restaurants."),
    "unknown_word": _("Nothing is lost: the hourly comparison finds what changed."),
    "too_many": _("It is processed by itself."),
}
UNREADABLE = _("The hourly comparison finds what changed. If it repeats, tell the service’s team.")


class Delivery(models.Model):
    """One event as received. It is stored before the 200, because the service never repeats it
    after.

    The receiver writes only the first group of columns; the router parses the bytes later.
    """

    class State(models.TextChoices):
        NEW = "new", _("New")
        HELD = "held", _("Held back")
        ROUTED = "routed", _("Processed")
        IGNORED = "ignored", _("Ignored")
        ODD = "odd", _("Unrecognised")

    class Reason(models.TextChoices):
        """Why a delivery is ignored, odd or held back."""

        NO_JSON = "no_json", _("The body is not JSON.")
        NO_OBJECT = "no_object", _("The body is JSON, but not an object.")
        NO_WORDS = "no_words", _("It does not say what changed: entityType or eventType is absent.")
        NO_UUID = "no_uuid", _("It does not say which entity changed: uuid is absent.")
        BAD_UUID = "bad_uuid", _("One of its ids is not a uuid.")
        NOT_OURS = "not_ours", _("It belongs to no restaurant that is set up here.")
        TWO_GROUPS = "two_groups", _("It names a restaurant and the group of another.")
        UNKNOWN_WORD = "unknown_word", _("This version does not know this type of event.")
        TOO_MANY = "too_many", _("Too many unknown entities in one minute; it waits its turn.")

    received_at = models.DateTimeField()
    raw = models.BinaryField()
    size = models.PositiveIntegerField()
    slot = models.CharField(max_length=8, choices=Slot)  # which token, never the token
    # Whose token it was.
    connection = models.ForeignKey(
        Connection, models.SET_NULL, null=True, related_name="+", verbose_name=_("connection")
    )

    state = models.CharField(max_length=8, choices=State, db_default=State.NEW)
    entity_type = models.CharField(max_length=32, db_default="")
    event_type = models.CharField(max_length=48, db_default="")
    uuid = models.UUIDField(null=True)
    restaurant_uuid = models.UUIDField(null=True)
    group_uuid = models.UUIDField(null=True)
    # The first event about an unknown entity: these are capped per minute.
    is_first_sight = models.BooleanField(db_default=False)
    reason = models.CharField(max_length=16, choices=Reason, blank=True, db_default="")
    routed_at = models.DateTimeField(null=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        indexes = [
            # The log, the rate, the purge.
            models.Index(fields=["received_at"], name="delivery_received"),
            # The next ones to route: webhooks.routing.route_new.
            models.Index(
                fields=["state", "id"], condition=Q(state__in=["new", "held"]), name="delivery_due"
            ),
            # What needs a person: the health page and the log's filter.
            models.Index(fields=["id"], condition=Q(state="odd"), name="delivery_odd"),
            # All deliveries about one entity: the log's search.
            models.Index(
                fields=["uuid"], condition=Q(uuid__isnull=False), name="delivery_of_entity"
            ),
            # How many unknown entities were let in during the last minute: the cap.
            models.Index(
                fields=["routed_at"], condition=Q(is_first_sight=True), name="delivery_first_sight"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.entity_type} {self.event_type} {self.state}"

    @property
    def masked(self) -> str:
        return events.masked(bytes(self.raw))

    @property
    def next_step(self) -> str:
        """What to do about it; nothing about one that was processed."""
        return str(NEXT_STEPS.get(self.reason, UNREADABLE)) if self.reason else ""

    @property
    def event_label(self) -> str:
        """The kind of event as a translated label; the raw word is in the body."""
        if self.event_type:
            return label_of(self.event_type, events.EVENT_LABELS)
        return readable(self.entity_type)


def hour_of(instant: datetime) -> datetime:
    return instant.replace(minute=0, second=0, microsecond=0)


class CountKey(NamedTuple):
    """Key of a count: what, in which hour, at which restaurant."""

    what: str
    hour: datetime
    restaurant: str = ""


class HourlyCountManager(models.Manager["HourlyCount"]):
    def add(self, counted: Iterable[tuple[CountKey, int]]) -> None:
        """Add to the hour's counts, in a fixed order, so that two processes cannot deadlock."""
        for each, count in sorted(counted):
            same = self.filter(**each._asdict())
            if same.update(count=F("count") + count):
                continue
            self.bulk_create([HourlyCount(**each._asdict())], ignore_conflicts=True)
            same.update(count=F("count") + count)


class HourlyCount(models.Model):
    """How often something happened in an hour. Kept longer than deliveries: the usual rate."""

    class What(models.TextChoices):
        ROUTED = "routed", _("Processed")
        IGNORED = "ignored", _("Ignored")
        ODD = "odd", _("Unrecognised")
        # The rest never became a delivery.
        WRONG_TOKEN = "wrong_token", _("Wrong token")  # noqa: S105 - a word, not a secret
        UNAVAILABLE = "unavailable", _("Database unavailable")
        INCOMPLETE = "incomplete", _("Incomplete")
        OVERSIZE = "oversize", _("Too large")
        NOT_NOTIFIED = "unhinted", _("Worker not woken")

    hour = models.DateTimeField()
    what = models.CharField(max_length=12, choices=What)
    restaurant = models.CharField(max_length=36, blank=True)
    count = models.PositiveBigIntegerField(default=0)

    objects = HourlyCountManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hour", "what", "restaurant"], name="one_hourly_count")
        ]

    def __str__(self) -> str:
        return f"{self.hour:%Y-%m-%d %H}h {self.what} {self.count}"
