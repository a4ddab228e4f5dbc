"""The option `--connection` of commands: which account is meant where there are several."""

from argparse import ArgumentParser

from django.core.management.base import CommandError

from partner.models import Connection


def add_connection(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--connection", default="", metavar="NAME", help="the name or number of one connection"
    )


def one_connection(text: str) -> Connection:
    """The connection with this name or number; without one the only one that is not retired.

    Of several none is guessed: it may be another tenant's.
    """
    found = named_connection(text) or Connection.objects.single()
    if found is None:
        raise CommandError("Say which connection is meant: --connection NAME.")
    return found


def named_connection(text: str) -> Connection | None:
    """The connection with this name or number; None where none is named."""
    if not text:
        return None
    found = list(Connection.objects.filter(name=text)[:2])
    if not found and text.isdecimal():
        found = list(Connection.objects.filter(pk=int(text)))
    if len(found) != 1:
        known = ", ".join(
            f"{pk} {name}" for pk, name in Connection.objects.values_list("pk", "name")
        )
        raise CommandError(f"“{text}” does not name one connection. There are: {known or 'none'}.")
    return found[0]
