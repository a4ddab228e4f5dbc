"""Threads share the memory arenas of the C library, each of which takes 64 MiB of addresses."""

import ctypes
import platform
import subprocess
import sys

import pytest

from lib.processes.memory_arenas import use_few_arenas

THREADS = 12
COUNT = f"""
import ctypes, re, sys, threading
from pathlib import Path
from lib.processes import memory_arenas

def addresses():
    return int(re.search(r"VmSize:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024

ctypes.CDLL(None).mallopt(memory_arenas.M_ARENA_MAX, {THREADS})
if sys.argv[1] == "few":
    memory_arenas.use_few_arenas()
threading.stack_size(1 << 18)
before, gate = addresses(), threading.Barrier({THREADS} + 1)

def allocate():
    held = bytes(4000)
    gate.wait()
    gate.wait()

for _ in range({THREADS}):
    threading.Thread(target=allocate).start()
gate.wait()
print((addresses() - before) // 64)
gate.wait()
"""


def arenas(how):
    """How many of 64 MiB a process of that many threads has added."""
    command = [sys.executable, "-c", COUNT, how]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="this C library has no arenas")
def test_threads_share_few_arenas():
    assert arenas("few") <= 2 < arenas("many")


def test_a_library_without_arenas_is_no_obstacle(monkeypatch):
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: object())

    use_few_arenas()
    worked = True

    assert worked
