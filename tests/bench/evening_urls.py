"""The same bookings as ready-made tables show them, each set up as its tutorial says."""

import django_filters
import django_tables2
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path

from reservations.models import Reservation

ROWS = 300
SHOWN = (
    "meal_at",
    "party_size",
    "customer",
    "status",
    "meal_status",
    "customer_note",
    "reservation_channel",
)
PAGE = "{% load django_tables2 %}<form>{{ found.form }}</form>{% render_table table %}"


class Filters(django_filters.FilterSet):  # type: ignore[misc]  # the library has no types
    class Meta:
        model = Reservation
        fields = ("restaurant", "service_day", "status", "reservation_channel")


class Table(django_tables2.Table):  # type: ignore[misc]  # the library has no types
    class Meta:
        model = Reservation
        fields = SHOWN


@admin.register(Reservation)
class ReservationAdmin(admin.ModelAdmin):
    list_display = SHOWN
    list_filter = ("service_day", "status")
    list_select_related = ("customer",)
    list_per_page = ROWS
    show_full_result_count = False


def ready_made(request: HttpRequest) -> HttpResponse:
    rows = Reservation.objects.select_related("customer", "restaurant")
    found = Filters(request.GET, queryset=rows)
    table = Table(found.qs)
    django_tables2.RequestConfig(request, paginate={"per_page": ROWS}).configure(table)
    page = engines["django"].from_string(PAGE)
    return HttpResponse(page.render({"found": found, "table": table}, request))


# Last: the addresses of the admin are those of the models it knows by then.
urlpatterns = [path("bench/tables2/", ready_made), path("", include("config.urls"))]
