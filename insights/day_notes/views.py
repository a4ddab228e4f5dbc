"""Notes of days: the list, a new one, and taking one away. For admins."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.requests import SignedInRequest
from insights.day_notes.forms import DayNoteForm
from insights.day_notes.models import RIGHT, DayNote
from restaurants.access import require
from restaurants.shell import shell_of


@require_http_methods(["GET", "HEAD", "POST"])
def notes(request: SignedInRequest) -> HttpResponse:
    """The notes of coming days, and the form of a new one."""
    require(request, RIGHT)
    form = DayNoteForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("The note is saved."))
        return redirect("calendar:notes")
    rows = DayNote.objects.changeable_by(request.user).filter(last__gte=shell_of(request).today)
    context = {"form": form, "notes": rows.select_related("group", "restaurant")}
    return render(request, "insights/day_notes.html", context, status=422 if form.errors else 200)


@require_POST
def delete_note(request: SignedInRequest, pk: int) -> HttpResponse:
    note = get_object_or_404(DayNote.objects.visible_to(request.user), pk=pk)
    require(request, RIGHT)
    get_object_or_404(DayNote.objects.changeable_by(request.user), pk=pk).delete()
    messages.success(request, _("The note “%(note)s” is gone.") % {"note": note})
    return redirect("calendar:notes")
