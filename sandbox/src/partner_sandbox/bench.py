"""Measures a running sandbox: `python -m partner_sandbox.bench [--port 8100] [--gets 10000]`.

The clients are processes of their own, so that they take the other core and not the server's.
"""

import argparse
import http.client
import json
import multiprocessing
import sys
import time
from statistics import quantiles
from typing import Any
from urllib.parse import urlencode

CONNECTIONS = 8


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8100)
    parser.add_argument("--gets", type=int, default=10_000)
    chosen = parser.parse_args()
    connection = http.client.HTTPConnection("127.0.0.1", chosen.port)
    world = _json(connection, "GET", "/_sandbox/world")
    token = _token(connection, world)
    uuids = _uuids(connection, world, chosen.gets)
    share = chosen.gets // CONNECTIONS
    jobs = [(chosen.port, token, uuids, n * share, share) for n in range(CONNECTIONS)]
    started = time.perf_counter()
    with multiprocessing.Pool(CONNECTIONS) as pool:
        times = sorted(t for part in pool.map(_fetch, jobs) for t in part)
    took = time.perf_counter() - started
    cuts = quantiles(times, n=100)
    sys.stdout.write(
        f"{len(times)} GETs, {CONNECTIONS} connections: {len(times) / took:.0f}/s,"
        f" p50 {cuts[49]:.1f} ms, p95 {cuts[94]:.1f} ms, p99 {cuts[98]:.1f} ms,"
        f" max {times[-1]:.1f} ms\n"
    )


def _json(connection: http.client.HTTPConnection, method: str, path: str, body: Any = None) -> Any:
    headers = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
    connection.request(method, path, body, headers)
    return json.loads(connection.getresponse().read())


def _token(connection: http.client.HTTPConnection, world: Any) -> str:
    client = world["clients"][0]
    form = {
        "audience": world["audience"],
        "grant_type": "client_credentials",
        "client_id": client["client_id"],
        "client_secret": client["client_secret"],
    }
    answer = _json(connection, "POST", "/auth/oauth/token", urlencode(form))
    return str(answer["access_token"])


def _uuids(connection: http.client.HTTPConnection, world: Any, most: int) -> list[str]:
    """Reservations that the client may see."""
    own = {group["uuid"] for group in world["groups"]}
    path = f"/_sandbox/truth/reservation?limit={min(most, 5000)}"
    items = _json(connection, "GET", path)["items"]
    return [item["uuid"] for item in items if item["group_uuid"] in own]


def _fetch(job: tuple[int, str, list[str], int, int]) -> list[float]:
    port, token, uuids, first, count = job
    connection = http.client.HTTPConnection("127.0.0.1", port)
    headers = {"Authorization": f"Bearer {token}"}
    times = []
    for number in range(first, first + count):
        began = time.perf_counter()
        path = f"/api/v1/reservations/{uuids[number * 7 % len(uuids)]}"
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        times.append((time.perf_counter() - began) * 1000)
    return times


if __name__ == "__main__":
    main()
