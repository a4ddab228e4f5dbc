"""Sends a logo while the person waits. Sending it twice changes nothing at the service."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop, override

from partner import factory
from partner.errors import PartnerError
from partner.models import Connection, PosIdentity
from partner.schemas import PosInstance
from pos.models import Logo
from pos.words import words_of

State = Logo.State
# What the page says about the entry. The addresses of its OAuth are nobody's business here.
SHOWN = ("name", "type", "homepage_url", "available_on", "logo_path", "uuid")


def send(logo: Logo) -> None:
    """Upload the logo to the service, and store the outcome."""
    try:
        connection = Connection.objects.named(logo.connection_id).pk
        identity = PosIdentity.objects.of(connection)
        answer = factory.client(connection).upload_logo(identity, png=bytes(logo.png))
    except PartnerError as error:
        _fail(logo, error)
    else:
        facts = facts_of(answer.entity)
        sentence = gettext_noop("The service shows this logo now.")
        _end(logo, State.SENT, sentence=sentence, answer=facts)


def facts_of(instance: PosInstance) -> dict[str, Any]:
    """What the service answered; a fact that it left out is left out here too."""
    facts = {name: getattr(instance, name) for name in SHOWN}
    return {name: _plain(value) for name, value in facts.items() if value is not None}


def _plain(value: Any) -> Any:
    return value if isinstance(value, list) else str(value)


def _fail(logo: Logo, error: PartnerError) -> None:
    """Store why, untranslated: it is shown to others than the sender too."""
    with override(None):
        words = words_of(error)
        sentence, next_step = str(words.sentence), str(words.next_step)
    _end(logo, words.state, sentence=sentence, next_step=next_step)


def _end(logo: Logo, state: Logo.State, **fields: Any) -> None:
    logo.state, logo.ended_at = state, timezone.now()
    for name, value in fields.items():
        setattr(logo, name, value)
    logo.save(update_fields=["state", "ended_at", *fields])
