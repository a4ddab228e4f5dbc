"""/setup/connection/"""

from django.urls import path

from partner.setup_pages import views

app_name = "partner"
urlpatterns = [
    path("", views.index, name="index"),
    path("add/", views.add, name="add"),
    path("sizes/", views.sizes, name="sizes"),
    path("<int:pk>/", views.show, name="show"),
    path("<int:pk>/save/", views.save, name="save"),
    path("<int:pk>/point-of-sale/", views.save_pos, name="save_pos"),
    path("<int:pk>/webhook/rotate/", views.steer, {"verb": "rotate"}, name="rotate"),
    path("<int:pk>/webhook/revoke/", views.steer, {"verb": "revoke"}, name="revoke"),
    path("<int:pk>/pause/", views.steer, {"verb": "pause"}, name="pause"),
    path("<int:pk>/resume/", views.steer, {"verb": "resume"}, name="resume"),
    path("<int:pk>/retire/", views.retire, name="retire"),
    path("<int:pk>/test/", views.test, name="test"),
    path("<int:pk>/new-token/", views.new_token, name="new_token"),
]
