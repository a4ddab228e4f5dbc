from django.urls import path

from lib.web.addresses import moved
from reservations.briefing import views as briefing
from reservations.calendar_feed import views as calendar_feed
from reservations.changes import views as changes
from reservations.day_board import views as day_board
from reservations.details import views as details
from reservations.host_marks import views as host_marks
from reservations.new_booking import views as new_booking
from reservations.offers import views as offers
from reservations.offline_copy import views as offline_copy
from reservations.online_booking import views as online_booking
from reservations.worklists import views as worklists

app_name = "reservations"
urlpatterns = [
    path("", day_board.index, name="index"),
    path("reservations/brief/", briefing.brief, name="brief"),
    path("reservations/brief/print/", briefing.print_briefing, name="print_briefing"),
    path("reservations/brief/printed/<int:number>/", briefing.printed, name="printed_briefing"),
    path("reservations/open-past/", worklists.open_past, name="open_past"),
    path("reservations/export.csv", day_board.export, {"suffix": "csv"}, name="export_csv"),
    path("reservations/export.xlsx", day_board.export, {"suffix": "xlsx"}, name="export_xlsx"),
    path("reservations/offline/", offline_copy.index, name="offline_copy"),
    path("reservations/feeds/", calendar_feed.index, name="feeds"),
    path("reservations/feeds/<uuid:uuid>/bookings.ics", calendar_feed.show, name="feed"),
    path("reservations/feeds/<uuid:uuid>/make/", calendar_feed.make, name="make_feed"),
    path("reservations/feeds/<uuid:uuid>/revoke/", calendar_feed.revoke, name="revoke_feed"),
    path("reservations/<uuid:uuid>/", details.show, name="show"),
    path(
        "reservations/<uuid:uuid>/seen-by-kitchen/",
        briefing.seen_by_kitchen,
        name="seen_by_kitchen",
    ),
    path("reservations/<uuid:uuid>/reading/", details.decide_reading, name="decide_reading"),
    path("reservations/<uuid:uuid>/card/", day_board.card, name="card"),
    path("reservations/<uuid:uuid>/marks/", host_marks.mark, name="mark"),
    path(
        "reservations/<uuid:uuid>/marks/<int:number>/take-back/",
        host_marks.take_back,
        name="take_mark_back",
    ),
    path("reservations/<uuid:uuid>/change/", changes.change, name="change"),
    path("reservations/<uuid:uuid>/note/", changes.note, name="note"),
    path("reservations/<uuid:uuid>/cancel/", changes.cancel, name="cancel"),
    path("reservations/<uuid:uuid>/changes/", changes.sent_changes, name="sent_changes"),
    path("reservations/<uuid:uuid>/changes/facts/", changes.form_facts, name="form_facts"),
    path("reservations/changes/<uuid:key>/undo/", changes.undo, name="undo"),
    path("reservations/changes/<uuid:key>/again/", changes.again, name="again"),
    path("reservations/changes/<uuid:key>/keep/", changes.keep, name="keep"),
    path("reservations/changes/<uuid:key>/found/", changes.found, name="found"),
    path("reservations/new/", new_booking.new, name="new"),
    path("reservations/new/anywhere/", new_booking.anywhere, name="anywhere"),
    path("reservations/new/phone/", new_booking.phone, name="phone"),
    path("reservations/requests/", worklists.requests, name="requests"),
    path("reservations/availability/", online_booking.index, name="availability"),
    path("reservations/offers/", offers.index, name="offers"),
    path("reservations/offers/days/", offers.days, name="offer_days"),
    path("reservations/offers/sizes/", offers.sizes, name="offer_sizes"),
    path("reservations/changes/<uuid:key>/", new_booking.sent_change, name="sent_change"),
    # As they were called before; bookmarks, and pages that are still open, lead there.
    path("reservations/unclosed/", moved("unclosed", to="open-past"), name="before_open_past"),
    path("reservations/wishes/<path:rest>", moved("wishes", to="changes"), name="before_changes"),
    path(
        "reservations/<uuid:uuid>/wishes/",
        moved("wishes", to="changes"),
        name="before_sent_changes",
    ),
]
