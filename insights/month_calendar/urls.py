from django.urls import path

from insights.month_calendar import views as calendar_views

app_name = "calendar"
urlpatterns = [path("", calendar_views.index, name="index")]
