from django.urls import path

from insights.expected import views as expected_views

urlpatterns = [
    path("", expected_views.show, name="expected"),
    path("export.csv", expected_views.export, {"suffix": "csv"}, name="expected_csv"),
    path("export.xlsx", expected_views.export, {"suffix": "xlsx"}, name="expected_xlsx"),
    path("errors/", expected_views.show_errors, name="forecast_errors"),
    path("errors/export.csv", expected_views.export_errors, name="forecast_errors_csv"),
]
