"""/setup/connection/"""

from django.urls import path

from partner.setup_pages import views

app_name = "partner"
urlpatterns = [
    path("", views.index, name="index"),
    path("save/", views.save, name="save"),
    path("point-of-sale/", views.save_pos, name="save_pos"),
    path("webhook/rotate/", views.rotate, name="rotate"),
    path("webhook/revoke/", views.revoke, name="revoke"),
    path("pause/", views.pause, name="pause"),
    path("resume/", views.resume, name="resume"),
    path("test/", views.test, name="test"),
    path("new-token/", views.new_token, name="new_token"),
]
