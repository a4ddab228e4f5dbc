"""What restaurants add to the apps below."""

from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.rights import Role
from accounts.sign_in.passwords import WORD_SOURCES
from lib.registration import Registration
from partner.group_moves import GROUP_MOVES
from partner.setup_pages.probes import PROBE_PLACES
from partner.setup_pages.sizes import CONNECTION_SIZES, ConnectionSize
from restaurants.group_moves.by_name import move_by_name
from restaurants.models import Group, Restaurant
from restaurants.people.reach import names_of_places
from restaurants.places.probe_place import place_to_try
from restaurants.setup.links import OWN_LINKS, SETUP_LINKS
from restaurants.setup.pages import SETUP_STEPS
from restaurants.setup.steps import OWN_STEPS
from restaurants.shell import MENU_SECTIONS, MenuSection
from restaurants.web_app.parts import OWN_PARTS, WORKER_PARTS

REGISTRATION = Registration(
    CONNECTION_SIZES.add(
        ConnectionSize(place=10, label=_("Groups"), model=Group, path="connection"),
        ConnectionSize(
            place=20, label=_("Restaurants"), model=Restaurant, path="group__connection"
        ),
    ),
    audit.LABELS.add(audit.VerbLabels("invited a person", dict(Role.choices))),
    PROBE_PLACES.add(place_to_try),
    GROUP_MOVES.add(move_by_name),
    WORD_SOURCES.add(names_of_places),
    MENU_SECTIONS.add(
        MenuSection(
            place=60,
            name="setup",
            label=_("Setup"),
            icon="setup",
            keys="g s",
            rights=("restaurants.change_restaurant", "partner.change_connection"),
        )
    ),
    SETUP_LINKS.add(*OWN_LINKS),
    SETUP_STEPS.add(*OWN_STEPS),
    WORKER_PARTS.add(*OWN_PARTS),
)
