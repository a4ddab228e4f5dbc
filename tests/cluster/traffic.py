"""What goes on all the while: people who read pages and write notes, and bookings that change."""

import itertools
import operator
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from http.client import HTTPException
from typing import NamedTuple

from tests.cluster.nodes import Cluster
from tests.faults import storm, truth
from tests.faults.people import PASSWORD, Page, Person

EMAIL = "bob@example.org"
BOB = f"""
from accounts.models import User
from restaurants.models import Group, Membership
bob = User.objects.create_user({EMAIL!r}, {PASSWORD!r})
for group in Group.objects.all():
    Membership.objects.create(user=bob, group=group, role="manager")
"""
# The last ones first: the storm is least likely to end them meanwhile.
TO_COME = """
from django.utils import timezone
from reservations.models import Reservation
rows = Reservation.objects.filter(status="RECORDED", meal_at__gt=timezone.now())
print(*rows.order_by("-meal_at").values_list("uuid", flat=True))
"""
PAGES = (
    "/",
    "/?zoom=list",
    "/reviews/",
    "/health/live",
    "/customers/",
    "/?zoom=pulse",
    "/insights/",
)
SIGN_IN = "/accounts/login/"
EXPORTS = ("/customers/export.csv", "/reviews/export.csv")
EXPORT_EVERY = 20.0  # a person may take 60 an hour
PAGE_EVERY = 0.2
FILES_A_PAGE = 2
SIGNED_OUT = 302  # noted in place of the sign-in page, which is served all right
NOTE_EVERY = 1.0
CHANGES_A_SECOND = 5.0
STATIC = re.compile(r'"(/static/[^"]+\.(?:css|js))"')
HIDDEN = re.compile(r'name="(key|seen)" value="([^"]*)"')


class Failure(NamedTuple):
    at: float
    what: str
    status: int


class Answers:
    """Counts the answers of all, and the longest time between two served pages."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.failures: list[Failure] = []
        self.total = Counter[int]()
        self.begin()

    def begin(self) -> None:
        with self._lock:
            self.statuses = Counter[int]()
            self._served_at, self._longest = time.monotonic(), 0.0

    def note(self, what: str, status: int) -> None:
        now = time.monotonic()
        with self._lock:
            self.statuses[status] += 1
            self.total[status] += 1
            if status == 200:
                self._longest = max(self._longest, now - self._served_at)
                self._served_at = now
            else:
                self.failures.append(Failure(now, what, status))

    @property
    def longest(self) -> float:
        """Also the time that goes on now."""
        with self._lock:
            return max(self._longest, time.monotonic() - self._served_at)


class Repeating(threading.Thread):
    """Does one thing again and again until it is stopped."""

    def __init__(self, do: Callable[[], object], *, pause: Callable[[], float]) -> None:
        super().__init__(daemon=True)
        self._do, self._pause = do, pause
        self._stops = threading.Event()

    def run(self) -> None:
        while not self._stops.wait(self._pause()):
            self._do()

    def stop(self) -> None:
        self._stops.set()
        self.join()


class Browser:
    """A signed-in person behind the proxy. Each page is followed by some of its own files."""

    def __init__(self, address: str, answers: Answers) -> None:
        self._bob = Person(address, EMAIL)
        self.sign_in()
        self._answers = answers
        self._pages = itertools.cycle(PAGES)
        self._exports = itertools.cycle(EXPORTS)
        self._files = itertools.count()

    def sign_in(self) -> None:
        self._bob.sign_in()

    def read(self) -> None:
        page = self.get(next(self._pages))
        found = STATIC.findall(page.text) if page else []
        for _ in range(min(FILES_A_PAGE, len(found))):
            self.get(found[next(self._files) % len(found)])

    def export(self) -> None:
        self.get(next(self._exports))

    def get(self, path: str) -> Page | None:
        return self._noted(f"GET {path}", lambda: self._bob.get(path))

    def post(self, path: str, **fields: str) -> Page | None:
        return self._noted(f"POST {path}", lambda: self._bob.post(path, **fields))

    def _noted(self, what: str, ask: Callable[[], Page]) -> Page | None:
        try:
            page = ask()
        except (OSError, ValueError, HTTPException):  # no answer, or half of one
            self._answers.note(what, 0)
            return None
        if SIGN_IN in page.address:
            self._answers.note(what, SIGNED_OUT)
            return None
        self._answers.note(what, page.status)
        return page


class Writer:
    """Writes a note on one booking after the other, each booking once."""

    def __init__(self, browser: Browser, bookings: list[str]) -> None:
        self._browser = browser
        self._bookings = iter(bookings)
        self.written: dict[str, str] = {}

    def write(self) -> None:
        uuid = next(self._bookings, None)
        page = self._browser.get(f"/reservations/{uuid}/note/") if uuid else None
        fields = dict(HIDDEN.findall(page.text)) if page else {}
        if uuid is None or "key" not in fields:
            return
        note = f"note {len(self.written)}"
        answer = self._browser.post(f"/reservations/{uuid}/note/", note=note, **fields)
        if answer and answer.status == 200:
            self.written[uuid] = note


class Traffic:
    """Readers, a writer and a storm of changes."""

    def __init__(self, cluster: Cluster, *, seed: int, readers: int = 1) -> None:
        self._cluster = cluster
        self._luck = random.Random(seed)  # noqa: S311  # a reproducible storm
        self._known = {kind: list(truth.ours(cluster, kind)) for kind in storm.NAMED.values()}
        self.answers = Answers()
        self.changes = 0
        address = cluster.environment["PUBLIC_URL"]
        self._readers = [Browser(address, self.answers) for _ in range(readers)]
        self._host = Browser(address, self.answers)
        self.writer = Writer(self._host, self._bookings_to_come())
        self._threads: list[Repeating] = []

    def start(self) -> None:
        reading = partial(operator.truediv, PAGE_EVERY, len(self._readers))
        self._threads = [
            Repeating(self._change, pause=lambda: self._luck.expovariate(CHANGES_A_SECOND)),
            Repeating(self.writer.write, pause=lambda: NOTE_EVERY),
            Repeating(self._readers[0].export, pause=lambda: EXPORT_EVERY),
            *(Repeating(one.read, pause=reading) for one in self._readers),
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        for thread in self._threads:
            thread.stop()

    def sign_in(self) -> None:
        for one in (self._host, *self._readers):
            one.sign_in()

    def _change(self) -> None:
        self.changes += storm.happen_once(self._cluster, self._luck, self._known)

    def _bookings_to_come(self) -> list[str]:
        return self._cluster.manage("shell", "--verbosity", "0", "-c", TO_COME).split()
