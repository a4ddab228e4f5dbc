import shutil
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from cast import ANCHOR, NINE, SEED, Cast
from partner_sandbox.app import Sandbox
from partner_sandbox.clock import FrozenClock
from partner_sandbox.service import SandboxService
from partner_sandbox.store import Store
from partner_sandbox.world.build import build


@pytest.fixture(scope="session")
def built_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("world") / "small.sqlite3"
    store = Store(path)
    build(store, "small", SEED, ANCHOR)
    store.close()
    return path


@pytest.fixture
def cast(built_world: Path, tmp_path: Path) -> Iterator[Cast]:
    """A running world of its own for one test, at nine o'clock UTC, nothing living in it."""
    path = tmp_path / "world.sqlite3"
    shutil.copy(built_world, path)
    store = Store(path, durable=False)
    sandbox = Sandbox(SandboxService(store, FrozenClock(NINE)))
    yield Cast(sandbox)
    store.close()


@pytest.fixture
def tomorrow() -> date:
    return ANCHOR + timedelta(days=1)
