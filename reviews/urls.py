from django.urls import path

from lib.web.addresses import moved
from reviews.alerts import views as alerts
from reviews.figures import views as figures
from reviews.inbox import views as inbox
from reviews.new_comments import views as new_comments
from reviews.reply import views as reply
from reviews.saved_replies import views as saved_replies
from reviews.triage import views as triage

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
    path("new-comments/", new_comments.look, name="new_comments"),
    path("bulk/", triage.bulk, name="bulk"),
    path("views/", inbox.save_view, name="save_view"),
    path("views/<int:pk>/delete/", inbox.delete_view, name="delete_view"),
    path("replies/", saved_replies.replies, name="replies"),
    path("replies/new/", saved_replies.add_reply, name="add_reply"),
    path("replies/<int:pk>/", saved_replies.edit_reply, name="edit_reply"),
    path("replies/<int:pk>/delete/", saved_replies.delete_reply, name="delete_reply"),
    path("rules/<uuid:uuid>/", alerts.rules, name="rules"),
    path("alerts/", alerts.alerts, name="alerts"),
    path("alerts/seen/", alerts.seen, name="seen"),
    path("figures/", figures.numbers, name="numbers"),
    path("figures.csv", figures.numbers_csv, name="numbers_csv"),
    path("changes/<uuid:key>/undo/", reply.undo, name="undo"),
    path("changes/<uuid:key>/again/", reply.again, name="again"),
    # As it was called before; pages that are still open lead there.
    path("wishes/<path:rest>", moved("wishes", to="changes"), name="before_changes"),
]
