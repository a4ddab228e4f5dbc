"""A network of one machine: a namespace for each node, all on one bridge. Needs root.

Packets are dropped by rules in the namespace of a node, without a word to either side, as a broken
cable would. A slow link is a program between two interfaces (slow_link.py): not every kernel has
the queue that delays packets.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.processes import ROOT, wait_until_exists

BRIDGE = "couvert0"
NETWORK = "10.213.0"
HOST = f"{NETWORK}.1"  # of the sandbox, of the people and of whoever looks on
ADDRESSES = {
    "primary": f"{NETWORK}.11",
    "replica": f"{NETWORK}.12",
    "pgbouncer": f"{NETWORK}.13",
    "redis": f"{NETWORK}.14",
    "haproxy": f"{NETWORK}.15",
    "web1": f"{NETWORK}.21",
    "web2": f"{NETWORK}.22",
    "worker1": f"{NETWORK}.31",
    "worker2": f"{NETWORK}.32",
    "worker3": f"{NETWORK}.33",
    "beat1": f"{NETWORK}.41",
    "beat2": f"{NETWORK}.42",
}
RULES = """
add table ip cut
add chain ip cut in {{ type filter hook input priority 0; }}
add chain ip cut out {{ type filter hook output priority 0; }}
{rules}
"""


# Plain http is allowed to loopback alone: each node finds the service there.
TO_SERVICE = """
add table ip service
add chain ip service out {{ type nat hook output priority -100; }}
add rule ip service out ip daddr 127.0.0.1 tcp dport {port} dnat to {host}
add chain ip service on {{ type nat hook postrouting priority 100; }}
add rule ip service on ip daddr {host} masquerade
"""


def inside(node: str) -> list[str]:
    """The words before a command that shall run on a node."""
    return ["ip", "netns", "exec", f"couvert-{node}"]


@contextmanager
def open_network() -> Iterator[None]:
    _close()
    _ip("link", "add", BRIDGE, "type", "bridge")
    _ip("addr", "add", f"{HOST}/24", "dev", BRIDGE)
    _ip("link", "set", BRIDGE, "up")
    for node, address in ADDRESSES.items():
        _add(node, address)
    try:
        yield
    finally:
        _close()


def _add(node: str, address: str) -> None:
    space, outside = f"couvert-{node}", f"cv-{node}"
    _ip("netns", "add", space)
    _ip("link", "add", outside, "type", "veth", "peer", "name", "eth0", "netns", space)
    _ip("link", "set", outside, "master", BRIDGE, "up")
    _ip("-n", space, "addr", "add", f"{address}/24", "dev", "eth0")
    _ip("-n", space, "link", "set", "eth0", "up")
    _ip("-n", space, "link", "set", "lo", "up")


def _close() -> None:
    for node in ADDRESSES:
        subprocess.run(["ip", "netns", "del", f"couvert-{node}"], capture_output=True)
        subprocess.run(["ip", "link", "del", f"cv-{node}"], capture_output=True)
    subprocess.run(["ip", "link", "del", BRIDGE], capture_output=True)


def lead_to_service(port: int) -> None:
    for node in ADDRESSES:
        route = [*inside(node), "sysctl", "-q", "-w", "net.ipv4.conf.all.route_localnet=1"]
        subprocess.run(route, check=True)
        _rule(node, TO_SERVICE.format(port=port, host=HOST))


def _rule(node: str, rules: str) -> None:
    subprocess.run([*inside(node), "nft", "-f", "-"], input=rules, text=True, check=True)


def cut(node: str, *, other: str = "", ways: tuple[str, ...] = ("in", "out")) -> None:
    """Drop what the node gets, sends or both; of all, or of one other node."""
    peer = ADDRESSES[other] if other else f"{NETWORK}.0/24"
    side = {"in": "saddr", "out": "daddr"}
    rules = "\n".join(f"add rule ip cut {way} ip {side[way]} {peer} drop" for way in ways)
    _rule(node, RULES.format(rules=rules))


def mend(node: str) -> None:
    subprocess.run([*inside(node), "nft", "delete", "table", "ip", "cut"], check=True)


@contextmanager
def slow(*nodes: str, milliseconds: float, loss: float, folder: Path) -> Iterator[None]:
    """Each packet from or to these nodes is late, and some never come."""
    links = [_slow_link(node, milliseconds, loss, folder) for node in nodes]
    try:
        yield
    finally:
        for node, link in zip(nodes, links, strict=True):
            _move(node, source="eth1", to="eth0")
            link.terminate()
            link.wait()


def _slow_link(node: str, delay: float, loss: float, folder: Path) -> "subprocess.Popen[bytes]":
    ready = folder / f"slow-{node}"
    ready.unlink(missing_ok=True)
    words = [f"couvert-{node}", f"ct-{node}", BRIDGE, str(delay), str(loss), str(ready)]
    link = subprocess.Popen([sys.executable, "-m", "tests.cluster.slow_link", *words], cwd=ROOT)
    wait_until_exists(ready)
    _move(node, source="eth0", to="eth1")
    return link


def _move(node: str, *, source: str, to: str) -> None:
    """Give the address of a node to its other interface; its connections live on."""
    space, address = f"couvert-{node}", f"{ADDRESSES[node]}/24"
    _ip("-n", space, "link", "set", source, "down")
    _ip("-n", space, "addr", "del", address, "dev", source)
    _ip("-n", space, "link", "set", to, "up")
    _ip("-n", space, "addr", "add", address, "dev", to)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)
