from django.urls import include, path

from insights import views

app_name = "insights"
urlpatterns = [
    path("", views.index, name="index"),
    path("expected/", include("insights.expected.urls")),
    path("prep/", include("insights.prep.urls")),
    path("fullness/heat.csv", views.export_heat, name="heat_csv"),
    path("<slug:slug>/", views.show, name="show"),
    path("<slug:slug>/export.csv", views.export, {"suffix": "csv"}, name="export_csv"),
    path("<slug:slug>/export.xlsx", views.export, {"suffix": "xlsx"}, name="export_xlsx"),
]
