"""The settings of the test-suite: an environment of its own, whatever `.env` says.

The flavour comes from outside: DATABASE_URL and TEST_REDIS_URL, set by bin/test.py.
"""

from tests import environment  # isort: skip
from config.settings import *  # noqa: F403 - the product's settings, all of them

environment.apply_fast_defaults(globals())
