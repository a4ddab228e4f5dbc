"""The description and the running sandbox agree: property-based, over a real socket."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import jsonschema_rs
import pytest
import schemathesis
import yaml
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import partner_sandbox
from cast import NINE, Cast
from partner_sandbox.addresses import HOSTS
from partner_sandbox.app import Sandbox
from partner_sandbox.clock import FrozenClock
from partner_sandbox.server import Server
from partner_sandbox.service import SandboxService
from partner_sandbox.store import Store

DESCRIPTION = Path(partner_sandbox.__file__).with_name("openapi.yaml")
schema = schemathesis.openapi.from_path(str(DESCRIPTION))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def running(built_world: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A sandbox on a port of its own, and a token that lives as long as the module."""
    path = tmp_path_factory.mktemp("openapi") / "world.sqlite3"
    shutil.copy(built_world, path)
    store = Store(path, durable=False)
    cast = Cast(Sandbox(SandboxService(store, FrozenClock(NINE))))
    cast.full.ask_token()
    server = Server("127.0.0.1", 0, cast.sandbox)
    threading.Thread(target=server.serve, daemon=True).start()
    yield cast, f"http://127.0.0.1:{server.port}"
    server.stop()
    store.close()


def real_identifiers(cast: Cast, operation: str) -> dict[str, str]:
    """Half of the random requests would only ever meet a 404; give them something that exists."""
    kind = operation.rpartition("_")[2]
    if kind in ("reservation", "customer", "review") and operation != "create_reservation":
        condition = "group_id=1" if kind == "customer" else "restaurant_id=1"
        return {"id": cast.find(condition, kind)}
    return {"id": cast.mirabeau["uuid"], "uuid": cast.world["pos"]["uuid"]}


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_undocumented_status_or_shape(running: Any, case: Any) -> None:
    cast, address = running
    operation = case.operation.definition.raw["operationId"]
    pos = {"X-Api-Key": cast.world["pos"]["api_key"]}
    for known in (False, True):
        if known:
            case.path_parameters = {
                **case.path_parameters,
                **{
                    name: value
                    for name, value in real_identifiers(cast, operation).items()
                    if name in case.path_parameters
                },
            }
        response = case.call(
            base_url=address, headers={"Authorization": f"Bearer {cast.full.token}", **pos}
        )
        case.validate_response(response, checks=CHECKS)


def described(path: str) -> Any:
    document = yaml.safe_load(DESCRIPTION.read_text())
    wanted = {"$ref": f"#/components/schemas/{path}", "components": document["components"]}
    return jsonschema_rs.Draft202012Validator(wanted, validate_formats=True)


@pytest.mark.parametrize(
    ("kind", "shape"),
    [("reservation", "Reservation"), ("customer", "Customer"), ("review", "Review")],
)
def test_every_entity_of_the_world_has_the_described_shape(
    cast: Cast, kind: str, shape: str
) -> None:
    validator = described(shape)
    column = "group_id" if kind == "customer" else "restaurant_id"
    with cast.service.store.reading() as db:
        rows = db.execute(
            f"SELECT uuid FROM {kind} WHERE {column}=1 LIMIT 1500"  # noqa: S608  from above
        ).fetchall()

    for row in rows:
        validator.validate(cast.full("GET", f"{kind}s/{UUID(bytes=row['uuid'])}").json)


def test_every_endpoint_is_described_and_nothing_else() -> None:
    document = yaml.safe_load(DESCRIPTION.read_text())
    documented = {
        (method.upper(), path, operation["operationId"])
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method != "parameters"
    }
    made = {
        (
            endpoint.method,
            f"/{host}{endpoint.template}".replace("{phone}", "{phoneNumber}"),
            endpoint.name,
        )
        for host, endpoints in HOSTS.items()
        for endpoint in endpoints
    }

    assert documented == made


def test_unknown_fields_are_refused_everywhere() -> None:
    document = yaml.safe_load(DESCRIPTION.read_text())
    for methods in document["paths"].values():
        for method, operation in methods.items():
            if method != "parameters" and "application/json" in operation.get(
                "requestBody", {}
            ).get("content", {}):
                body = operation["requestBody"]["content"]["application/json"]["schema"]
                assert body["additionalProperties"] is False
