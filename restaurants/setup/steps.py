"""Steps to the real service that the connection and the restaurants show as done."""

from django.utils.translation import gettext_lazy as _

from partner.models import Connection, Token
from restaurants.models import Restaurant
from restaurants.setup.pages import SetupStep

OWN_STEPS = [
    SetupStep(
        place=10,
        title=_("Addresses and key"),
        text=_("Type what the service's operator gave you."),
        url_name="partner:index",
        is_done=lambda: Connection.objects.exists(),
    ),
    SetupStep(
        place=20,
        title=_("Test the connection"),
        text=_("One call for the key; then you see what it may do."),
        url_name="partner:index",
        is_done=lambda: Token.objects.filter(usable_until__isnull=False).exists(),
    ),
    SetupStep(
        place=30,
        title=_("Groups and restaurants"),
        text=_("The service does not list them: name each with its uuid."),
        url_name="restaurants:index",
        is_done=lambda: Restaurant.objects.exists(),
    ),
    SetupStep(
        place=40,
        title=_("Address for events"),
        text=_("Hand it to the operator and wait for the first event."),
        url_name="partner:index",
        anchor="#webhook-title",
        is_done=lambda: Connection.objects.filter(webhook_token_used_at__isnull=False).exists(),
    ),
]
