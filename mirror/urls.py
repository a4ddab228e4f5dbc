from django.urls import path, re_path

from mirror import views

app_name = "mirror"
urlpatterns = [
    path("", views.index, name="index"),
    path("sweep/", views.sweep, name="sweep"),
    path("parked/again/", views.try_again, name="try_again"),
    path("parked/<int:pk>/give-up/", views.give_up, name="give_up"),
    path("backfills/", views.backfills, name="backfills"),
    path("backfills/<int:pk>/", views.backfill, name="backfill"),
    re_path(r"^backfills/(?P<pk>\d+)/(?P<verb>pause|resume|cancel)/$", views.steer, name="steer"),
]
