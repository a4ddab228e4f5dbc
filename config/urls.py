"""URL configuration: one prefix per app."""

from django.contrib import admin
from django.urls import include, path

from accounts.views import closed, sessions
from config.requests import refusals
from webhooks.receiver import view as receive

handler403, handler404 = refusals.forbidden, refusals.not_found

urlpatterns = [
    path("", include("reservations.urls")),
    path("", include("restaurants.web_app.urls")),
    path("calendar/", include("insights.month_calendar.urls")),
    path("customers/", include("customers.urls")),
    path("reviews/", include("reviews.urls")),
    path("insights/", include("insights.urls")),
    path("phone/", include("phone.urls")),
    # Both spellings: a redirect would lose the event. In production config/wsgi.py answers here.
    path("webhooks/partner/", receive, name="receive_event"),
    path("webhooks/partner", receive, name="receive_event_without_slash"),
    path("live/", include("live.urls")),
    path("tour/", include("restaurants.tour.urls")),
    path("setup/", include("restaurants.setup.urls")),
    path("setup/connection/", include("partner.urls")),
    path("setup/restaurants/", include("restaurants.urls")),
    path("setup/offline/", include("restaurants.offline_devices.urls")),
    path("setup/people/", include("restaurants.people.urls")),
    path("setup/emergency/", include("restaurants.emergency_access.urls")),
    path("setup/mirror/", include("mirror.urls")),
    path("setup/webhooks/", include("webhooks.urls")),
    path("setup/outbox/", include("outbox.urls")),
    path("setup/telephone/", include("phone.setup_pages.urls")),
    path("setup/pos/", include("pos.urls")),
    path("invitations/", include("restaurants.invitations.urls")),
    path("accounts/push/", include("live.push.urls")),
    path("accounts/", include("accounts.urls")),
    path("accounts/email/", closed, name="account_email"),
    path("accounts/confirm-email/", closed, name="account_email_verification_sent"),
    path("accounts/confirm-email/<str:key>/", closed, name="account_confirm_email"),
    path("accounts/sessions/", sessions, name="usersessions_list"),
    path("accounts/", include("allauth.urls")),
    path("styleguide/", include("restaurants.styleguide.urls")),
    path("admin/", admin.site.urls),
]
