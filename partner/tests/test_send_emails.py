"""Which e-mail addresses are sent, and how."""

import pytest
from django.core.exceptions import ValidationError

from partner.errors import InvalidRequest
from partner.payloads import bodies
from partner.payloads.emails import is_same_email, sendable_email

SENT = {
    "jo@example.org": "jo@example.org",
    "jo.o'neil+table@sub.example.co.uk": "jo.o'neil+table@sub.example.co.uk",
    "Jo@Example.ORG": "Jo@Example.ORG",
    "jo@exämple.de": "jo@xn--exmple-cua.de",
    "jo@EXÄMPLE.de": "jo@xn--exmple-cua.de",
    "jo@straße.de": "jo@xn--strae-oqa.de",  # not strasse.de, which is somebody else's
    "jo@例え.jp": "jo@xn--r8jz45g.jp",
    "jo@παράδειγμα。gr": "jo@xn--hxajbheg2az3al.gr",
}
REFUSED = {
    "": "not an e-mail",
    "jo": "not an e-mail",
    "@example.org": "not an e-mail",
    "jo@": "not an e-mail",
    "jo..x@example.org": "not an e-mail",
    '"jo x"@example.org': "not an e-mail",
    f"{'j' * 65}@example.org": "not an e-mail",
    "jörg@example.org": "no letter with an accent",
    "jörg@exämple.de": "no letter with an accent",
    "йо@пример.рф": "no letter with an accent",
    "jo@localhost": "this ending",
    "jo@[127.0.0.1]": "this ending",
    "jo@-example.org": "this ending",
    "jo@exa mple.org": "this ending",
    "jo@😀.org": "this ending",
    f"jo@{'x' * 64}.org": "this ending",
}


@pytest.mark.parametrize(("typed", "sent"), SENT.items())
def test_what_can_be_sent_is_sent_in_ascii(typed, sent):
    assert sendable_email(typed) == sent
    assert bodies.email(typed) == sent


@pytest.mark.parametrize(("typed", "reason"), REFUSED.items())
def test_the_rest_is_refused_with_what_the_service_takes(typed, reason):
    with pytest.raises(ValidationError, match=reason):
        sendable_email(typed)
    with pytest.raises(InvalidRequest) as refused:
        bodies.email(typed)

    assert refused.value.field == "email"
    assert reason in refused.value.sentence


def test_spaces_around_it_are_a_typo():
    assert sendable_email(" jo@example.org\n") == "jo@example.org"


@pytest.mark.parametrize("other", ["jo@xn--exmple-cua.de", "JO@EXÄMPLE.de", "jo@exämple.de"])
def test_two_spellings_of_one_domain_are_one_address(other):
    assert is_same_email("jo@exämple.de", other)
    assert not is_same_email("joe@exämple.de", other)


def test_what_cannot_be_sent_is_compared_as_it_stands():
    assert is_same_email("Jörg", "jörg")
    assert not is_same_email("", "jo@example.org")
