from django.urls import path, re_path

from mirror.health import views as health
from mirror.jobs import views as jobs

app_name = "mirror"
urlpatterns = [
    path("", health.index, name="index"),
    path("sweep/", jobs.sweep, name="sweep"),
    path("parked/again/", health.try_again, name="try_again"),
    path("parked/<int:pk>/give-up/", health.give_up, name="give_up"),
    path("backfills/", jobs.backfills, name="backfills"),
    path("backfills/<int:pk>/", jobs.backfill, name="backfill"),
    re_path(r"^backfills/(?P<pk>\d+)/(?P<verb>pause|resume|cancel)/$", jobs.steer, name="steer"),
]
