from django.urls import path

from phone import views

app_name = "phone"
urlpatterns = [
    path("", views.index, name="index"),
    path("log/", views.log, name="log"),
    path("ringing/", views.ringing, name="ringing"),
    path("look-up/", views.look_up, name="look_up"),
    path("look-up/service/", views.ask, name="ask"),
    path("calls/", views.receive, name="receive"),
    path("calls/<uuid:uuid>/", views.row, name="row"),
]
