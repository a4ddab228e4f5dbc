from django.urls import path

from live.push import views

app_name = "push"
urlpatterns = [
    path("", views.index, name="index"),
    path("key/", views.key, name="key"),
    path("on/", views.switch_on, name="switch_on"),
    path("renew/", views.renew, name="renew"),
    path("<int:pk>/remove/", views.remove, name="remove"),
    path("<int:pk>/test/", views.test, name="test"),
]
