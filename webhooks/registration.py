"""What the receiver adds to the mirror."""

from lib.registration import Registration
from mirror.health.sections import CHECKS
from mirror.processes.clock_jumps import MOMENTS, Moments
from webhooks.health import section
from webhooks.models import Delivery

REGISTRATION = Registration(
    CHECKS.add(section),
    MOMENTS.add(Moments(Delivery, ("received_at", "routed_at"))),
)
