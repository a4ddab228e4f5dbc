"""What reservations add to other apps."""

from django.utils.translation import gettext_lazy as _

from accounts import audit
from customers import personal_data as guest_data
from customers.guest_list import pages as guest_list
from customers.note_decisions.deciding import FOLLOWERS
from customers.personal_data import of_erased_guest
from customers.profile.pages import PANELS
from customers.search.quick_search import SEARCH_PROVIDERS
from customers.search.ranking import BOOKING_FINDERS
from lib.registration import Registration
from live.push.kinds import PUSH_KINDS
from mirror.kinds import KINDS, WATCHERS, Kind, Watcher
from mirror.processes.clock_jumps import MOMENTS, Moments
from outbox.registry import ACTIONS
from partner.setup_pages.sizes import CONNECTION_SIZES, ConnectionSize
from reservations import actions, moved_groups, personal_data, sync
from reservations.briefing import moved_bookings
from reservations.calendar_feed.models import Feed
from reservations.day_board.late_party import LATE_PARTY
from reservations.guest_panels import list_columns, next_bookings, other_notes, visits
from reservations.host_marks.models import HostMarkKind
from reservations.models import (
    ArrivalTracking,
    HostMark,
    KitchenAcknowledgement,
    MovedBooking,
    PrintedBriefing,
    Reservation,
)
from reservations.push_messages import notices as push_notices
from reservations.push_messages.kinds import PUSH_KINDS_OF_BOOKINGS
from reservations.service_day import guest_changes
from reservations.service_day.recompute import recompute_service_days
from reservations.worklists import counts
from restaurants.group_moves.moving import GROUP_FOLLOWERS, GroupFollower
from restaurants.service_days import RECOMPUTERS
from restaurants.shell import MENU_SECTIONS, QUEUES, MenuSection, Queue
from restaurants.tour.steps import TOUR_STEPS

RESERVATION = Kind(
    name="reservation",
    label=_("Booking"),
    model=Reservation,
    fetch=sync.fetch,
    build=sync.build,
    list=sync.list_uuids,
    held=sync.held,
    related=sync.related,
    change_labels=sync.CHANGE_LABELS,
    essential=("mealDate", "partySize", "status"),
    stored=personal_data.stored,
    is_of_erased=of_erased_guest,
)

REGISTRATION = Registration(
    CONNECTION_SIZES.add(
        ConnectionSize(
            place=30, label=_("Bookings"), model=Reservation, path="restaurant__group__connection"
        )
    ),
    audit.LABELS.add(
        audit.VerbLabels("marked a booking", dict(HostMarkKind.choices)),
        audit.VerbLabels("took a mark back", dict(HostMarkKind.choices)),
    ),
    KINDS.add(RESERVATION),
    WATCHERS.add(
        Watcher("reservation", moved_bookings.note),
        Watcher("reservation", push_notices.note_bookings),
        Watcher("customer", push_notices.note_guests),
        Watcher("customer", guest_changes.follow),
    ),
    FOLLOWERS.add(guest_changes.follow_decision),
    GROUP_FOLLOWERS.add(GroupFollower("bookings", 10, moved_groups.sentence)),
    TOUR_STEPS.add(LATE_PARTY),
    PUSH_KINDS.add(*PUSH_KINDS_OF_BOOKINGS),
    RECOMPUTERS.add(recompute_service_days),
    MOMENTS.add(
        Moments(ArrivalTracking, ("measured_at", "stays_at")),
        Moments(KitchenAcknowledgement, ("seen_at",)),
        Moments(HostMark, ("made_at",)),
        Moments(PrintedBriefing, ("printed_at",)),
        Moments(MovedBooking, ("at",)),
        Moments(Feed, ("used_at",)),
    ),
    ACTIONS.add(*actions.OWN_ACTIONS),
    QUEUES.add(
        Queue(
            label=_("Requests, all days"), url_name="reservations:requests", count=counts.waiting
        ),
        Queue(label=_("No date yet"), url_name="reservations:requests", count=counts.undated),
    ),
    PANELS.add(*visits.VISIT_PANELS, other_notes.GUEST_PANEL),
    guest_list.FILTERS.add(*list_columns.GUEST_LIST_FILTERS),
    guest_list.COLUMNS.add(*list_columns.GUEST_LIST_COLUMNS),
    SEARCH_PROVIDERS.add(list_columns.SEARCH_PROVIDER),
    BOOKING_FINDERS.add(next_bookings.BOOKING_FINDER),
    guest_data.PROVIDERS.add(personal_data.PROVIDER),
    MENU_SECTIONS.add(
        MenuSection(
            place=10,
            name="reservations",
            label=_("Today"),
            icon="today",
            keys="g t",
        )
    ),
)
