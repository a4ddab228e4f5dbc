from django.urls import path

from restaurants.offline_devices import views

app_name = "offline_devices"
urlpatterns = [
    path("", views.index, name="index"),
    path("allow/", views.allow, name="allow"),
    path("<int:pk>/stop/", views.stop, name="stop"),
]
