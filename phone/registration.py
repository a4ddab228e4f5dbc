"""What the telephone adds to other apps."""

from django.utils.translation import gettext_lazy as _

from accounts import audit
from customers import personal_data as guest_data
from customers.profile import pages as profile
from lib.registration import Registration
from mirror.processes.clock_jumps import MOMENTS, Moments
from outbox.registry import ACTIONS
from phone import actions, milestones, personal_data
from phone.calls import counts, guest_panel
from phone.models import Call, PhoneSystem
from restaurants.only_connection import BELONGING
from restaurants.setup.links import SETUP_LINKS, SetupLink
from restaurants.shell import MENU_SECTIONS, QUEUES, MenuSection, Queue

REGISTRATION = Registration(
    audit.LABELS.add(audit.VerbLabels("phone.report_milestone", milestones.LABELS)),
    MOMENTS.add(
        Moments(PhoneSystem, ("used_at",)),
        Moments(Call, ("checked_at",)),
    ),
    BELONGING.add(PhoneSystem),
    ACTIONS.add(*actions.OWN_ACTIONS),
    QUEUES.add(
        Queue(
            label=_("Missed calls"),
            url_name="phone:index",
            query="outcome=missed",
            count=counts.waiting,
        )
    ),
    profile.PANELS.add(*guest_panel.PANELS),
    guest_data.PROVIDERS.add(personal_data.PROVIDER),
    MENU_SECTIONS.add(
        MenuSection(
            place=50,
            name="phone",
            label=_("Calls"),
            icon="calls",
            keys="g c",
            rights=("phone.view_call",),
        )
    ),
    SETUP_LINKS.add(
        SetupLink(
            place=70,
            url_name="telephone:index",
            icon="calls",
            title=_("Telephone"),
            text=_("The address for your telephone system, and the steps of its installation."),
            right="phone.change_system",
        )
    ),
)
