"""Steps to the real service that the connection, the restaurants and the people show as done."""

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from partner.models import Connection, Token
from partner.wording import words
from restaurants.invitations.models import Invitation
from restaurants.models import Restaurant
from restaurants.setup.pages import SetupStep


def has_colleagues() -> bool:
    """Whether a second person may sign in or is invited."""
    return User.objects.filter(is_active=True).count() > 1 or Invitation.objects.open().exists()


def has_had_a_key() -> bool:
    """Whether a key was ever given. One that is refused later is no step of the set-up: Health
    and the connection name it."""
    return Token.objects.filter(Q(usable_until__isnull=False) | ~Q(scopes="")).exists()


def refusal() -> str:
    """Why the newest key was refused; empty where none was."""
    token = Token.objects.filter(is_refused=True).order_by("-pk").first()
    if token is None:
        return ""
    return words.sentence(token.last_error, kind="credentials_refused", is_read=True)


OWN_STEPS = [
    SetupStep(
        place=10,
        title=_("Addresses and key"),
        text=_("Type what the service's operator gave you."),
        action=_("Enter them"),
        url_name="partner:index",
        is_done=lambda: Connection.objects.exists(),
    ),
    SetupStep(
        place=20,
        title=_("Test the connection"),
        text=_("One call for the key; then you see what it may do."),
        action=_("Test it"),
        url_name="partner:index",
        is_done=has_had_a_key,
        progress=refusal,
    ),
    SetupStep(
        place=30,
        title=_("Groups and restaurants"),
        text=_(
            "Type the uuid of a group, as the operator of the service gave it. Its restaurants are"
            " found in its bookings."
        ),
        action=_("Add a group"),
        url_name="restaurants:index",
        is_done=lambda: Restaurant.objects.exists(),
    ),
    SetupStep(
        place=35,
        title=_("People"),
        text=_("Invite your team now, or later."),
        action=_("Invite a person"),
        url_name="people:index",
        is_done=has_colleagues,
        is_optional=True,
    ),
    SetupStep(
        place=40,
        title=_("Address for events"),
        text=_("Copy it and hand it to the service's operator. Done when the first event comes."),
        action=_("Copy the address"),
        url_name="partner:index",
        anchor="#webhook-title",
        is_done=lambda: Connection.objects.filter(webhook_token_used_at__isnull=False).exists(),
        is_waiting=True,
    ),
]
