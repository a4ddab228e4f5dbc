from django.urls import path

from insights import calendar_views

app_name = "calendar"
urlpatterns = [path("", calendar_views.index, name="index")]
