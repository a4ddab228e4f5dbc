from django.urls import path

from restaurants.invitations import views as invitations

app_name = "invitations"
urlpatterns = [
    path("", invitations.mine, name="mine"),
    path("open/", invitations.open_link, name="open"),
    path("open/decline/", invitations.refuse, name="refuse"),
    path("<uuid:key>/accept/", invitations.accept, name="accept"),
    path("<uuid:key>/decline/", invitations.decline, name="decline"),
]
