from django.urls import path

from live import views

app_name = "live"
urlpatterns = [
    path("stream/", views.stream, name="stream"),
    path("changes/", views.changes, name="changes"),
    path("alerts/", views.alerts, name="alerts"),
    path("freshness/", views.freshness, name="freshness"),
    path("painted/", views.painted, name="painted"),
]
