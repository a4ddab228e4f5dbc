"""Links to a new password. The page does the same for every address; the worker does the rest."""

from datetime import datetime, timedelta

from allauth.account.forms import default_token_generator
from allauth.account.internal.flows.password_reset import request_password_reset
from django.db import transaction
from django.utils import translation

from accounts.models import PasswordResetRequest, User

# Requests older than this are deleted.
LIFETIME = timedelta(hours=1)


def answer_requests(*, now: datetime) -> None:
    """Queue a link for each account whose address was named; an unknown address gets none."""
    PasswordResetRequest.objects.filter(requested_at__lt=now - LIFETIME).delete()
    for request in PasswordResetRequest.objects.order_by("pk"):
        with transaction.atomic():
            deleted, _models = PasswordResetRequest.objects.filter(pk=request.pk).delete()
            if deleted:  # otherwise another worker answers it
                answer(request)


def answer(request: PasswordResetRequest) -> None:
    for user in User.objects.filter(email__iexact=request.email, is_active=True):
        with translation.override(user.language or request.language):
            request_password_reset(None, request.email, [user], default_token_generator)
