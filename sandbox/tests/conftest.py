import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from sandbox.app import Sandbox
from sandbox.clock import FrozenClock, to_instant
from sandbox.service import SandboxService
from sandbox.store import Store
from sandbox.tests.cast import Cast
from sandbox.world.build import build

ANCHOR = date(2026, 10, 21)  # a Wednesday before the night on which European clocks go back
NINE = to_instant(datetime(2026, 10, 21, 9, tzinfo=UTC))
SEED = 7


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: more than ten seconds")


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
