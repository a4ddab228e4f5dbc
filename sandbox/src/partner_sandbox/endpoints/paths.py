"""The identifiers that stand in a path."""

from uuid import UUID

from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.http.errors import invalid
from partner_sandbox.http.fields import UUID_TEXT
from partner_sandbox.service import SandboxCall


def path_uuid(call: SandboxCall) -> bytes:
    text = call.path["id"]
    if not UUID_TEXT.fullmatch(text):
        raise invalid("id")
    return UUID(text).bytes


def path_restaurant(call: SandboxCall) -> SandboxRestaurant:
    return call.service.directory.own_restaurant(call.client, path_uuid(call))
