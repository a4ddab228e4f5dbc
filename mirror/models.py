"""Tables of the mirror: requested reads, jobs, changes between two reads, alerts."""

import platform
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from partner.limits.priorities import CallPriority
from partner.models import Connection

# The heartbeat whose time is the latest that this machine has seen: processes.clock_jumps.
CLOCK = f"clock {platform.node()}"[:32]


class Priority(models.IntegerChoices):
    """Priority of a read; the smallest value is served first."""

    PERSON = 0, _("a person asked")
    EVENT = 1, _("event")
    SWEEP = 2, _("sweep")
    BACKFILL = 3, _("backfill")

    @property
    def of_calls(self) -> CallPriority:
        """That of the calls which the read makes: they have the same names."""
        return CallPriority[self.name]


class SyncRequest(models.Model):
    """The request to read one entity: one row per (kind, uuid), kept for ever. The queue.

    `request_count` counts the requests, `served` the one that the last settled read answered: a
    hundred events cost one GET, and a request that arrives during a GET costs one more.
    `fetch_no` grows at every claim, so that two reads of one entity are ordered without a clock.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        WORKING = "working", _("Being read")
        SETTLED = "settled", _("Settled")
        PARKED = "parked", _("Needs attention")

    kind = models.CharField(max_length=16)
    uuid = models.UUIDField()
    group_uuid = models.UUIDField(null=True)
    restaurant_uuid = models.UUIDField(null=True)
    # The account that is called: none only where no connection was there yet.
    connection = models.ForeignKey(
        Connection, models.SET_NULL, null=True, related_name="+", db_index=False
    )

    request_count = models.PositiveBigIntegerField(default=1)
    served = models.PositiveBigIntegerField(default=0)
    fetch_no = models.PositiveBigIntegerField(default=0)
    # When the oldest open request was made; and the oldest of those that came since the last claim.
    requested_at = models.DateTimeField()
    requested_again_at = models.DateTimeField(null=True)
    priority = models.PositiveSmallIntegerField(choices=Priority, default=Priority.EVENT)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    not_before = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    # Claimed and never settled: a read that kills its worker is parked, for an hour each time.
    crashes = models.PositiveSmallIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    # How many reads were repeated because an event announced news and the answer had none.
    confirms = models.PositiveSmallIntegerField(default=0)

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    slice = models.ForeignKey(
        "Slice", models.SET_NULL, null=True, related_name="requests", db_index=False
    )
    problem = models.CharField(max_length=32, blank=True)
    sentence = models.TextField(blank=True)
    evidence = models.TextField(blank=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "uuid"], name="one_request_per_entity"),
        ]
        indexes = [
            # The next read: mirror.queue.sync_requests.claim.
            models.Index(
                fields=["connection", "priority", "not_before"],
                condition=models.Q(state="waiting"),
                name="request_waiting",
            ),
            # Leases that ran out: mirror.queue.sync_requests.reclaim.
            models.Index(
                fields=["lease_until"], condition=models.Q(state="working"), name="request_working"
            ),
            # The list of what needs a person: the health page.
            models.Index(
                fields=["requested_at"], condition=models.Q(state="parked"), name="request_parked"
            ),
            # What a slice of a backfill or sweep still waits for: mirror.jobs.lifecycle. And what
            # it has named, because a deleted slice looks for that: mirror.jobs.retention.
            models.Index(
                fields=["slice", "state"],
                condition=models.Q(slice__isnull=False),
                name="request_by_slice",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid} {self.state}"


class Mirrored(models.Model):
    """Base of all mirrored entities. Apps add typed columns; `raw` is the complete answer."""

    class Presence(models.TextChoices):
        PRESENT = "present", _("Present")
        GONE = "gone", _("Gone upstream")
        ERASED = "erased", _("Erased here")

    uuid = models.UUIDField(primary_key=True)
    raw = models.TextField()  # the body of the answer, character for character
    presence = models.CharField(max_length=8, choices=Presence, default=Presence.PRESENT)
    version = models.PositiveIntegerField(default=1)  # grows with every difference that is stored
    fetch_no = models.PositiveBigIntegerField(default=0)  # of the read behind this copy
    read_at = models.DateTimeField()  # when that read began
    first_seen_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        abstract = True


class Change(models.Model):
    """One field that differed between two successive reads: the change history.

    The API names neither who nor when; `seen_at` is when the change was read, `actor` is set only
    when the change was sent from here.
    """

    kind = models.CharField(max_length=16)
    uuid = models.UUIDField()
    version = models.PositiveIntegerField()
    seen_at = models.DateTimeField()
    field = models.CharField(max_length=48)
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ["seen_at", "pk"]
        indexes = [models.Index(fields=["kind", "uuid", "seen_at"], name="change_of_an_entity")]

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid} {self.field}"


class Job(models.Model):
    """A backfill or a sweep: a list of slices to be listed and then read."""

    class Purpose(models.TextChoices):
        BACKFILL = "backfill", _("Backfill")
        SWEEP = "sweep", _("Comparison")

    class State(models.TextChoices):
        RUNNING = "running", _("Running")
        PAUSED = "paused", _("Paused")
        CANCELLED = "cancelled", _("Cancelled")
        DONE = "done", _("Done")

    purpose = models.CharField(max_length=8, choices=Purpose)
    state = models.CharField(max_length=9, choices=State, default=State.RUNNING)
    since = models.DateField()
    until = models.DateField()
    # What one account answers: a job that waits for one holds up no other's.
    connection = models.ForeignKey(Connection, models.CASCADE, null=True, related_name="+")
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-started_at"]

    def __str__(self) -> str:
        return f"{self.purpose} {self.since}..{self.until} {self.state}"

    @property
    def is_open(self) -> bool:
        return self.state in (self.State.RUNNING, self.State.PAUSED)


class Slice(models.Model):
    """One listing of a job: a kind, a place, a few days. It is the unit that survives a restart."""

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        LISTING = "listing", _("Listing")
        READING = "reading", _("Reading")
        DONE = "done", _("Done")
        FAILED = "failed", _("Needs attention")
        SHORT = "short", _("Will be refreshed later")

    job = models.ForeignKey(Job, models.CASCADE, related_name="slices")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=16)
    group_uuid = models.UUIDField(null=True)
    restaurant_uuid = models.UUIDField(null=True)
    since = models.DateField()
    until = models.DateField()
    by = models.CharField(max_length=16)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    not_before = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    was_refused = models.BooleanField(default=False, db_default=False)  # mirror.jobs.listing_faults
    listing_began_at = models.DateTimeField(null=True)
    found = models.PositiveIntegerField(default=0)
    repaired = models.PositiveIntegerField(default=0)
    sentence = models.TextField(blank=True)
    done_at = models.DateTimeField(null=True)
    # What the copy holds of these days, if the listing named far less: mirror.jobs.short_lists. And
    # how often in a row it did, since when.
    held = models.PositiveIntegerField(default=0)
    short_count = models.PositiveSmallIntegerField(default=0)
    short_since = models.DateTimeField(null=True)
    # A later listing took over unread rows of this one: it is whole only when those are read.
    waits_for = models.ManyToManyField("self", symmetrical=False, related_name="waited_for_by")

    class Meta:
        ordering = ["position"]
        indexes = [
            # The next listing: mirror.jobs.lifecycle.advance.
            models.Index(
                fields=["job", "position"],
                condition=~models.Q(state="done"),
                name="slice_still_open",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.since}..{self.until} {self.state}"

    @property
    def priority(self) -> Priority:
        """That of the reads to which the listing leads."""
        return Priority.SWEEP if self.job.purpose == Job.Purpose.SWEEP else Priority.BACKFILL


class Completeness(models.Model):
    """The instant up to which every change of a kind at a restaurant has been read."""

    WHOLE_GROUP = UUID(int=0)  # instead of NULL, which SQLite cannot hold unique

    kind = models.CharField(max_length=16)
    group_uuid = models.UUIDField()
    restaurant_uuid = models.UUIDField(default=WHOLE_GROUP)
    complete_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "group_uuid", "restaurant_uuid"],
                name="one_completeness_per_kind_and_place",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} complete at {self.complete_at}"


class Drift(models.Model):
    """A field, word or type in an answer that the contract does not have: counted, no error.

    Counted and deleted by mirror.drift.
    """

    kind = models.CharField(max_length=16)
    finding = models.CharField(max_length=200)
    count = models.PositiveIntegerField(default=0)
    share = models.FloatField(default=0, db_default=0)  # of the last answers, for a missing field
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "finding"], name="one_drift_row")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.finding}"


class CopyCheck(models.Model):
    """How far the copy of a kind was searched for answers about another entity.

    Unused: the version before still searches. The table goes away with the next one.
    """

    kind = models.CharField(max_length=16, unique=True)
    last_uuid = models.UUIDField(default=UUID(int=0))
    checked = models.PositiveBigIntegerField(default=0)
    found = models.PositiveBigIntegerField(default=0)
    done_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.kind}: {self.checked} checked, {self.found} found"


class HeartbeatQuerySet(models.QuerySet["Heartbeat"]):
    def note_clock(self, *, now: datetime) -> None:
        """Remember how far the clock of this machine has come. One query; never set back.

        Before a due time is stored: a clock that is ahead for a second only may be right again
        before a watch looks.
        """
        if not self.filter(name=CLOCK, at__lt=now).update(at=now):
            self.get_or_create(name=CLOCK, defaults={"at": now})


class Heartbeat(models.Model):
    """When a process last ran its loop, or when the last event arrived."""

    name = models.CharField(max_length=32, unique=True)
    at = models.DateTimeField()
    # Which process it was: machine and number. Only beat has one, because one of several leads.
    process = models.CharField(max_length=80, default="", db_default="")

    objects = HeartbeatQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"


class ScheduledTask(models.Model):
    """When a task of the schedule was last offered, by the clock of the database.

    A beat that takes over goes on from here: nothing is offered early, and nothing left out.
    """

    name = models.CharField(max_length=64, unique=True)
    offered_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.name} at {self.offered_at}"


class Alert(models.Model):
    """A fault of which people are notified: once an hour while it lasts, once when it is over."""

    cause = models.CharField(max_length=64)
    # Whose fault it is: its owners are notified. Of the machine's, whoever runs it.
    connection = models.ForeignKey(Connection, models.CASCADE, null=True, related_name="+")
    sentence = models.TextField()
    # The sentence by language, for readers of others.
    translations = models.JSONField(null=True)
    opened_at = models.DateTimeField()
    notified_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-opened_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["cause", "connection"],
                condition=models.Q(closed_at=None),
                name="one_open_alert_per_account",
            ),
            # NULLs differ from each other, above.
            models.UniqueConstraint(
                fields=["cause"],
                condition=models.Q(closed_at=None, connection=None),
                name="one_open_alert_of_machine",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.cause} since {self.opened_at}"
