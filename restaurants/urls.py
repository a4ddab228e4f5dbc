from django.urls import path

from restaurants.group_moves import views as group_moves
from restaurants.places import views as places

app_name = "restaurants"
urlpatterns = [
    path("", places.index, name="index"),
    path("groups/add/", places.add_group, name="add_group"),
    path("groups/<uuid:uuid>/", places.edit_group, name="edit_group"),
    path("groups/<uuid:uuid>/add/", places.add, name="add"),
    path("groups/<uuid:uuid>/find/", places.find, name="find"),
    path("groups/<uuid:uuid>/move/", group_moves.move, name="move"),
    path("<uuid:uuid>/", places.edit, name="edit"),
]
