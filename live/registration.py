"""What live adds to the apps below."""

from lib.registration import Registration
from restaurants.web_app.parts import WORKER_PARTS

REGISTRATION = Registration(WORKER_PARTS.add("push"))
