"""The audit trail, newest first: who changed, exported or revealed what."""

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import User
from restaurants.access import require
from restaurants.audit_trail.forms import AuditFilterForm
from restaurants.audit_trail.lines import lines_of
from restaurants.audit_trail.models import entries_visible_to
from restaurants.people.reach import people_visible_to

RIGHT = "accounts.view_audit"
PAGE = 50


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Paged by id with one query, because counting or skipping an endless trail is slow."""
    require(request, RIGHT)
    user = cast(User, request.user)
    people = people_visible_to(user, RIGHT)
    entries = entries_visible_to(user, RIGHT).select_related("actor", "content_type")
    form = AuditFilterForm(request.GET, people=people)
    page = list(form.narrow(entries.order_by("-id"))[: PAGE + 1])
    context = {
        "form": form,
        "entries": lines_of(page[:PAGE]),
        "older": form.older(page[PAGE - 1].pk) if len(page) > PAGE else "",
    }
    return render(request, "people/audit.html", context)
