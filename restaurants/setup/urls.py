from django.urls import path

from restaurants.setup import views

app_name = "setup"
urlpatterns = [
    path("", views.index, name="index"),
    path("guide/", views.guide, name="guide"),
]
