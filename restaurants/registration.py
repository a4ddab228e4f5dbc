"""What restaurants add to the apps below."""

from accounts.sign_in.passwords import WORD_SOURCES
from lib.registration import Registration
from partner.setup_pages.probes import PROBE_PLACES
from restaurants.people.reach import names_of_places
from restaurants.places.probe_place import place_to_try

REGISTRATION = Registration(
    PROBE_PLACES.add(place_to_try),
    WORD_SOURCES.add(names_of_places),
)
