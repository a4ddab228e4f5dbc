"""The request of a person who has signed in, as views of every app see it."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class SignedInRequest(HttpRequest):
    user: User
    htmx: HtmxDetails
