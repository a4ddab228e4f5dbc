"""An address that does nothing, behind all of the product's middleware."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt


@csrf_exempt
@login_not_required
def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b'{"data": {}}', content_type="application/json")


urlpatterns = [path("empty", empty), path("", include("config.urls"))]
