"""The address of the telephone system on a real socket: what only a server can get wrong."""

import pytest

from phone.models import Call
from phone.testing import NUMBER, TOKEN, make_system
from webhooks.tests.serving import request, web_program

FORM = "Content-Type: application/x-www-form-urlencoded"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_half_a_form_is_no_call(cast):
    """What is cut in the middle still reads as a form: the number would lack its last digits."""
    make_system()
    call = {"call_id": "42", "event": "incoming", "restaurant": cast.quay.uuid, "number": NUMBER}
    form = "&".join(f"{name}={value}" for name, value in call.items()).encode()
    length = f"Content-Length: {len(form)}"
    head = request(b"", FORM, length, path=f"/phone/calls/?token={TOKEN}")
    head = head.replace(b"events.example.org", b"127.0.0.1")

    with web_program() as web:
        cut = web.say(head, form[:-3], ends=True)
        calls_of_the_half = Call.objects.count()
        whole = web.say(head, form)

    assert cut.startswith(b"HTTP/1.1 400")
    assert calls_of_the_half == 0
    assert whole.startswith(b"HTTP/1.1 200")
