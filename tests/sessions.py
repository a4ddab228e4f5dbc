"""A session for a browser, as if the user had just entered the password."""

from accounts.models import User
from restaurants.testing import just_confirmed, sign_in


def session_of(user: User) -> str:
    """The key of a new session that may also open pages that ask for the password again."""
    session = sign_in(user).session
    session.update(just_confirmed(user))
    session.save()
    return str(session.session_key)
