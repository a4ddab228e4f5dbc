from django.urls import path

from restaurants.web_app import views

app_name = "web_app"
urlpatterns = [
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("service-worker.js", views.service_worker, name="service_worker"),
]
