"""Call priorities: the timeout of a call and its share of the rate limit, by who waits for it.

A person may spend permits ahead of the even rate, a backfill may not, so a person never queues
behind a backfill.
"""

from enum import Enum


class CallPriority(Enum):
    PERSON = "person"
    GLANCE = "glance"  # a person who sees our own copy already, with a caller on the line
    EVENT = "event"
    SWEEP = "sweep"
    BACKFILL = "backfill"

    @property
    def patience(self) -> float:
        """Seconds after which a read gives up, waiting and trying again included."""
        return PATIENCE[self]

    @property
    def headroom(self) -> float:
        """Seconds ahead of the even rate that this priority may spend (`limits/throttle.py`)."""
        return HEADROOM[self]


PATIENCE = {
    CallPriority.PERSON: 8.0,
    CallPriority.GLANCE: 2.5,
    CallPriority.EVENT: 25.0,
    CallPriority.SWEEP: 25.0,
    CallPriority.BACKFILL: 25.0,
}
# The pace keeps 3 % of each minute in reserve (1.8 s of it): all of it is for people. A backfill
# has a quarter of a second only, so that a late wake-up does not waste what was due.
HEADROOM = {
    CallPriority.PERSON: 1.8,
    CallPriority.GLANCE: 1.8,
    CallPriority.EVENT: 0.9,
    CallPriority.SWEEP: 0.4,
    CallPriority.BACKFILL: 0.25,
}
