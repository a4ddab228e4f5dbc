"""Several owners in one process: nothing of one is seen with the token of another."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cast import ANCHOR, NINE, SEED, TODAY, TOMORROW, Answer, Caller, Cast
from partner_sandbox.app import Sandbox
from partner_sandbox.clock import FrozenClock
from partner_sandbox.http.message import SandboxRequest
from partner_sandbox.owners import Owners, seed_of
from partner_sandbox.provision import provision_text
from partner_sandbox.service import SandboxService
from partner_sandbox.store import Store
from partner_sandbox.world.build import build
from partner_sandbox.world.plans import blueprint


class OwnersCast(Cast):
    """What one owner sees of the common address, and the control interface of its own."""

    def __init__(self, owners: Owners, number: int) -> None:
        self.owners = owners
        self.prefix = f"/owners/{number}"
        super().__init__(owners.sandboxes[number - 1])

    def send(
        self, method: str, target: str, body: bytes = b"", kind: str = "", **headers: str
    ) -> Answer:
        whose = self.prefix if target.startswith("/_sandbox") else ""
        headers = {"host": "127.0.0.1", **headers, **({"content-type": kind} if kind else {})}
        return Answer(self.owners(SandboxRequest(method, whose + target, headers, body)))


@pytest.fixture(scope="session")
def second_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("world") / "second.sqlite3"
    store = Store(path)
    build(store, "small", seed_of(SEED, 2), ANCHOR, owner=2)
    store.close()
    return path


@pytest.fixture
def owners(built_world: Path, second_world: Path, tmp_path: Path) -> Iterator[Owners]:
    stores = []
    for number, world in enumerate((built_world, second_world)):
        path = tmp_path / f"{number}.sqlite3"
        shutil.copy(world, path)
        stores.append(Store(path, durable=False))
    yield Owners([Sandbox(SandboxService(store, FrozenClock(NINE))) for store in stores])
    for store in stores:
        store.close()


@pytest.fixture
def first(owners: Owners) -> OwnersCast:
    return OwnersCast(owners, 1)


@pytest.fixture
def second(owners: Owners) -> OwnersCast:
    return OwnersCast(owners, 2)


def test_each_reads_its_own_at_one_address(first: OwnersCast, second: OwnersCast) -> None:
    assert first.world["base_url"] == second.world["base_url"]
    for one in (first, second):
        uuid = one.find("restaurant_id=1")
        assert one.full("GET", f"reservations/{uuid}").json["reservationUuid"] == uuid


@pytest.mark.parametrize("kind", ["reservation", "customer", "review"])
def test_what_belongs_to_another_owner_is_refused_as_not_ours(
    first: OwnersCast, second: OwnersCast, kind: str
) -> None:
    uuid = second.find("1=1", kind)

    answer = first.full("GET", f"{kind}s/{uuid}")

    assert (answer.status, answer.code) == (401, "")
    assert first.full("GET", f"{kind}s/00000000-0000-4000-8000-000000000000").status == 404


def test_groups_and_restaurants_of_another_owner_are_refused(
    first: OwnersCast, second: OwnersCast
) -> None:
    place, days = second.mirabeau["uuid"], {"startDate": TODAY, "endDate": TOMORROW}

    for answer in (
        first.full("GET", "reservations", groupUuid=second.group["uuid"], **days),
        first.full("GET", "reservations", restaurantUuid=place, **days),
        first.full("GET", f"restaurants/{place}/timeslots", date=TOMORROW, partySize=2),
        first.book(place=second.mirabeau, mealDate=f"{TOMORROW}T19:00"),
    ):
        assert (answer.status, answer.code) == (401, "")


def test_nothing_has_the_name_or_the_credentials_of_another(
    first: OwnersCast, second: OwnersCast
) -> None:
    def of(one: OwnersCast) -> set[str]:
        known = [*one.group["restaurants"], *one.world["clients"], one.world["pos"], one.group]
        names = ("uuid", "name", "client_id", "client_secret", "api_key")
        found = {row[key] for row in known for key in names if key in row}
        return found - {row["name"] for row in one.world["clients"]}

    assert not of(first) & of(second)


def test_a_secret_opens_its_own_account_only(first: OwnersCast, second: OwnersCast) -> None:
    assert (
        first.full.ask_token(client_secret=second.full.credentials["client_secret"]).status == 401
    )
    assert second.full.ask_token().status == 200


def test_a_fault_a_limit_and_expired_tokens_touch_one_owner(
    first: OwnersCast, second: OwnersCast
) -> None:
    callers: list[tuple[Caller, str]] = [
        (one.full, f"reservations/{one.find('restaurant_id=1')}") for one in (first, second)
    ]
    for caller, path in callers:
        assert caller("GET", path).status == 200

    second.control("POST", "faults", effect={"status": 503}, count=1)
    assert [caller("GET", path).status for caller, path in callers] == [200, 503]

    second.control("POST", "limit", per_minute=1)
    second.control("POST", "expire_tokens")
    for caller, path in callers[:1] * 5:
        assert caller("GET", path).status == 200
    assert [caller("GET", path).status for caller, path in callers[1:] * 3][-1] == 429


def test_each_has_a_journal_and_breaches_of_its_own(first: OwnersCast, second: OwnersCast) -> None:
    second.full.ask_token()
    second.full.ask_token()

    assert second.breaches() == {"token_while_valid": 1}
    assert first.breaches() == {}
    assert first.control("GET", "journal").json["totals"]["requests"] == 0


def test_each_has_a_webhook_address_and_events_of_its_own(
    first: OwnersCast, second: OwnersCast
) -> None:
    second.control("POST", "webhook", url="http://127.0.0.1:9/?token=second")
    second.happen("new_booking")

    assert first.control("GET", "world").json["webhook_url"] == ""
    assert first.events() == []
    assert {event["groupUuid"] for event in second.events()} == {second.group["uuid"]}


def test_whoever_names_no_account_is_refused(first: OwnersCast) -> None:
    path = "/api/v1/reservations"
    assert first.send("GET", path).status == 401
    assert first.send("GET", path, authorization="Bearer of-nobody").status == 401
    assert first.full.ask_token(client_id="nobody").status == 401


def test_a_reset_of_one_leaves_the_other(first: OwnersCast, second: OwnersCast) -> None:
    uuid = first.find("restaurant_id=1")
    for one in (first, second):
        one.full.ask_token()
    names = second.group["name"]

    second.control("POST", "reset")

    assert second.control("GET", "world").json["groups"][0]["name"] == names
    assert second.full("GET", f"reservations/{second.find('restaurant_id=1')}").status == 401
    assert first.full("GET", f"reservations/{uuid}").status == 200


@pytest.mark.parametrize(
    "target", ["/owners/3/_sandbox/world", "/owners/2/api/v1/reservations", "/owners/x/"]
)
def test_there_are_no_others(first: OwnersCast, target: str) -> None:
    assert first.send("GET", target).status == 404


def test_the_page_of_each_stands_under_its_number(first: OwnersCast) -> None:
    for target in ("/", "/owners/1/", "/owners/2/", "/owners/2"):
        assert b"<h1>Sandbox</h1>" in first.send("GET", target).response.body


def test_the_first_owner_is_the_only_one_of_before() -> None:
    assert blueprint("demo", seed_of(3, 1), 1) == blueprint("demo", 3)
    assert provision_text("small", 3, "http://a", owner=1) == provision_text("small", 3, "http://a")
