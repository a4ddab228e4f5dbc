"""The pages about people live here and not in accounts, because roles decide who sees whom."""

from django.urls import path

from restaurants.audit_trail import views as audit
from restaurants.invitations import views as invitations
from restaurants.people import views as people

app_name = "people"
urlpatterns = [
    path("", people.index, name="index"),
    path("audit/", audit.index, name="audit"),
    path("invite/", invitations.invite, name="invite"),
    path("invitations/<uuid:key>/again/", invitations.invite_again, name="invite_again"),
    path("invitations/<uuid:key>/withdraw/", invitations.withdraw, name="withdraw"),
    path("second-factor/", people.require_second_factor, name="require_second_factor"),
    path("<int:pk>/", people.show, name="show"),
    path("<int:pk>/roles/", people.give_role, name="give_role"),
    path("<int:pk>/roles/<int:membership>/take/", people.take_role, name="take_role"),
    path("<int:pk>/link/", invitations.renew_link, name="renew_link"),
    path("<int:pk>/owner/", people.make_owner, name="make_owner"),
    path("<int:pk>/owner/end/", people.end_ownership, name="end_ownership"),
    path("<int:pk>/deactivate/", people.deactivate, name="deactivate"),
    path("<int:pk>/reactivate/", people.reactivate, name="reactivate"),
]
