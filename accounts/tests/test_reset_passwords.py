"""A link to a new password, and what an outsider can learn from asking for one."""

import re
from datetime import timedelta

from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.mail import mail_queue
from accounts.models import PasswordResetRequest, QueuedMail
from accounts.password_links import password_resets
from accounts.tasks import send_mails

RESET = "/accounts/password/reset/"


def test_it_works(client, alice, with_password):
    with_password(alice)

    client.post(RESET, {"email": alice.email})
    assert mail.outbox == []  # no page waits for a mail server
    send_mails()

    (link,) = re.findall(r"http://127.0.0.1:8000(/accounts/password/reset/key/\S+)", sent())
    page = client.get(link, follow=True)
    assert page.status_code == 200
    assert 'type="password"' in page.content.decode()
    assert not QueuedMail.objects.exists()


def test_a_link_that_no_longer_works_leads_to_a_new_one(client, alice, with_password):
    with_password(alice)
    client.post(RESET, {"email": alice.email})
    send_mails()
    (link,) = re.findall(r"http://127.0.0.1:8000(/accounts/password/reset/key/\S+)", sent())
    alice.set_password("another one, chosen meanwhile")
    alice.save()

    page = client.get(link, follow=True).content.decode()

    assert "This link no longer works" in page
    assert f'href="{RESET}"' in page
    assert 'type="password"' not in page


def test_it_does_not_reveal_who_exists(client, alice):
    """The same answer by the same work: the same statements in the same order."""
    client.post(RESET, {"email": "first@example.org"})  # fills the counter of the address
    answers, statements = [], []
    for address in (alice.email, "nobody@example.org"):
        with CaptureQueriesContext(connection) as captured:
            answers.append(client.post(RESET, {"email": address}))
        statements.append([words(query["sql"]) for query in captured.captured_queries])

    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[0].headers["Location"] == answers[1].headers["Location"]
    assert statements[0] == statements[1]
    send_mails()
    assert [message.to for message in mail.outbox] == [[alice.email]]
    assert not PasswordResetRequest.objects.exists()


def test_it_speaks_the_language_of_the_person(client, alice):
    alice.language = "fr"
    alice.save()

    client.post(RESET, {"email": alice.email})
    send_mails()

    assert "Bonjour" in sent()


def test_a_mail_server_that_is_down_changes_nothing_for_the_page(client, alice, monkeypatch):
    monkeypatch.setattr(mail_queue, "send_mail", refuse)

    answer = client.post(RESET, {"email": alice.email})
    send_mails()

    assert answer.status_code == 302
    (waiting,) = QueuedMail.objects.all()
    assert waiting.not_before > timezone.now()
    monkeypatch.undo()
    mail_queue.send_due(now=waiting.not_before)
    assert "/accounts/password/reset/key/" in sent()


def test_a_mail_that_no_server_takes_for_a_day_is_given_up(client, alice, monkeypatch):
    monkeypatch.setattr(mail_queue, "send_mail", refuse)
    client.post(RESET, {"email": alice.email})
    send_mails()

    mail_queue.send_due(now=timezone.now() + timedelta(hours=25))

    assert not QueuedMail.objects.exists()


def test_nothing_readable_waits_in_the_database(client, alice):
    client.post(RESET, {"email": alice.email})
    password_resets.answer_requests(now=timezone.now())

    with connection.cursor() as cursor:
        cursor.execute("SELECT body FROM accounts_queuedmail")
        ((stored,),) = cursor.fetchall()
    assert "/accounts/" not in stored


def sent():
    (message,) = mail.outbox
    return message.body


def refuse(*_args, **_kwargs):
    raise ConnectionRefusedError


def words(statement):
    """The statement without its values."""
    return re.sub(r"'[^']*'|\b[sx]?\d[\w.]*\b", "?", statement)
