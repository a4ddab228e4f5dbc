"""/setup/telephone/"""

from django.urls import path

from phone.setup_pages import views

app_name = "telephone"
urlpatterns = [
    path("", views.index, name="index"),
    path("address/", views.rotate, name="rotate"),
    path("address/revoke/", views.revoke, name="revoke"),
    path("<uuid:uuid>/report/", views.report, name="report"),
]
