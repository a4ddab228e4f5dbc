from django.urls import path

from webhooks import views

app_name = "webhooks"
urlpatterns = [
    path("", views.index, name="index"),
    path("route-again/", views.route_odd_again, name="route_odd_again"),
    path("<int:pk>/route-again/", views.route_again, name="route_again"),
]
