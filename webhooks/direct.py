"""The receiver as a Django view, for what serves Django alone: a test client, for instance."""

from django.contrib.auth.decorators import login_not_required
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from lib.broker.worker_signals import notify_workers
from partner.models.webhook_tokens import KnownToken, TokenTable
from webhooks.inbox import TokensUnknown
from webhooks.models import CountKey, Delivery, HourlyCount, hour_of
from webhooks.receiver import Read, judge
from webhooks.tasks import route


class ViewBackend:
    """The receiver's backend without threads: it uses the request's own connection.

    What serves Django alone, a test client for instance, then behaves like the running product.
    """

    def tokens(self) -> TokenTable:
        try:
            return TokenTable.read()
        except Error as error:
            raise TokensUnknown from error

    def take(self, read: Read, *, token: KnownToken) -> bool:
        return self.store(read(), token=token)

    def store(self, raw: bytes, *, token: KnownToken) -> bool:
        whose = {"slot": token.slot, "connection_id": token.connection_id}
        try:
            Delivery.objects.create(received_at=timezone.now(), raw=raw, size=len(raw), **whose)
        except Error:
            return False
        return True

    def notify(self, token: KnownToken) -> None:
        notify_workers(route)

    def count(self, what: HourlyCount.What) -> None:
        HourlyCount.objects.add([(CountKey(what.value, hour_of(timezone.now())), 1)])


@csrf_exempt
@login_not_required
def receive(request: HttpRequest) -> HttpResponse:
    """Answer as `receiver.receive` does; config/wsgi.py calls that one instead of this."""
    answer = judge(request.META, backend=ViewBackend())
    status = int(answer.status.split(" ", 1)[0])
    return HttpResponse(answer.body, status=status, headers=dict(answer.headers))
