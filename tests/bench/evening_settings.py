"""The product, and beside it the two ready-made tables that its boards are measured against."""

from config.settings import *  # noqa: F403 - the product's settings, whole
from config.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "django_filters", "django_tables2"]
ROOT_URLCONF = "tests.bench.evening_urls"
ALLOWED_HOSTS = ["testserver"]
BENCH = True
