from django.urls import path

from reservations import feed_views, views
from reservations.booking import views as booking
from reservations.changes import views as changes
from reservations.offers import views as offers
from reservations.override import views as override

app_name = "reservations"
urlpatterns = [
    path("", views.index, name="index"),
    path("reservations/brief/", views.brief, name="brief"),
    path("reservations/unclosed/", views.open_past, name="open_past"),
    path("reservations/export.csv", views.export, {"suffix": "csv"}, name="export_csv"),
    path("reservations/export.xlsx", views.export, {"suffix": "xlsx"}, name="export_xlsx"),
    path("reservations/feeds/", feed_views.index, name="feeds"),
    path("reservations/feeds/<uuid:uuid>/bookings.ics", feed_views.show, name="feed"),
    path("reservations/feeds/<uuid:uuid>/make/", feed_views.make, name="make_feed"),
    path("reservations/feeds/<uuid:uuid>/revoke/", feed_views.revoke, name="revoke_feed"),
    path("reservations/<uuid:uuid>/", views.show, name="show"),
    path("reservations/<uuid:uuid>/card/", views.card, name="card"),
    path("reservations/<uuid:uuid>/change/", changes.change, name="change"),
    path("reservations/<uuid:uuid>/note/", changes.note, name="note"),
    path("reservations/<uuid:uuid>/cancel/", changes.cancel, name="cancel"),
    path("reservations/<uuid:uuid>/wishes/", changes.sent_changes, name="sent_changes"),
    path("reservations/wishes/<uuid:key>/undo/", changes.undo, name="undo"),
    path("reservations/wishes/<uuid:key>/again/", changes.again, name="again"),
    path("reservations/wishes/<uuid:key>/keep/", changes.keep, name="keep"),
    path("reservations/new/", booking.new, name="new"),
    path("reservations/new/anywhere/", booking.anywhere, name="anywhere"),
    path("reservations/new/phone/", booking.phone, name="phone"),
    path("reservations/requests/", booking.requests, name="requests"),
    path("reservations/availability/", override.index, name="availability"),
    path("reservations/offers/", offers.index, name="offers"),
    path("reservations/offers/days/", offers.days, name="offer_days"),
    path("reservations/offers/sizes/", offers.sizes, name="offer_sizes"),
    path("reservations/wishes/<uuid:key>/", booking.sent_change, name="sent_change"),
]
