from django.urls import path

from accounts import views
from accounts.shared_devices import views as shared_devices

app_name = "accounts"
urlpatterns = [
    path("preferences/", views.preferences, name="preferences"),
    path("invitation/", views.accept_invitation, name="accept_invitation"),
    path("first-admin/", views.first_admin, name="first_admin"),
    path("device/", shared_devices.switch, name="switch"),
    path("device/share/", shared_devices.share, name="share"),
    path("device/unshare/", shared_devices.unshare, name="unshare"),
    path("device/pin/", shared_devices.set_pin, name="set_pin"),
    path("device/people/<int:person>/", shared_devices.take_over, name="take_over"),
]
