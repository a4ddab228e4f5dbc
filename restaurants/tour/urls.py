from django.urls import path

from restaurants.tour import views

app_name = "tour"
urlpatterns = [
    path("", views.index, name="index"),
    path("end/", views.end, name="end"),
    path("leave/", views.leave, name="leave"),
    path("<slug:name>/play/", views.play, name="play"),
    path("<slug:name>/", views.show, name="show"),
]
