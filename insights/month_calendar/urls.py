from django.urls import path

from insights.day_notes import views as note_views
from insights.month_calendar import views as calendar_views

app_name = "calendar"
urlpatterns = [
    path("", calendar_views.index, name="index"),
    path("export.csv", calendar_views.export, name="csv"),
    path("hours.csv", calendar_views.export_hours, name="hours_csv"),
    path("notes/", note_views.notes, name="notes"),
    path("notes/<int:pk>/delete/", note_views.delete_note, name="delete_note"),
]
