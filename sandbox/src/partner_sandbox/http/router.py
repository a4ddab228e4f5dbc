"""Finds the endpoint of a path: literal segments first, then the ones that take a value."""

from collections.abc import Iterable, Mapping

from partner_sandbox.service import SandboxEndpoint

Found = tuple[SandboxEndpoint, dict[str, str]]


class Router:
    def __init__(self, hosts: Mapping[str, Iterable[SandboxEndpoint]]) -> None:
        self._by_shape: dict[tuple[str, int], list[tuple[list[str], SandboxEndpoint]]] = {}
        for prefix, endpoints in hosts.items():
            for endpoint in endpoints:
                parts = [prefix, *endpoint.template.strip("/").split("/")]
                shape = (endpoint.method, len(parts))
                self._by_shape.setdefault(shape, []).append((parts, endpoint))

    def find(self, method: str, segments: list[str]) -> Found | None:
        for parts, endpoint in self._by_shape.get((method, len(segments)), ()):
            values = _match(parts, segments)
            if values is not None:
                return endpoint, values
        return None


def _match(parts: list[str], segments: list[str]) -> dict[str, str] | None:
    values = {}
    for part, segment in zip(parts, segments, strict=True):
        if part.startswith("{"):
            values[part[1:-1]] = segment
        elif part != segment:
            return None
    return values
