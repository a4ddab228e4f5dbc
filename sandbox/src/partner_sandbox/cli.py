"""The command line: `partner-sandbox …`, `… world …` and `… history …`."""

import argparse
import os
import signal
import sys
import threading
from collections.abc import Sequence
from datetime import date
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

from partner_sandbox.app import Sandbox, Settings
from partner_sandbox.clock import SandboxClock, to_datetime, utc_midnight
from partner_sandbox.http.server import Server
from partner_sandbox.life.living import catch_up_planned
from partner_sandbox.owners import MOST_OWNERS, Owners, seed_of
from partner_sandbox.provision import provision_text
from partner_sandbox.service import SandboxService
from partner_sandbox.store import Store
from partner_sandbox.world.build import build
from partner_sandbox.world.history import write_history
from partner_sandbox.world.plans import SIZES

WRONG_USE = 2
MOST_SEED = 2**63 - 1


class Unusable(Exception):
    """The sandbox cannot start; the message is one sentence for the person who typed."""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Unusable(f"{message[0].upper()}{message[1:]}; see `partner-sandbox --help`.")


def run() -> int:
    """Start the command `partner-sandbox`."""
    return main(sys.argv[1:])


def main(arguments: Sequence[str]) -> int:
    try:
        if arguments[:1] == ["world"]:
            return _print_world(arguments[1:])
        if arguments[:1] == ["history"]:
            return _print_history(arguments[1:])
        settings = _read_settings(arguments)
        return _build(settings) if settings.build_only else _serve(settings)
    except Unusable as problem:
        print(problem, file=sys.stderr)  # noqa: T201  the command line speaks here
        return WRONG_USE


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=_port, default=8100)
    parser.add_argument("--seed", type=_seed, default=1)
    parser.add_argument("--world", choices=sorted(SIZES), default="small")


def _version() -> str:
    return metadata.version("reservation-partner-sandbox")


def _default_folder() -> Path:
    """The user's own folder of data, so that the command leaves nothing where it is typed."""
    base = os.environ.get("XDG_DATA_HOME", "")
    shared = Path(base) if os.path.isabs(base) else Path.home() / ".local" / "share"
    return shared / "partner-sandbox"


def _parser() -> Parser:
    parser = Parser(prog="partner-sandbox", description="A Partner API to develop against.")
    _common(parser)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument(
        "--owners", type=_owners, default=1, metavar="N", help="how many accounts it plays at once"
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {_version()}")
    parser.add_argument(
        "--data", type=Path, default=_default_folder(), metavar="DIR", help="(default: %(default)s)"
    )
    parser.add_argument("--live", action="store_true", help="let an evening go by")
    parser.add_argument("--speed", type=_pace, default=1.0, help="how much faster it goes by")
    parser.add_argument("--reset", action="store_true", help="delete the stored state first")
    parser.add_argument(
        "--build-only", action="store_true", help="build the worlds that are not there yet, and end"
    )
    parser.add_argument("--webhook", default="", metavar="URL", help="where events are sent")
    parser.add_argument(
        "--any-host", action="store_true", help="let other machines use the control interface"
    )
    return parser


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port < 65536:
        raise argparse.ArgumentTypeError(f"{text} is not a port")
    return port


def _owners(text: str) -> int:
    number = int(text)
    if not 1 <= number <= MOST_OWNERS:
        raise argparse.ArgumentTypeError(f"{text} is not a number of 1 to {MOST_OWNERS}")
    return number


def _seed(text: str) -> int:
    seed = int(text)
    if not 0 <= seed <= MOST_SEED:
        raise argparse.ArgumentTypeError(f"{text} is not a seed")
    return seed


def _pace(text: str) -> float:
    pace = float(text)
    if not 0 < pace <= 10_000:
        raise argparse.ArgumentTypeError(f"{text} is not a speed")
    return pace


def _read_settings(arguments: Sequence[str]) -> Settings:
    chosen = _parser().parse_args(arguments)
    if chosen.webhook and not chosen.webhook.startswith(("http://", "https://")):
        raise Unusable("The webhook address must start with http:// or https://.")
    if chosen.webhook and chosen.owners > 1:
        raise Unusable("Each of several owners has a webhook address of its own; see the README.")
    settings = Settings(
        host=chosen.host,
        port=chosen.port,
        data=chosen.data,
        world=chosen.world,
        seed=chosen.seed,
        live=chosen.live,
        pace=chosen.speed,
        webhook=chosen.webhook,
        any_host=chosen.any_host,
        owners=chosen.owners,
        build_only=chosen.build_only,
    )
    _prepare_folder(settings, reset=chosen.reset)
    return settings


def _state_file(settings: Settings, owner: int = 1) -> Path:
    """Each world, seed and owner has a file, so that changing a flag loses nothing."""
    suffix = f"-owner-{owner}" if owner > 1 else ""
    return settings.data / f"{settings.world}-{settings.seed}{suffix}.sqlite3"


def _prepare_folder(settings: Settings, *, reset: bool) -> None:
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"The folder {settings.data} cannot be made: {error.strerror}.") from None
    if not os.access(settings.data, os.W_OK | os.X_OK):
        raise Unusable(f"The folder {settings.data} cannot be written to.")
    for owner in range(1, settings.owners + 1) if reset else ():
        remove_state(_state_file(settings, owner))


def remove_state(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def open_store(path: Path, world: str, seed: int, now: int, *, owner: int = 1) -> Store:
    """Open the state, building it first if it is not there or was left half built."""
    store = Store(path)
    if store.is_built and store.setting("anchor") is None:
        store.close()
        remove_state(path)
        store = Store(path)
    if not store.is_built:
        build(store, world, seed, to_datetime(now).date(), now=now, owner=owner)
    return store


def _print_world(arguments: Sequence[str]) -> int:
    parser = Parser(prog="partner-sandbox world")
    _common(parser)
    parser.add_argument("--provision", action="store_true", required=True)
    parser.add_argument("--owner", type=_owners, default=1, help="which of several owners")
    chosen = parser.parse_args(arguments)
    origin, seed = f"http://127.0.0.1:{chosen.port}", seed_of(chosen.seed, chosen.owner)
    sys.stdout.write(provision_text(chosen.world, seed, origin, owner=chosen.owner))
    return 0


def _print_history(arguments: Sequence[str]) -> int:
    """Past bookings of a fresh world as CSV, up to the start of a day."""
    parser = Parser(prog="partner-sandbox history")
    _common(parser)
    parser.add_argument("--until", type=date.fromisoformat, default=SandboxClock().today())
    chosen = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        store = Store(Path(folder) / "world.sqlite3", durable=False)
        build(store, chosen.world, chosen.seed, chosen.until)
        try:
            write_history(store, sys.stdout, until=utc_midnight(chosen.until))
            sys.stdout.flush()
        except BrokenPipeError:  # “| head”: nor can Python flush the rest at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        store.close()
    return 0


def _listen(settings: Settings, sandbox: Sandbox | Owners) -> Server:
    try:
        return Server(settings.host, settings.port, sandbox)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unusable(
            f"Port {settings.port} on {settings.host} cannot be used: {reason}."
        ) from None


def _open_store(settings: Settings, owner: int, *, now: int) -> Store:
    seed, path = seed_of(settings.seed, owner), _state_file(settings, owner)
    return open_store(path, settings.world, seed, now, owner=owner)


def _build(settings: Settings) -> int:
    """A start with the same flags then finds all built; no port is needed meanwhile."""
    for owner in range(1, settings.owners + 1):
        _open_store(settings, owner, now=SandboxClock().now()).close()
    return 0


def _open_sandbox(settings: Settings, owner: int) -> Sandbox:
    clock = SandboxClock()
    store = _open_store(settings, owner, now=clock.now())
    clock.offset = store.setting("clock_offset", 0)
    service = SandboxService(store, clock)
    if settings.live or store.setting("lived_until") is None:
        catch_up_planned(service)
    service.pace = settings.pace
    return Sandbox(service, live=settings.live, any_host=settings.any_host)


def _serve(settings: Settings) -> int:
    played = [_open_sandbox(settings, owner) for owner in range(1, settings.owners + 1)]
    sandbox = Owners(played) if settings.owners > 1 else played[0]
    server = _listen(settings, sandbox)
    for one in played:
        one.service.origin = f"http://127.0.0.1:{server.port}"
    if settings.webhook:
        played[0].service.events.point_at(settings.webhook)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    sandbox.start()
    threading.Thread(target=server.serve, daemon=True).start()
    others = f", {settings.owners} owners" if settings.owners > 1 else ""
    about = f"({settings.world}, seed {settings.seed}{others})"
    sys.stdout.write(f"sandbox ready on http://{settings.host}:{server.port} {about}\n")
    sys.stdout.flush()
    stop.wait()
    server.stop()
    sandbox.stop()
    return 0
