"""The other side of `tests.bench.streams`: many signed-in browsers, and announcements for them.

Prints one line of JSON with the sessions; then, for each version it reads, commits an announcement
and prints the instant just before (the monotonic clock, which all processes of a machine share).
"""

import json
import sys
import time
from typing import NoReturn
from uuid import uuid4

import django

django.setup()

from django.conf import settings  # noqa: E402 - the models exist only now
from django.db import connection  # noqa: E402

from accounts.models import User  # noqa: E402
from live.announcements import announce  # noqa: E402
from live.testing import make_line  # noqa: E402
from restaurants.testing import make_group, make_member, make_restaurant, sign_in  # noqa: E402


def main(browsers: int) -> NoReturn:
    settings.ALLOWED_HOSTS += ["testserver"]
    restaurant = make_restaurant(make_group())
    user = User.objects.create_user("bench@example.org")
    make_member(user, restaurant)
    cookies = [
        sign_in(user).cookies[settings.SESSION_COOKIE_NAME].OutputString().split(";")[0]
        for _number in range(browsers)
    ]
    say({"vendor": connection.vendor, "cookies": cookies})
    uuid = uuid4()
    for version in map(int, sys.stdin):
        began = time.monotonic()
        announce([make_line(restaurant, uuid=uuid, version=version)])
        say(began)
    sys.exit()


def say(what: object) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201 - a pipe to the parent


if __name__ == "__main__":
    main(int(sys.argv[1]))
