from django.urls import path

from customers.duplicates import views as duplicates
from customers.guest_list import views as guest_list
from customers.privacy import views as privacy
from customers.profile import views as profile
from customers.saved_views import views as saved_views
from customers.search import views as search

app_name = "customers"
urlpatterns = [
    path("", guest_list.index, name="index"),
    path("find/", search.find, name="find"),
    path("look-up/", search.look_up, name="look_up"),
    path("export.csv", guest_list.export, {"suffix": "csv"}, name="export_csv"),
    path("export.xlsx", guest_list.export, {"suffix": "xlsx"}, name="export_xlsx"),
    path("phones.csv", guest_list.phones, name="phones_csv"),
    path("views/save/", saved_views.save_view, name="save_view"),
    path("views/<uuid:uuid>/", saved_views.open_view, name="open_view"),
    path("views/<uuid:uuid>/edit/", saved_views.edit_view, name="edit_view"),
    path("views/<uuid:uuid>/delete/", saved_views.delete_view, name="delete_view"),
    path("duplicates/", duplicates.index, name="duplicates"),
    path("<uuid:uuid>/duplicates/", duplicates.of_guest, name="of_guest"),
    path("<uuid:uuid>/not-the-same/", duplicates.mark_not_same, name="mark_not_same"),
    path("<uuid:uuid>/", profile.show, name="show"),
    path("<uuid:uuid>/reveal/", profile.reveal, name="reveal"),
    path("<uuid:uuid>/refresh/", profile.refresh, name="refresh"),
    path("<uuid:uuid>/house-note/", profile.internal_note, name="internal_note"),
    path("<uuid:uuid>/reading/", profile.decide_reading, name="decide_reading"),
    path("purge/", privacy.purge, name="purge"),
    path("<uuid:uuid>/take-away/", privacy.take_away, name="take_away"),
    path("<uuid:uuid>/erase/", privacy.erase, name="erase"),
]
