"""Call priorities: the timeout of a call and its share of the rate limit, by who waits for it.

A person may spend permits ahead of the even rate, a backfill may not, so a person never queues
behind a backfill.
"""

from enum import Enum


class CallPriority(Enum):
    """`patience`: seconds after which a read gives up, waiting and trying again included.
    `headroom`: seconds ahead of the even rate that it may spend (`limits/throttle.py`).

    The pace keeps 3 % of each minute in reserve (1.8 s of it): all of it is for people. A backfill
    has a quarter of a second only, so that a late wake-up does not waste what was due.
    """

    PERSON = (8.0, 1.8)
    GLANCE = (2.5, 1.8)  # a person who sees our own copy already, with a caller on the line
    EVENT = (25.0, 0.9)
    SWEEP = (25.0, 0.4)
    BACKFILL = (25.0, 0.25)

    def __init__(self, patience: float, headroom: float) -> None:
        self.patience = patience
        self.headroom = headroom

    @property
    def is_of_a_person(self) -> bool:
        return self is CallPriority.PERSON
