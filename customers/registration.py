"""What guests add to other apps, and to the pages of this one."""

from django.utils.translation import gettext_lazy as _

from customers import sync
from customers.guest_list import pages as guest_list
from customers.models import Customer, DuplicateScore, InternalNote, NoteDecision
from customers.privacy import health as privacy_health
from customers.profile import panels
from customers.profile.pages import PANELS
from customers.search import quick_search
from lib.registration import Registration
from mirror.health.sections import CHECKS
from mirror.kinds import KINDS, Kind
from mirror.processes.clock_jumps import MOMENTS, Moments
from partner.setup_pages.sizes import CONNECTION_SIZES, ConnectionSize
from restaurants.shell import MENU_SECTIONS, MenuSection

CUSTOMER = Kind(
    name="customer",
    label=_("Guest"),
    model=Customer,
    fetch=sync.fetch,
    build=sync.build,
    list=sync.list_uuids,
    held=sync.held,
    is_of_group=True,
    change_labels=sync.CHANGE_LABELS,
)

REGISTRATION = Registration(
    CONNECTION_SIZES.add(
        ConnectionSize(place=40, label=_("Guests"), model=Customer, path="group__connection")
    ),
    KINDS.add(CUSTOMER),
    MOMENTS.add(
        Moments(DuplicateScore, ("found_at",)),
        Moments(InternalNote, ("changed_at",)),
        Moments(NoteDecision, ("decided_at",)),
    ),
    CHECKS.add(privacy_health.section),
    PANELS.add(*panels.OWN_PANELS),
    guest_list.FILTERS.add(*guest_list.OWN_FILTERS),
    guest_list.COLUMNS.add(*guest_list.OWN_COLUMNS),
    quick_search.SEARCH_PROVIDERS.add(quick_search.RESTAURANTS),
    MENU_SECTIONS.add(
        MenuSection(
            place=20,
            name="customers",
            label=_("Guests"),
            icon="guests",
            keys="g g",
            rights=("customers.view_customer",),
        )
    ),
)
