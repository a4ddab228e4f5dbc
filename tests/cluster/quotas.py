"""A small share of a core for each node, so that the nodes are what is scarce and not the machine.

The kernel's control groups hold them to it: version 1 has a tree for processor time alone, version
2 one tree for all. Needs root, and a tree that may be written to.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TREE = Path("/sys/fs/cgroup")
PERIOD = 20_000  # microseconds: a node that has used its share waits for a part of that
MEMBERS = "cgroup.procs"
SESSION = 3  # of /proc/PID/stat after the name


class Quota:
    """The group of one node."""

    def __init__(self, name: str, *, share: float) -> None:
        self._tree, limits = _tree(int(share * PERIOD))
        self._folder = self._tree / f"couvert-{name}"
        self._folder.mkdir(exist_ok=True)
        for file, words in limits.items():
            (self._folder / file).write_text(words)

    def take(self, session: int) -> None:
        _move(_processes(session), to=self._folder)

    def release(self) -> None:
        _move(map(int, (self._folder / MEMBERS).read_text().split()), to=self._tree)
        self._folder.rmdir()

    def periods(self) -> tuple[int, int]:
        """In how many the node wanted to run, and in how many it had to wait."""
        stat = dict(line.split() for line in (self._folder / "cpu.stat").read_text().splitlines())
        return int(stat["nr_periods"]), int(stat["nr_throttled"])


@contextmanager
def limited(leaders: dict[str, int], *, share: float) -> Iterator[dict[str, Quota]]:
    """Every node may use so much of one core. Each is named by the first of its processes."""
    quotas = {name: Quota(name, share=share) for name in leaders}
    try:
        for name, leader in leaders.items():
            quotas[name].take(leader)
        yield quotas
    finally:
        for quota in quotas.values():
            quota.release()


def _tree(quota: int) -> tuple[Path, dict[str, str]]:
    """Where groups of processor time are made, and the files that limit one."""
    whole = TREE / "cgroup.subtree_control"
    if whole.exists():
        whole.write_text("+cpu")
        return TREE, {"cpu.max": f"{quota} {PERIOD}"}
    limits = {"cpu.cfs_period_us": str(PERIOD), "cpu.cfs_quota_us": str(quota)}
    return TREE / "cpu", limits


def _processes(session: int) -> Iterator[int]:
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            facts = file.read_text().rpartition(")")[2].split()
            if int(facts[SESSION]) == session:
                yield int(file.parent.name)


def _move(processes: Iterator[int], *, to: Path) -> None:
    for number in processes:
        with suppress(ProcessLookupError), (to / MEMBERS).open("w") as members:
            os.write(members.fileno(), str(number).encode())
