from django.urls import path

from customers.views import duplicates, guests, lists, privacy, saved

app_name = "customers"
urlpatterns = [
    path("", lists.index, name="index"),
    path("find/", lists.find, name="find"),
    path("look-up/", lists.look_up, name="look_up"),
    path("export.csv", lists.export, {"suffix": "csv"}, name="export_csv"),
    path("export.xlsx", lists.export, {"suffix": "xlsx"}, name="export_xlsx"),
    path("phones.csv", lists.phones, name="phones_csv"),
    path("views/save/", saved.save_view, name="save_view"),
    path("views/<uuid:uuid>/", saved.open_view, name="open_view"),
    path("views/<uuid:uuid>/edit/", saved.edit_view, name="edit_view"),
    path("views/<uuid:uuid>/delete/", saved.delete_view, name="delete_view"),
    path("duplicates/", duplicates.index, name="duplicates"),
    path("<uuid:uuid>/duplicates/", duplicates.of_guest, name="of_guest"),
    path("<uuid:uuid>/not-the-same/", duplicates.mark_not_same, name="mark_not_same"),
    path("<uuid:uuid>/", guests.show, name="show"),
    path("<uuid:uuid>/reveal/", guests.reveal, name="reveal"),
    path("<uuid:uuid>/refresh/", guests.refresh, name="refresh"),
    path("<uuid:uuid>/house-note/", guests.internal_note, name="internal_note"),
    path("purge/", privacy.purge, name="purge"),
    path("<uuid:uuid>/take-away/", privacy.take_away, name="take_away"),
    path("<uuid:uuid>/erase/", privacy.erase, name="erase"),
]
