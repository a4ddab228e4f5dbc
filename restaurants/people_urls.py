"""The pages about people live here and not in accounts, because roles decide who sees whom."""

from django.urls import path

from restaurants.views import audit, people

app_name = "people"
urlpatterns = [
    path("", people.index, name="index"),
    path("audit/", audit.index, name="audit"),
    path("invite/", people.invite, name="invite"),
    path("<int:pk>/", people.show, name="show"),
    path("<int:pk>/roles/", people.give_role, name="give_role"),
    path("<int:pk>/roles/<int:membership>/take/", people.take_role, name="take_role"),
    path("<int:pk>/link/", people.renew_link, name="renew_link"),
    path("<int:pk>/deactivate/", people.deactivate, name="deactivate"),
    path("<int:pk>/reactivate/", people.reactivate, name="reactivate"),
]
