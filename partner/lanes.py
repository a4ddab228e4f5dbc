"""Who is waiting for an answer: a person, a person at a glance, an event, a sweep or a backfill.

A lane says how long a call may take altogether and how far ahead of the even pace it may go:
what a person may borrow, a backfill may not, so a person never queues behind one.
"""

from enum import Enum


class Lane(Enum):
    PERSON = "person"
    GLANCE = "glance"  # a person who has our own answer already, with a caller on the line
    EVENT = "event"
    SWEEP = "sweep"
    BACKFILL = "backfill"

    @property
    def patience(self) -> float:
        """Seconds after which a read gives up, waiting and trying again included."""
        return PATIENCE[self]

    @property
    def headroom(self) -> float:
        """Seconds ahead of the even pace that this lane may spend (see `partner/throttle.py`)."""
        return HEADROOM[self]


PATIENCE = {
    Lane.PERSON: 8.0,
    Lane.GLANCE: 2.5,
    Lane.EVENT: 25.0,
    Lane.SWEEP: 25.0,
    Lane.BACKFILL: 25.0,
}
# The pace keeps 3 % of each minute in reserve (1.8 s of it): all of it is for people. A backfill
# has a quarter of a second only, so that a late wake-up does not waste what was due.
HEADROOM = {
    Lane.PERSON: 1.8,
    Lane.GLANCE: 1.8,
    Lane.EVENT: 0.9,
    Lane.SWEEP: 0.4,
    Lane.BACKFILL: 0.25,
}
