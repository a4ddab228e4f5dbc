from django.urls import path

from insights.prep import views as prep_views

urlpatterns = [
    path("", prep_views.show, name="prep"),
    path("export.csv", prep_views.export, name="prep_csv"),
    path("targets/<uuid:uuid>/", prep_views.targets, name="targets"),
]
