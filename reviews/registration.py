"""What reviews add to other apps."""

from django.utils.translation import gettext_lazy as _

from customers import personal_data as guest_data
from customers.personal_data import of_erased_guest
from customers.profile import pages as profile
from lib.registration import Registration
from live.push.kinds import PUSH_KINDS
from mirror.kinds import KINDS, Kind
from mirror.processes.clock_jumps import MOMENTS, Moments
from outbox.registry import ACTIONS
from partner.setup_pages.sizes import CONNECTION_SIZES, ConnectionSize
from reservations.details import pages as booking_page
from reservations.guest_panels import visits
from restaurants.service_days import RECOMPUTERS
from restaurants.shell import MENU_SECTIONS, QUEUES, MenuSection, Queue
from restaurants.tour.steps import TOUR_STEPS
from reviews import actions, personal_data, sync
from reviews.alerts import counts
from reviews.details.angry_review import ANGRY_REVIEW
from reviews.guest_panels import guest_panel, visit_panel
from reviews.models import Presence, ReplyStep, Review, ReviewAlert, Work
from reviews.push_messages.kinds import PUSH_KINDS_OF_REVIEWS

REVIEW = Kind(
    name="review",
    label=_("Review"),
    model=Review,
    fetch=sync.fetch,
    build=sync.build,
    list=sync.list_uuids,
    held=sync.held,
    known=sync.known,
    related=sync.related,
    reread=sync.reread,
    change_labels=sync.CHANGE_LABELS,
    stored=personal_data.stored,
    is_of_erased=of_erased_guest,
)

REGISTRATION = Registration(
    CONNECTION_SIZES.add(
        ConnectionSize(
            place=50, label=_("Reviews"), model=Review, path="restaurant__group__connection"
        )
    ),
    TOUR_STEPS.add(ANGRY_REVIEW),
    KINDS.add(REVIEW),
    RECOMPUTERS.add(sync.CLOCK_COLUMNS.recompute),
    MOMENTS.add(
        Moments(Work, ("drafted_at", "problem_at", "sent_at", "archived_at")),
        Moments(Presence, ("seen_at",)),
        Moments(ReplyStep, ("at",)),
        Moments(ReviewAlert, ("at", "seen_at", "mailed_at")),
    ),
    ACTIONS.add(*actions.OWN_ACTIONS),
    QUEUES.add(
        Queue(label=_("Low ratings"), url_name="reviews:alerts", count=counts.low, is_urgent=True),
        Queue(label=_("Assigned to you"), url_name="reviews:alerts", count=counts.assigned),
    ),
    PUSH_KINDS.add(*PUSH_KINDS_OF_REVIEWS),
    profile.PANELS.add(guest_panel.PANEL),
    visits.EXTRAS.add(visit_panel.COLUMN),
    booking_page.PANELS.add(visit_panel.PANEL),
    guest_data.PROVIDERS.add(personal_data.PROVIDER),
    MENU_SECTIONS.add(
        MenuSection(
            place=30,
            name="reviews",
            label=_("Reviews"),
            icon="reviews",
            keys="g r",
            rights=("reviews.view_review",),
        )
    ),
)
