from django.urls import path

from restaurants.emergency_access import views

app_name = "emergency_access"
urlpatterns = [
    path("", views.index, name="index"),
    path("begin/", views.begin, name="begin"),
    path("<int:pk>/end/", views.end, name="end"),
]
