"""Passwords that are quick to check, the same one for everybody, and nothing counted yet."""

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User

PASSWORD = "correct horse battery staple"


@pytest.fixture(autouse=True)
def _quick_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _fresh_throttle(db):
    """No wrong password of an earlier test counts: only a cache in the database is rolled back."""
    cache.clear()


@pytest.fixture
def with_password(_quick_passwords):
    """Give a person a password, and return them."""

    def give(user: User) -> User:
        if not user.check_password(PASSWORD):  # a new hash would end the sessions of before
            user.set_password(PASSWORD)
            user.save()
        return user

    return give


@pytest.fixture
def enter(with_password):
    """Sign a person in as a browser does, and return the browser."""

    def sign_in(user: User, client: Client | None = None) -> Client:
        client = client or Client()
        with_password(user)
        client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
        return client

    return sign_in
