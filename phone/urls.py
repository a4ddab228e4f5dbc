from django.urls import path

from phone.calls import views as calls
from phone.receiver import views as receiver

app_name = "phone"
urlpatterns = [
    path("", calls.index, name="index"),
    path("log/", calls.log, name="log"),
    path("ringing/", calls.ringing, name="ringing"),
    path("ringing/<uuid:uuid>/close/", calls.close, name="close"),
    path("look-up/", calls.look_up, name="look_up"),
    path("look-up/service/", calls.ask, name="ask"),
    path("calls/", receiver.receive, name="receive"),
    path("calls/<uuid:uuid>/", calls.row, name="row"),
]
