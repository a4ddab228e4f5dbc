from django.urls import path

from outbox import views

app_name = "outbox"
urlpatterns = [
    path("", views.index, name="index"),
    path("<uuid:key>/again/", views.try_again, name="try_again"),
    path("<uuid:key>/withdraw/", views.withdraw, name="withdraw"),
]
