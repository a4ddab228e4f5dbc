"""A board as the apps make them, of nothing but announcements: the newest version of each uuid.

It stands in for every page in the tests of the live screens, which belong to no domain.
"""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path

from live.announcements import scope_of
from live.models import Announcement

CARD = """
<li><a id="card-{{ uuid }}" href="#" data-live="reservation:{{ uuid }}" data-version="{{ version }}"
   data-live-url="/board/{{ uuid }}/">Version {{ version }}</a></li>
"""
LIST = """
<div id="board" data-live-list="reservation" data-live-url="/board/list/">
  <button type="button" data-live-more data-shortcut="." data-one="1 new – show"
          data-many="{n} new – show" hidden></button>
  <ul>{% for uuid, version in cards %}{% include card %}{% endfor %}</ul>
</div>
"""
PAGE = """
{% extends "base.html" %}{% block title %}Board{% endblock %}
{% block main %}<input id="elsewhere">{% include list %}{% endblock %}
"""


def versions(request: HttpRequest) -> dict[UUID, int]:
    scope = scope_of(request.user)  # type: ignore[arg-type]  # signed in, as everywhere
    lines = Announcement.objects.filter(kind="reservation").order_by("pk")
    return {line.uuid: line.version for line in lines if scope.sees(line)}


def template(source: str) -> Any:
    return engines["django"].from_string(source)


def page(request: HttpRequest) -> HttpResponse:
    return HttpResponse(template(PAGE).render(context(request), request))


def listing(request: HttpRequest) -> HttpResponse:
    return HttpResponse(template(LIST).render(context(request), request))


def card(request: HttpRequest, uuid: UUID) -> HttpResponse:
    found = {"uuid": uuid, "version": versions(request)[uuid]}
    # The <li> stays where it is; only what carries data-live is answered.
    html = template(CARD).render(found, request).strip()
    return HttpResponse(html.removeprefix("<li>").removesuffix("</li>"))


def context(request: HttpRequest) -> dict[str, Any]:
    cards = list(versions(request).items())
    return {"cards": cards, "card": template(CARD), "list": template(LIST)}


urlpatterns = [
    path("board/", page),
    path("board/list/", listing),
    path("board/<uuid:uuid>/", card),
    path("", include("config.urls")),
]
