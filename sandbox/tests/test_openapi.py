"""The description and the running sandbox agree: property-based, over a real socket."""

import shutil
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import jsonschema_rs
import pytest
import schemathesis
import yaml
from hypothesis import HealthCheck, settings
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from cast import NINE, Cast
from partner_sandbox.app import Sandbox
from partner_sandbox.clock import FrozenClock
from partner_sandbox.control.description import ADDRESS_IN_FILE, FILE
from partner_sandbox.http.addresses import HOSTS
from partner_sandbox.http.server import Server
from partner_sandbox.service import SandboxService
from partner_sandbox.store import Store

# The contract's list of endpoints by host, word for word.
CONTRACT = {
    "auth": {"POST /oauth/token"},
    "api": {
        "GET /v1/restaurants/{id}/availabilities",
        "GET /v1/restaurants/{id}/timeslots",
        "GET /v1/restaurants/{id}/partySizes",
        "GET /v1/restaurants/{id}/offers",
        "PUT /v1/restaurants/{id}/availabilities/override",
        "POST /v1/restaurants/{id}/reservations",
        "PATCH /v1/reservations/{id}",
        "PATCH /v1/reservations/{id}/cancel",
        "GET /v1/reservations",
        "GET /v1/reservations/{id}",
        "GET /v1/customers",
        "GET /v1/customers/{id}",
        "GET /v1/reviews",
        "GET /v1/reviews/{id}",
        "PUT /v1/reviews/{id}/reply",
        "GET /v1/restaurants/{id}/customers/phone/{phoneNumber}",
        "POST /v1/callCenter/callRecognitions",
        "PATCH /v1/integrationStatus",
    },
    "pos": {"PUT /v1/{uuid}/logo"},
}
schema = schemathesis.openapi.from_path(str(FILE))
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
    sandbox = Sandbox(SandboxService(store, FrozenClock(NINE)))
    server = Server("127.0.0.1", 0, sandbox)
    sandbox.service.origin = address = f"http://127.0.0.1:{server.port}"
    threading.Thread(target=server.serve, daemon=True).start()
    cast = Cast(sandbox)
    cast.full.ask_token()
    yield cast, address
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
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_no_undocumented_status_or_shape(running: Any, case: Any) -> None:
    cast, address = running
    operation = case.operation.definition.raw["operationId"]
    pos = {"X-Api-Key": cast.world["pos"]["api_key"]}
    # Where no path names an entity, the second request would be the first once more.
    for known in (False, True) if case.path_parameters else (False,):
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
    document = yaml.safe_load(FILE.read_text())
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


def test_it_is_valid_openapi() -> None:
    assert not list(OpenAPIV31SpecValidator(yaml.safe_load(FILE.read_text())).iter_errors())


def test_the_running_sandbox_serves_it_with_its_own_address(running: Any) -> None:
    _cast, address = running

    with urllib.request.urlopen(f"{address}/openapi.yaml", timeout=10) as response:
        served = yaml.safe_load(response.read())
        kind = response.headers["Content-Type"]

    described = yaml.safe_load(FILE.read_text())
    assert kind == "application/yaml"
    assert served.pop("servers") == [{"url": address}]
    assert described.pop("servers") == [{"url": ADDRESS_IN_FILE}]
    assert served == described


def test_the_contracts_endpoints_are_described_and_nothing_else() -> None:
    documented = {
        f"{method.upper()} {path}"
        for path, methods in yaml.safe_load(FILE.read_text())["paths"].items()
        for method in methods
        if method != "parameters"
    }
    contract = {
        f"{call.split()[0]} /{host}{call.split()[1]}"
        for host, calls in CONTRACT.items()
        for call in calls
    }

    assert documented == contract


def test_every_endpoint_is_described_and_nothing_else() -> None:
    document = yaml.safe_load(FILE.read_text())
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
    document = yaml.safe_load(FILE.read_text())
    for methods in document["paths"].values():
        for method, operation in methods.items():
            if method != "parameters" and "application/json" in operation.get(
                "requestBody", {}
            ).get("content", {}):
                body = operation["requestBody"]["content"]["application/json"]["schema"]
                assert body["additionalProperties"] is False
