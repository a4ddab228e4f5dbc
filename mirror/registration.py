"""What the mirror adds to the pages of every app."""

from django.utils.translation import gettext_lazy as _

from accounts.models import PasswordResetRequest, Pin, PushDevice, QueuedMail
from lib.registration import Registration
from live.models import Announcement, PushEvent, PushMessage
from live.push.kinds import PUSH_KINDS
from mirror.health import (
    account_sections,
    alerts,
    clocks,
    freshness,
    push_messages,
    refused_places,
    upstream,
)
from mirror.health.outage import OUTAGE
from mirror.health.sections import ACCOUNT_CHECKS, CHECKS
from mirror.jobs import pages as jobs_pages
from mirror.jobs import short_lists
from mirror.models import Alert, Change, Completeness, Heartbeat, Job, Slice, SyncRequest
from mirror.processes.clock_jumps import MOMENTS, Moments
from mirror.queue import moved_groups, sync_requests
from partner.models import Connection, TokenRequest
from partner.setup_pages.sizes import CONNECTION_SIZES, ConnectionSize
from restaurants.group_moves.moving import GROUP_FOLLOWERS, GroupFollower
from restaurants.models import AppliedClock
from restaurants.setup.links import SETUP_LINKS, SetupLink
from restaurants.setup.pages import SETUP_STEPS, SetupStep
from restaurants.shell import ALERTS, FRESHNESS
from restaurants.tour.steps import TOUR_STEPS

REGISTRATION = Registration(
    CONNECTION_SIZES.add(
        ConnectionSize(
            place=70,
            label=_("Reads waiting"),
            model=SyncRequest,
            path="connection",
            only=sync_requests.UNREAD,
        ),
    ),
    FRESHNESS.add(freshness.of_shell),
    ALERTS.add(refused_places.of_shell, alerts.of_shell),
    PUSH_KINDS.add(push_messages.PUSH_KIND),
    TOUR_STEPS.add(OUTAGE),
    GROUP_FOLLOWERS.add(GroupFollower("reads", 20, moved_groups.sentence, moved_groups.follow)),
    ACCOUNT_CHECKS.add(
        account_sections.queue_sections,
        upstream.token_sections,
        upstream.api_sections,
        account_sections.freshness_sections,
        account_sections.sweep_sections,
        short_lists.sections,
    ),
    CHECKS.add(upstream.screen_section, clocks.section),
    # The apps below cannot name their own.
    MOMENTS.add(
        Moments(
            SyncRequest,
            ("requested_at", "requested_again_at", "not_before", "lease_until", "settled_at"),
        ),
        Moments(Job, ("started_at", "ended_at")),
        Moments(Slice, ("not_before", "lease_until", "listing_began_at", "done_at", "short_since")),
        Moments(Completeness, ("complete_at",)),
        Moments(Change, ("seen_at",)),
        Moments(Heartbeat, ("at",)),
        Moments(Alert, ("opened_at", "notified_at", "closed_at")),
        Moments(Announcement, ("at",)),
        Moments(AppliedClock, ("noticed_at",)),
        Moments(Pin, ("locked_until",)),
        Moments(PasswordResetRequest, ("requested_at",)),
        Moments(QueuedMail, ("created_at", "not_before")),
        Moments(PushDevice, ("added_at", "accepted_at", "problem_at")),
        Moments(PushEvent, ("at", "expanded_at")),
        Moments(PushMessage, ("not_before",)),
        Moments(TokenRequest, ("requested_at", "answered_at")),
        Moments(Connection, ("webhook_token_used_at", "previous_used_at")),
    ),
    SETUP_LINKS.add(
        SetupLink(
            place=40,
            url_name="mirror:index",
            icon="pulse",
            title=_("Health"),
            text=_("What was read, what waits, and how old it is."),
            right="mirror.view_health",
        )
    ),
    SETUP_STEPS.add(
        SetupStep(
            place=50,
            title=_("First copy"),
            text=_("Read a range of days: today first, then outward."),
            action=_("Start reading"),
            url_name="mirror:backfills",
            progress=jobs_pages.first_copy,
            is_done=Job.objects.filter(purpose=Job.Purpose.BACKFILL, state=Job.State.DONE).exists,
        )
    ),
)
