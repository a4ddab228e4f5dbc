"""A Django site of one empty view without any middleware: the strictest peer of the receiver."""

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

settings.configure(ALLOWED_HOSTS=["127.0.0.1"], MIDDLEWARE=[], ROOT_URLCONF=__name__)


def empty(request: HttpRequest) -> HttpResponse:
    """Without middleware nothing else sets the length."""
    body = b'{"data": {}}'
    headers = {"Content-Length": str(len(body))}
    return HttpResponse(body, content_type="application/json", headers=headers)


urlpatterns = [path("empty", empty)]
application = get_wsgi_application()
