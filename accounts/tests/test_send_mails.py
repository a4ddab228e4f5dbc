"""Mails leave one by one: one that no mail can be made of holds up no other."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.mail import mail_queue
from accounts.mail.mail_batch import MailBatch
from accounts.models import QueuedMail

pytestmark = pytest.mark.django_db

IMPOSSIBLE = "A subject\nof two lines"


@pytest.fixture
def later():
    return datetime.now(UTC) + timedelta(minutes=1)


def test_a_queued_mail_that_cannot_be_written_holds_up_no_other(mailoutbox, later):
    mail_queue.enqueue("ann@example.com", subject=IMPOSSIBLE, body="…")
    mail_queue.enqueue("bob@example.com", subject="An invitation", body="…")

    assert mail_queue.send_due(now=later) == 1

    assert [mail.to for mail in mailoutbox] == [["bob@example.com"]]


def test_a_queued_mail_that_cannot_be_written_is_given_up_after_a_day(later):
    mail_queue.enqueue("ann@example.com", subject=IMPOSSIBLE, body="…")

    mail_queue.send_due(now=later + timedelta(days=1))

    assert not QueuedMail.objects.exists()


def test_a_name_of_two_lines_in_a_subject_stands_on_one(mailoutbox, bob):
    assert MailBatch().send(bob, "3 of 10 at Quay\r\n Harbour", "…")

    assert mailoutbox[0].subject == "3 of 10 at Quay Harbour"
