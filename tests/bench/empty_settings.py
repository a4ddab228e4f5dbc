"""The product's settings with one more address: `/empty`, the view to compare with."""

from config.settings import *  # noqa: F403 - the product's settings, all of them

ROOT_URLCONF = "tests.bench.empty_urls"
