"""The demo part of `make run`: creates people to sign in as, and connects the sandbox.

    python -m bin.demo STARTED READY

One process does all steps, because loading Django takes longer than all of them. It writes to the
file descriptor READY when the other processes may start. Once all answer, it connects the
dashboard and the sandbox, reads the restaurant that is at dinner, and prints the addresses, with
the seconds since STARTED. The rest is read while people look around.

Nothing here runs outside the demo, and it refuses a `.env` that is meant for production.
"""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError
from django.db.models import F
from django.utils import timezone

from bin import database

ROOT = Path(__file__).resolve().parent.parent
SANDBOX_PORT = os.environ.get("SANDBOX_PORT", "8100")
SANDBOX = f"http://127.0.0.1:{SANDBOX_PORT}"
OWNERS = range(1, int(os.environ.get("DEMO_OWNERS", "1")) + 1)
PATIENCE_SECONDS = 120
EVENING_SECONDS = 20
# What the sandbox's demo world spans.
DAYS_BACK, DAYS_AHEAD = 70, 28
PROGRESS_SECONDS = 10
# The sandbox has no limit. Where none is named the pace begins at five a second and is learnt, and
# tonight's two hundred bookings take seventeen seconds of a newcomer's first minute.
REQUESTS_PER_MINUTE = 18_000
LEAST_SHARE = 30  # read before anybody can say how long the rest will take
NAMES = {"staff": "Sasha Lindqvist", "manager": "Mara Delorme", "admin": "Robin Ashdown"}

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from accounts.models import User  # noqa: E402 - models exist once Django is set up
from accounts.rights import Role  # noqa: E402
from customers.duplicates import scores  # noqa: E402
from customers.models import Customer  # noqa: E402
from lib.encryption import DecryptionFailed  # noqa: E402
from mirror.jobs import pages as jobs_pages  # noqa: E402
from mirror.models import Job  # noqa: E402
from partner.models import Connection, PosIdentity  # noqa: E402
from reservations.guest_panels.list_columns import measure_returning_guests  # noqa: E402
from reservations.models import Reservation  # noqa: E402
from reservations.service_day.bookings import measure_arrival_tracking  # noqa: E402
from restaurants.models import Group, Membership, Restaurant  # noqa: E402
from restaurants.places import colours  # noqa: E402
from reviews.models.alerts import AlertPreferences  # noqa: E402


def sign_ins_file() -> Path:
    return settings.VAR_DIR / "demo.json"


def email_of(role: str, owner: int) -> str:
    return f"{role}{owner if owner > 1 else ''}@demo.example"


def read_sign_ins() -> dict[str, str]:
    """Read the demo's e-mail addresses and passwords; make those that are not known yet."""
    is_new = not sign_ins_file().exists()
    known: dict[str, str] = {} if is_new else json.loads(sign_ins_file().read_text())
    missing = {email_of(role, owner) for owner in OWNERS for role in Role.values} - known.keys()
    if missing:
        known |= {email: secrets.token_urlsafe(12) for email in sorted(missing)}
        write_privately(sign_ins_file(), json.dumps(known, indent=2))
    return known


def write_privately(path: Path, text: str) -> None:
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)


def refuse_production() -> None:
    if settings.HTTPS_ONLY:
        sys.exit(
            "This .env is meant for production (HTTPS_ONLY), and `make run` is the demo with known "
            "sign-ins. Set HTTPS_ONLY=false on a machine of your own, or see docs/deploy.md."
        )


def control(owner: int) -> str:
    """Where the sandbox is steered for one of its owners."""
    return f"{SANDBOX}/owners/{owner}" if owner > 1 else SANDBOX


def world_file(owner: int) -> Path:
    return settings.VAR_DIR / (f"demo-{owner}.toml" if owner > 1 else "demo.toml")


def connection_of(owner: int) -> Connection:
    client_id = tomllib.loads(world_file(owner).read_text())["connection"]["client_id"]
    return Connection.objects.get(client_id=client_id)


def provision(owner: int) -> None:
    """Connect the installation to an account of the sandbox, as an operator would."""
    command = [
        sys.executable,
        "-m",
        "partner_sandbox",
        "world",
        "--provision",
        "--world",
        "demo",
        "--port",
        SANDBOX_PORT,
        "--owner",
        str(owner),
    ]
    world = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    world = world.replace(
        "[connection]\n", f"[connection]\nrequests_per_minute = {REQUESTS_PER_MINUTE}\n", 1
    )
    file = world_file(owner)
    write_privately(file, world)
    if owner > 1:
        connect_another(tomllib.loads(world))
        return
    try:
        with Path(os.devnull).open("w") as silence:
            call_command("provision", str(file), stdout=silence)
    except DecryptionFailed:
        sys.exit(
            "The secrets of this copy were encrypted with other keys than those in .env. "
            "Put the ENCRYPTION_KEYS back, or begin afresh: rm -r var"
        )


def connect_another(world: dict[str, Any]) -> Connection:
    """A further account with its groups: a set-up file changes the first one."""
    account, pos = world["connection"], world["pos"]
    connection = Connection.objects.filter(client_id=account["client_id"]).first()
    if connection is None:
        connection = Connection.objects.create(**account)
        PosIdentity.objects.create(connection=connection, **pos)
    for group in world["group"]:
        places = group.pop("restaurant")
        known = {"name": group["name"], "connection": connection}
        row, _is_new = Group.objects.get_or_create(uuid=group["uuid"], defaults=known)
        for place in places:
            facts = {**place, "group": row, "colour": colours.least_used()}
            Restaurant.objects.get_or_create(uuid=place["uuid"], defaults=facts)
    return connection


def add_people(owner: int, *, is_first_start: bool) -> None:
    """Existing people keep their passwords: checking three takes two seconds of processor time."""
    connection = connection_of(owner)
    for role in Role:
        email = email_of(role.value, owner)
        user = User.objects.filter(email=email).first()
        if user is None or is_first_start:
            name = f"{NAMES[role.value]} {owner}" if owner > 1 else NAMES[role.value]
            user = user or User(email=email, name=name)
            user.set_password(read_sign_ins()[email])
            user.save()
            if role == Role.ADMIN:
                user.make_owner([connection.pk])
        if role != Role.STAFF:
            for group in connection.groups.all():
                Membership.objects.get_or_create(user=user, group=group, defaults={"role": role})


def put_staff_on(place: Restaurant, *, owner: int) -> None:
    """Staff work where dinner is on, so that their first screen is an evening under way."""
    user = User.objects.get(email=email_of(Role.STAFF.value, owner))
    Membership.objects.filter(user=user).delete()
    Membership.objects.create(user=user, restaurant=place, role=Role.STAFF)
    AlertPreferences.objects.update_or_create(user=user, defaults={"low_in_app": True})


def prepare() -> None:
    refuse_production()
    database.bring_up_to_date()
    call_command("collectstatic", interactive=False, verbosity=0)
    is_first_start = not sign_ins_file().exists()
    for owner in OWNERS:
        provision(owner)
        add_people(owner, is_first_start=is_first_start)


def welcome(*, started: float) -> None:
    """Wait until everything answers, connect the two programs, and print the addresses."""
    wait_for(f"{settings.PUBLIC_URL}/health/live")
    wait_for(f"{SANDBOX}/_sandbox/world")
    places = {owner: open_for_dinner(owner) for owner in OWNERS}
    for place in places.values():
        read_the_evening(place)
    print(render_welcome(places, seconds=time.monotonic() - started), flush=True)
    for job in [read_everything(owner) for owner in OWNERS]:
        report_progress(job)
    count_at_once(measure_arrival_tracking, measure_returning_guests, scores.measure)
    print(render_copy(), flush=True)


def open_for_dinner(owner: int) -> Restaurant:
    """Tell the sandbox where to send events, and staff where dinner is on."""
    place = Restaurant.objects.get(uuid=fetch(f"{control(owner)}/_sandbox/world")["at_dinner"][0])
    put_staff_on(place, owner=owner)
    post(f"{control(owner)}/_sandbox/webhook", {"url": connection_of(owner).webhook_url})
    return place


def read_the_evening(place: Restaurant) -> None:
    """Read the dinner that staff see first, then what else there is today."""
    today = datetime.now(UTC).date()
    if not Reservation.objects.filter(restaurant=place).exists():
        tonight = backfill(today, today, "--kind", "reservation", "--restaurant", str(place.uuid))
        wait_until_read(tonight, seconds=EVENING_SECONDS)
    backfill(today, today, "--connection", str(place.group.connection_id))


def read_everything(owner: int) -> Job:
    """Read the whole span once; later starts read the days since the last one, and those ahead."""
    today, connection = datetime.now(UTC).date(), connection_of(owner)
    ours = Job.objects.filter(purpose=Job.Purpose.BACKFILL, connection=connection)
    long = ours.filter(until__gt=F("since"))
    unfinished = long.filter(state=Job.State.RUNNING).first()
    last = long.filter(state=Job.State.DONE).order_by("started_at").last()
    first = last.started_at.date() - timedelta(days=1) if last else date.min
    since = max(first, today - timedelta(days=DAYS_BACK))
    until = today + timedelta(days=DAYS_AHEAD)
    return unfinished or backfill(since, until, "--connection", str(connection.pk))


def count_at_once(*measures: Callable[..., int]) -> None:
    """What is counted every few hours, so that nobody waits for it in the first ones."""
    for measure in measures:
        with suppress(OperationalError):  # the workers are writing; the schedule counts it again
            measure(now=timezone.now())


def backfill(since: date, until: date, *more: str) -> Job:
    with Path(os.devnull).open("w") as silence:
        days = ("--since", str(since), "--until", str(until))
        call_command("backfill", *days, *more, stdout=silence)
    return Job.objects.filter(purpose=Job.Purpose.BACKFILL).latest("pk")


def wait_until_read(job: Job, *, seconds: float) -> None:
    """A job is closed some seconds after its last entry was read."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        done = jobs_pages.progress(job)
        if done["found"] and not done["unread"]:
            return
        time.sleep(0.2)


def wait_while_running(job: Job, *, seconds: float) -> bool:
    """Whether the workers have read it all in this time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        job.refresh_from_db()
        if job.state != Job.State.RUNNING:
            return True
        time.sleep(0.2)
    return False


def report_progress(job: Job) -> None:
    """A line every few seconds, until all is read."""
    while not wait_while_running(job, seconds=PROGRESS_SECONDS):
        print(render_progress(job), flush=True)
        count_at_once(measure_arrival_tracking)


def render_progress(job: Job) -> str:
    done = jobs_pages.progress(job)
    share = 100 * done["slices_done"] // max(done["slices"], 1)
    words = f"  Reading the weeks around today: {share} %, {done['read']:,} entries"
    end = jobs_pages.eta(job, done, now=timezone.now())
    if end is None or share < LEAST_SHARE:
        return words
    minutes = max(1, round((end - timezone.now()).total_seconds() / 60))
    return f"{words}, about {minutes} min left"


def render_copy() -> str:
    bookings, guests = Reservation.objects.count(), Customer.objects.count()
    return (
        f"  Everything is read: {bookings:,} bookings of {guests:,} guests. Dinner goes on around "
        f"the world by itself; let more happen at {SANDBOX}\n"
    )


def wait_for(url: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url, timeout=2).close()  # noqa: S310 - our own loopback address
        except OSError:
            time.sleep(0.1)
        else:
            return
    sys.exit(f"{url} did not answer within {PATIENCE_SECONDS} s; the reason stands above.")


def fetch(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - as above
        return json.load(answer)


def post(url: str, body: dict[str, Any]) -> None:
    request = urllib.request.Request(  # noqa: S310 - our own loopback address
        url, data=json.dumps(body).encode(), headers={"Content-Type": "application/json"}
    )
    urllib.request.urlopen(request, timeout=10).close()  # noqa: S310


def render_people(owner: int, place: Restaurant) -> str:
    clock = place.local(timezone.now()).strftime("%H:%M")
    works = {Role.STAFF.value: f"{place.name}: it is {clock} there, and dinner is on"}
    all_places = f"all of {place.group.name}" if len(OWNERS) > 1 else "all restaurants"
    passwords = read_sign_ins()
    return "\n".join(
        f"    {email:<22} {passwords[email]}   {works.get(role, all_places)}"
        for role in Role.values
        for email in [email_of(role, owner)]
    )


def render_welcome(places: dict[int, Restaurant], *, seconds: float) -> str:
    people = "\n\n".join(render_people(owner, place) for owner, place in places.items())
    sandboxes = "\n".join(f"    sandbox     {control(owner)}" for owner in places)
    return f"""
  \033[1mCouvert is ready\033[0m after {seconds:.0f} s.

    dashboard   {settings.PUBLIC_URL}
{sandboxes}

  Sign in as
{people}

  Ten weeks of history are being read now, this evening first. Ctrl-C stops everything.
  {render_reach()}
"""


def render_reach() -> str:
    if os.environ.get("WEB_HOST", "127.0.0.1") == "127.0.0.1":
        return "Only this machine can reach it: for others, docs/deploy.md puts a proxy in front."
    return "Others can reach it, and no proxy stands in front of it: see docs/deploy.md."


def main(started: float, ready: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us
    prepare()
    os.write(ready, b"1")
    welcome(started=started)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
