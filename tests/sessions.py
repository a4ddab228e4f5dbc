"""A session for a browser, as if the user had just entered the password."""

import time

from accounts.models import User
from restaurants.testing import sign_in


def session_of(user: User) -> str:
    """The key of a new session that may also open pages that ask for the password again."""
    session = sign_in(user).session
    just_now = {"method": "password", "at": time.time(), "reauthenticated": True}
    session["account_authentication_methods"] = [just_now]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    return str(session.session_key)
