"""/setup/pos/"""

from django.urls import path

from pos import views

app_name = "pos"
urlpatterns = [
    path("", views.index, name="index"),
    path("send/", views.send, name="send"),
    path("<int:pk>/send/", views.send_again, name="send_again"),
    path("<int:pk>.png", views.image, name="image"),
]
