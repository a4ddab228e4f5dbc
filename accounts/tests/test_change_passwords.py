"""The account's password page and the question of /accounts/logout/, in our own words."""

import re

import pytest

from accounts.tests.conftest import PASSWORD

PAGE = "/accounts/password/change/"
ANOTHER = "staple battery horse correct"
TITLE_CASE = re.compile(r">\s*[A-Z][a-z]+ [A-Z][a-z]+\b[^<]*</(?:h1|h2|label|button)>")


def test_it_works(cast, enter):
    data = {"oldpassword": PASSWORD, "password1": ANOTHER, "password2": ANOTHER}
    answer = enter(cast.alice).post(PAGE, data)
    cast.alice.refresh_from_db()

    assert answer.status_code == 302
    assert cast.alice.check_password(ANOTHER)


@pytest.mark.parametrize("address", [PAGE, "/accounts/logout/"])
def test_its_words_are_in_sentence_case(cast, enter, address):
    """The library's are not: “Change Password”, “Sign Out”."""
    page = enter(cast.alice).get(address).content.decode()

    assert "</h2>" in page
    assert TITLE_CASE.findall(page) == []


def test_no_label_stands_in_its_field_once_more(cast, enter):
    page = enter(cast.alice).get(PAGE).content.decode()

    assert page.count('type="password"') == 3
    assert not re.search(r'type="password"[^>]*placeholder', page)
