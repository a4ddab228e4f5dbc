"""A slow, lossy cable between a namespace and a bridge: two interfaces and the frames between them.

python -m tests.cluster.slow_link NAMESPACE INTERFACE BRIDGE MILLISECONDS LOSS READY-FILE
"""

import ctypes
import fcntl
import heapq
import itertools
import json
import os
import random
import select
import struct
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
CLONE_NEWNET = 0x40000000
LONGEST_FRAME = 65_536
SEED = 1


def open_interface(name: str) -> int:
    """A new network interface, whose frames are read and written here."""
    file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI))
    return file


def enter(namespace: str) -> None:
    with Path(f"/run/netns/{namespace}").open() as file:
        if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")


def physical_address(interface: str) -> str:
    shown = subprocess.run(["ip", "-j", "link", "show", interface], capture_output=True, check=True)
    return str(json.loads(shown.stdout)[0]["address"])


def pass_on(one: int, other: int, *, delay: float, loss: float) -> None:
    """Pass frames on in both directions, late; some are dropped."""
    luck = random.Random(SEED)  # noqa: S311  # a reproducible loss
    late: list[tuple[float, int, int, bytes]] = []
    number = itertools.count()
    while True:
        wait = max(0.0, late[0][0] - time.monotonic()) if late else None
        readable, _, _ = select.select([one, other], [], [], wait)
        now = time.monotonic()
        for file in readable:
            frame = os.read(file, LONGEST_FRAME)
            if luck.random() >= loss:
                goal = other if file == one else one
                heapq.heappush(late, (now + delay, next(number), goal, frame))
        while late and late[0][0] <= now:
            _, _, goal, frame = heapq.heappop(late)
            with suppress(OSError):  # the interface is not up yet
                os.write(goal, frame)


def main(words: list[str]) -> None:
    namespace, interface, bridge, delay, loss, ready = words
    outer = open_interface(interface)
    subprocess.run(["ip", "link", "set", interface, "master", bridge, "up"], check=True)
    enter(namespace)
    inner = open_interface("eth1")
    # The same for the others: no cache of theirs is wrong.
    subprocess.run(["ip", "link", "set", "eth1", "address", physical_address("eth0")], check=True)
    Path(ready).touch()
    pass_on(outer, inner, delay=float(delay) / 1000, loss=float(loss))


if __name__ == "__main__":
    main(sys.argv[1:])
