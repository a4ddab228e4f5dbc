"""Whatever e-mail address our form takes, the service takes too."""

from django.core.exceptions import ValidationError
from hypothesis import example, given
from hypothesis import strategies as st

from partner.payloads.emails import sendable_email
from partner_sandbox.http import fields

LETTERS = st.text("jo.+-_ö字ß@ \"'", min_size=1, max_size=70)
WORDS = st.text("abc-ä例ß.", min_size=1, max_size=20)


@given(st.one_of(st.emails(), st.builds("{}@{}.org".format, LETTERS, WORDS), st.text(max_size=20)))
@example("jo@exämple.de")
@example("jo@straße.de")
def test_it_works(typed):
    try:
        sent = sendable_email(typed)
    except ValidationError:
        return

    assert fields.EMAIL.fullmatch(sent)
    assert len(sent) <= 320
    assert sendable_email(sent) == sent
