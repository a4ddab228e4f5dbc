from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns = [
    path("preferences/", views.preferences, name="preferences"),
    path("invitation/", views.accept_invitation, name="accept_invitation"),
    path("device/", views.switch, name="switch"),
    path("device/share/", views.share, name="share"),
    path("device/unshare/", views.unshare, name="unshare"),
    path("device/pin/", views.set_pin, name="set_pin"),
    path("device/people/<int:person>/", views.take_over, name="take_over"),
]
