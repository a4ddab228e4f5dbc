"""Every write × every way to lose its answer × with and without its effect, over real sockets.

An intent is never called done without its effect, and no effect happens twice. The table in
docs/partner.md says what each action looks at; every row of it is a class in `writes.py`.
"""

import io
from collections.abc import Iterator
from datetime import timedelta
from itertools import product
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone
from PIL import Image

from outbox import engine, registry
from outbox.models import Intent
from outbox.verification import MOST_SENDINGS
from partner import testing
from partner.models import PosIdentity, Token
from pos import actions as logos
from pos.models import Logo
from pos.testing import make_logo, png
from restaurants.models import Group, Restaurant
from tests.contract.local import LocalSandbox
from tests.contract.writes import ACTIONS, NUMBERS, PITFALLS, Case

pytestmark = [pytest.mark.django_db, pytest.mark.walk]
State = Intent.State
# How an answer is lost or spoilt. Each happens before the service acts, or after.
FAULTS: dict[str, dict[str, Any]] = {
    "lost": {"drop": True},
    "500": {"status": 500},
    "503": {"status": 503},
    "nothing": {"body": ""},
    "{}": {"body": "{}"},
    "foreign JSON": {"body": '{"data": {"id": 1, "status": "ok"}}'},
    "another's": {"body": f'{{"reservationUuid": "{uuid4()}", "reviewUuid": "{uuid4()}"}}'},
}
MOST_STEPS = 60


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSandbox]:
    """One world for all: every test books its own guest, slot, day, review or call."""
    local = LocalSandbox(tmp_path_factory.mktemp("local"))
    yield local
    local.stop()


@pytest.fixture(autouse=True)
def _whole(sandbox: LocalSandbox) -> Iterator[None]:
    sandbox.post("expire_tokens")  # each test has a database of its own, and so a token
    yield
    sandbox.delete("faults")


@pytest.fixture
def place(sandbox: LocalSandbox, db: None) -> Restaurant:
    testing.connection(**sandbox.credentials("full"), scopes="")
    Token.objects.all().delete()
    group = sandbox.world["groups"][0]
    known = group["restaurants"][0]
    facts = {name: known[name] for name in ("name", "timezone", "currency", "country")}
    row = Group.objects.create(uuid=UUID(group["uuid"]), name=group["name"])
    return Restaurant.objects.create(group=row, uuid=UUID(known["uuid"]), **facts)


def of_databases(*values: Any) -> Any:
    """What is stored after a lost answer follows from whether there was one and whose it was. So a
    second database tries one of each; the other ways differ in what the client reads.
    """
    marks = [] if values[-1] in ("lost", "another's") else [pytest.mark.once]
    return pytest.param(*values, marks=marks)


every_case = pytest.mark.parametrize("kind", [*ACTIONS, *PITFALLS], ids=lambda kind: kind.__name__)
with_and_without = pytest.mark.parametrize("effect", [True, False], ids=["effect", "no effect"])


def work(case: Case) -> str:
    """Let the workers come by until nothing is left to do, and no pause be waited for."""
    for _step in range(MOST_STEPS):
        Intent.objects.open().update(not_before=timezone.now(), lease_until=timezone.now())
        engine.work(now=timezone.now() + timedelta(milliseconds=1), most=1)
        case.intent.refresh_from_db()
        if not case.intent.is_open:
            break
    check_truth(case)
    return str(case.intent.state)


def check_truth(case: Case) -> None:
    effects, state = case.effects(), case.intent.state
    assert effects in (0, 1), "a second effect"
    assert effects == 1 or state != State.DONE, "done without its effect"
    assert effects == 0 or state != State.REFUSED, "refused with its effect"
    assert "None" not in case.intent.sentence


def test_every_action_is_tried():
    tried = {kind.action for kind in ACTIONS}
    untried = {action.name for action in registry.ACTIONS} - tried

    assert not untried, f"without a class in tests/contract/writes.py: {untried}"
    assert tried <= {action.name for action in registry.ACTIONS}


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        of_databases(*both)
        for both in (*product(ACTIONS, FAULTS), *product(PITFALLS, ["lost", "{}"]))
    ],
)
@with_and_without
def test_one_lost_answer(
    sandbox: LocalSandbox, place: Restaurant, kind: type[Case], effect: bool, fault: str
) -> None:
    case = kind(sandbox, place)
    spoilt = FAULTS[fault] | {"after_effect": effect}
    sandbox.post("faults", match={"endpoint": case.endpoint}, effect=spoilt, count=1)
    state = work(case)

    if case.repeats or (effect and case.is_readable):
        assert (state, case.effects()) == (State.DONE, 1)
        return
    assert (state, case.effects()) == (State.ASKS, int(effect))
    if effect:  # that cannot be read: only a person can say that it is done
        return
    engine.try_again(case.intent, now=timezone.now())
    assert (work(case), case.effects()) == (State.DONE, 1)


@every_case
@with_and_without
@pytest.mark.parametrize("fault", ["503", "foreign JSON"])
def test_every_answer_is_lost(
    sandbox: LocalSandbox, place: Restaurant, kind: type[Case], effect: bool, fault: str
) -> None:
    """It ends all the same, after a bounded number of sendings, with a question to a person."""
    case = kind(sandbox, place)
    before = sandbox.requests_to(case.endpoint)
    sandbox.fault({"endpoint": case.endpoint}, **FAULTS[fault], after_effect=effect)
    state = work(case)

    assert case.effects() == effect
    assert state == (State.DONE if effect and case.is_readable else State.ASKS)
    assert sandbox.requests_to(case.endpoint) - before <= MOST_SENDINGS
    if not effect and not case.repeats:
        assert sandbox.requests_to(case.endpoint) - before == 1


@every_case
@with_and_without
def test_a_worker_dies_while_sending(
    sandbox: LocalSandbox, place: Restaurant, kind: type[Case], effect: bool
) -> None:
    case = kind(sandbox, place)
    claimed = engine.claim(now=timezone.now())
    assert claimed
    assert claimed == case.intent
    if effect:
        registry.get(case.intent.action).send(case.api, claimed)
    state = work(case)

    is_certain = case.repeats or (effect and case.is_readable)
    assert state == (State.DONE if is_certain else State.ASKS)
    assert case.effects() == (case.repeats or effect)


@with_and_without
@pytest.mark.parametrize("fault", [of_databases(fault) for fault in FAULTS])
def test_a_logo(sandbox: LocalSandbox, place: Restaurant, effect: bool, fault: str) -> None:
    """Nothing can be read of a logo, and nobody sends it but a person."""
    pos = sandbox.world["pos"]
    facts = {"base_url": sandbox.world["pos_base_url"], "api_key": pos["api_key"]}
    PosIdentity.objects.create(uuid=pos["uuid"], **facts)
    logo = make_logo(png=png(300 + next(NUMBERS)), state=Logo.State.SENDING)
    spoilt = FAULTS[fault] | {"after_effect": effect}
    sandbox.post("faults", match={"endpoint": "put_logo"}, effect=spoilt, count=1)
    logos.send(logo)
    assert logo.state == Logo.State.UNSURE
    assert is_shown(sandbox, logo) == effect

    logos.send(logo)
    assert logo.state == Logo.State.SENT
    assert is_shown(sandbox, logo)


def is_shown(sandbox: LocalSandbox, logo: Logo) -> bool:
    """Whether the stored picture is as wide as this one: it is written anew before it leaves."""
    [(stored,)] = sandbox.rows("SELECT logo FROM pos_instance")
    if not isinstance(stored, bytes):
        return False
    return Image.open(io.BytesIO(stored)).width == Image.open(io.BytesIO(logo.png)).width
