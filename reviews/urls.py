from django.urls import path

from reviews.views import comments, inbox, reply, settings, triage

app_name = "reviews"
urlpatterns = [
    path("", inbox.index, name="index"),
    path("export.csv", inbox.export, {"suffix": "csv"}, name="export_csv"),
    path("export.xlsx", inbox.export, {"suffix": "xlsx"}, name="export_xlsx"),
    path("<uuid:uuid>/", inbox.show, name="show"),
    path("<uuid:uuid>/row/", inbox.row, name="row"),
    path("<uuid:uuid>/draft/", reply.draft, name="draft"),
    path("<uuid:uuid>/presence/", reply.presence, name="presence"),
    path("<uuid:uuid>/suggest/", reply.suggest, name="suggest"),
    path("<uuid:uuid>/send/", reply.send, name="send"),
    path("<uuid:uuid>/send-back/", reply.send_back, name="send_back"),
    path("<uuid:uuid>/assign/", triage.assign, name="assign"),
    path("<uuid:uuid>/archive/", triage.archive, name="archive"),
    path("<uuid:uuid>/restore/", triage.restore, name="restore"),
    path("new-comments/", comments.look, name="new_comments"),
    path("bulk/", triage.bulk, name="bulk"),
    path("views/", settings.save_view, name="save_view"),
    path("views/<int:pk>/delete/", settings.delete_view, name="delete_view"),
    path("replies/", settings.replies, name="replies"),
    path("replies/new/", settings.add_reply, name="add_reply"),
    path("replies/<int:pk>/", settings.edit_reply, name="edit_reply"),
    path("replies/<int:pk>/delete/", settings.delete_reply, name="delete_reply"),
    path("rules/<uuid:uuid>/", settings.rules, name="rules"),
    path("alerts/", settings.alerts, name="alerts"),
    path("alerts/seen/", settings.seen, name="seen"),
    path("figures/", settings.numbers, name="numbers"),
    path("figures.csv", settings.numbers_csv, name="numbers_csv"),
    path("wishes/<uuid:key>/undo/", reply.undo, name="undo"),
    path("wishes/<uuid:key>/again/", reply.again, name="again"),
]
