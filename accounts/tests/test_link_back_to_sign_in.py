"""The last pages of sign-in, reset and sign-up link to the next step."""

import pytest
from django.test import Client
from django.urls import reverse

ENDS = [
    "account_inactive",
    "account_signup",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key_done",
]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ENDS)
def test_it_works(client: Client, name):
    page = client.get(reverse(name)).content.decode()

    assert page.count("<h1>") == 1
    assert f'href="{reverse("account_login")}">Back to sign-in' in page
