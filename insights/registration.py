"""What insights add to the mirror."""

from insights.models import Counter, Digest
from insights.sums import recount
from lib.registration import Registration
from mirror.kinds import WATCHERS, Watcher
from mirror.processes.clock_jumps import MOMENTS, Moments

REGISTRATION = Registration(
    WATCHERS.add(Watcher("reservation", recount.mark), Watcher("review", recount.mark)),
    MOMENTS.add(Moments(Counter, ("counted_at",)), Moments(Digest, ("claimed_at", "sent_at"))),
)
