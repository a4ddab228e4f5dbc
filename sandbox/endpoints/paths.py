"""The identifiers that stand in a path."""

from uuid import UUID

from sandbox.directory import Restaurant
from sandbox.errors import invalid
from sandbox.fields import UUID_TEXT
from sandbox.service import Call


def path_uuid(call: Call) -> bytes:
    text = call.path["id"]
    if not UUID_TEXT.fullmatch(text):
        raise invalid("id")
    return UUID(text).bytes


def path_restaurant(call: Call) -> Restaurant:
    return call.service.directory.own_restaurant(call.client, path_uuid(call))
