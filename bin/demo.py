"""The demo part of `make run`: creates people to sign in as, and connects the sandbox.

    python -m bin.demo STARTED READY

One process does all steps, because loading Django takes longer than all of them. It writes to the
file descriptor READY when the other processes may start. Once all answer, it connects the
dashboard and the sandbox and prints the addresses, with the seconds since STARTED.

Nothing here runs outside the demo, and it refuses a `.env` that is meant for production.
"""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.request
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.management import call_command

from bin import database

ROOT = Path(__file__).resolve().parent.parent
SANDBOX_PORT = os.environ.get("SANDBOX_PORT", "8100")
SANDBOX = f"http://127.0.0.1:{SANDBOX_PORT}"
PATIENCE_SECONDS = 120
# What the sandbox's small world spans: two weeks around today.
DAYS_BACK, DAYS_AHEAD = 14, 14

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from accounts.models import User  # noqa: E402 - models exist once Django is set up
from accounts.rights import Role  # noqa: E402
from customers.models import Customer  # noqa: E402
from lib.encryption import DecryptionFailed  # noqa: E402
from mirror.models import Job  # noqa: E402
from partner.models import Connection  # noqa: E402
from reservations.models import Reservation  # noqa: E402
from restaurants.models import Group, Membership  # noqa: E402


def sign_ins_file() -> Path:
    return settings.VAR_DIR / "demo.json"


def read_sign_ins() -> dict[str, str]:
    """Read the demo's e-mail addresses and passwords; make them at the first start."""
    if not sign_ins_file().exists():
        sign_ins = {f"{role}@demo.example": secrets.token_urlsafe(12) for role in Role.values}
        write_privately(sign_ins_file(), json.dumps(sign_ins, indent=2))
    known: dict[str, str] = json.loads(sign_ins_file().read_text())
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


def provision() -> None:
    """Connect the installation to the sandbox, as an operator would."""
    command = [
        sys.executable,
        "-m",
        "partner_sandbox",
        "world",
        "--provision",
        "--port",
        SANDBOX_PORT,
    ]
    world = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    file = settings.VAR_DIR / "demo.toml"
    write_privately(file, world)
    try:
        with Path(os.devnull).open("w") as silence:
            call_command("provision", str(file), stdout=silence)
    except DecryptionFailed:
        sys.exit(
            "The secrets of this copy were encrypted with other keys than those in .env. "
            "Put the ENCRYPTION_KEYS back, or begin afresh: rm -r var"
        )


def add_people() -> None:
    """Existing people keep their passwords: checking three takes two seconds of processor time."""
    is_first_start = not sign_ins_file().exists()
    for role in Role:
        email = f"{role.value}@demo.example"
        user = User.objects.filter(email=email).first()
        if user is None or is_first_start:
            user = user or User(email=email, name=str(role.label))
            user.is_owner = role == Role.ADMIN
            user.set_password(read_sign_ins()[email])
            user.save()
        for group in Group.objects.all():
            Membership.objects.get_or_create(user=user, group=group, defaults={"role": role})


def prepare() -> None:
    refuse_production()
    database.bring_up_to_date()
    call_command("collectstatic", interactive=False, verbosity=0)
    provision()
    add_people()


def welcome(*, started: float) -> None:
    """Wait until everything answers, connect the two programs, and print the addresses."""
    wait_for(f"{settings.PUBLIC_URL}/health/live")
    wait_for(f"{SANDBOX}/_sandbox/world")
    post(f"{SANDBOX}/_sandbox/webhook", {"url": Connection.objects.current().webhook_url})
    print(render_welcome(seconds=time.monotonic() - started), flush=True)
    today = date.today()  # noqa: DTZ011 - a day more or less does not matter here
    since, until = today - timedelta(days=DAYS_BACK), today + timedelta(days=DAYS_AHEAD)
    with Path(os.devnull).open("w") as silence:
        call_command("backfill", "--since", str(since), "--until", str(until), stdout=silence)
    wait_for_the_copy()
    print(render_copy(), flush=True)


def wait_for_the_copy() -> None:
    """Wait while the workers read the copy. Today is read first, so people need not wait."""
    while Job.objects.filter(purpose=Job.Purpose.BACKFILL, state=Job.State.RUNNING).exists():
        time.sleep(1)


def render_copy() -> str:
    bookings, guests = Reservation.objects.count(), Customer.objects.count()
    return (
        f"  Four weeks are read: {bookings:,} bookings of {guests:,} guests. The evening goes on "
        f"by itself; let more happen at {SANDBOX}\n"
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


def post(url: str, body: dict[str, Any]) -> None:
    request = urllib.request.Request(  # noqa: S310 - our own loopback address
        url, data=json.dumps(body).encode(), headers={"Content-Type": "application/json"}
    )
    urllib.request.urlopen(request, timeout=10).close()  # noqa: S310


def render_welcome(*, seconds: float) -> str:
    people = "\n".join(f"    {email:<22} {password}" for email, password in read_sign_ins().items())
    return f"""
  \033[1mCouvert is ready\033[0m after {seconds:.0f} s.

    dashboard   {settings.PUBLIC_URL}
    sandbox     {SANDBOX}

  Sign in as
{people}

  Four weeks of bookings are being read now, this evening first. Ctrl-C stops everything.
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
