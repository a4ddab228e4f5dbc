"""Alerts: mail once an hour while a fault lasts, a line on the admins' pages, mail when over."""

from datetime import UTC, datetime, timedelta
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected

import pytest
import time_machine
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from accounts.push.testing import running_push_service
from live.push import sending
from live.push.testing import make_push_device
from mirror.health import alerts, sections
from mirror.models import Alert
from partner import testing
from restaurants.testing import sign_in

NOW = datetime(2026, 1, 17, 12, tzinfo=UTC)
SENTENCE = "The key was refused. Nothing is read until a new one is entered."

pytestmark = pytest.mark.django_db


@pytest.fixture
def key(monkeypatch, db):
    """The section of the account's key; tests say how it is."""
    account = testing.connection()
    state = {"is": sections.GOOD, "sentence": SENTENCE}

    def section(_now):
        return sections.Section(
            name="token",
            title="Key",
            state=state["is"],
            sentence=state["sentence"],
            connection=account.pk,
        )

    monkeypatch.setattr(sections, "sections", lambda now: [section(now)])
    # Of real accounts it is read in each language, every minute that a test goes through.
    monkeypatch.setattr(sections, "anew", lambda _parts, now: [section(now)])
    return state


def check(*, minutes):
    alerts.check(now=NOW + timedelta(minutes=minutes))


def test_it_works(key, dora):
    key["is"] = sections.DOWN
    check(minutes=0)
    check(minutes=3)

    (sent_mail,) = mail.outbox
    assert sent_mail.to == [dora.email]
    assert sent_mail.subject == "Couvert: Key"
    assert SENTENCE in sent_mail.body


def test_a_moment_wakes_nobody(key, dora):
    key["is"] = sections.DOWN
    check(minutes=0)
    key["is"] = sections.GOOD
    check(minutes=1)

    assert mail.outbox == []


def test_a_mail_is_sent_once_an_hour_and_when_it_is_over(key, dora):
    key["is"] = sections.DOWN
    for minutes in range(0, 120):
        check(minutes=minutes)
    key["is"] = sections.GOOD
    check(minutes=120)
    check(minutes=121)

    assert [one.subject for one in mail.outbox] == ["Couvert: Key"] * 2 + ["Couvert: over"]


def test_nobody_learns_who_else_is_notified(key, dora, django_user_model):
    django_user_model.objects.create_superuser("root@example.org", "a long password")
    key["is"] = sections.DOWN
    check(minutes=0)
    check(minutes=3)

    assert sorted(one.to for one in mail.outbox) == sorted([[dora.email], ["root@example.org"]])


def test_the_admin_of_one_group_reads_that_there_is_a_fault_and_not_which(key, cast):
    cast.charlie.memberships.update(role="admin")
    key["is"] = sections.DOWN
    check(minutes=0)
    check(minutes=3)

    sent_mail = {one.to[0]: one.body for one in mail.outbox}
    assert SENTENCE in sent_mail[cast.dora.email]
    assert SENTENCE not in sent_mail[cast.charlie.email]
    assert "The owners of the installation see which." in sent_mail[cast.charlie.email]


def test_a_mail_that_reached_nobody_is_sent_again(key, dora, monkeypatch):
    def refuse(*_args):
        raise SMTPServerDisconnected

    key["is"] = sections.DOWN
    check(minutes=0)
    with monkeypatch.context() as patch:
        patch.setattr(EmailBackend, "send_messages", refuse)
        check(minutes=3)
    check(minutes=9)

    assert [one.to for one in mail.outbox] == [[dora.email]]


def test_a_mail_server_that_is_away_is_tried_once_a_round(
    key, dora, django_user_model, monkeypatch
):
    def hang(*_args):
        attempts.append("the mail server")
        raise TimeoutError

    attempts: list[str] = []
    django_user_model.objects.create_superuser("root@example.org", "a long password")
    key["is"] = sections.DOWN
    check(minutes=0)
    monkeypatch.setattr(EmailBackend, "send_messages", hang)
    check(minutes=3)

    assert attempts == ["the mail server"]


def test_an_address_that_is_refused_keeps_no_mail_from_the_others(
    key, dora, django_user_model, monkeypatch
):
    def refuse_dora(_server, messages):
        if messages[0].to == [dora.email]:
            raise SMTPRecipientsRefused({dora.email: (550, b"unknown")})
        mail.outbox += messages

    django_user_model.objects.create_superuser("root@example.org", "a long password")
    key["is"] = sections.DOWN
    check(minutes=0)
    monkeypatch.setattr(EmailBackend, "send_messages", refuse_dora)
    check(minutes=3)

    assert [one.to for one in mail.outbox] == [["root@example.org"]]


class TestOnEveryPage:
    @pytest.fixture
    def fault(self, dora):
        Alert.objects.create(
            cause="token",
            connection=testing.connection(),
            sentence=SENTENCE,
            opened_at=NOW,
            notified_at=NOW,
        )

    def page(self, user, *, minutes):
        with time_machine.travel(NOW + timedelta(minutes=minutes), tick=False):
            return sign_in(user).get("/").text

    def test_admins_read_it(self, fault, dora):
        assert SENTENCE in self.page(dora, minutes=5)

    def test_admins_of_one_group_read_that_there_is_one(self, fault, cast):
        cast.charlie.memberships.update(role="admin")
        page = self.page(cast.charlie, minutes=5)

        assert SENTENCE not in page
        assert "The copy of the service has a fault." in page

    def test_staff_can_do_nothing_about_it(self, fault, alice):
        assert SENTENCE not in self.page(alice, minutes=5)

    def test_a_moment_is_not_shown(self, fault, dora):
        assert SENTENCE not in self.page(dora, minutes=1)

    def test_it_says_how_things_stand_now(self, key, dora, monkeypatch):
        key["is"] = sections.DOWN
        check(minutes=0)
        key["sentence"] = "Reading is behind: the oldest change waits for 900 s."
        check(minutes=4)

        assert key["sentence"] in self.page(dora, minutes=5)

    def test_what_is_over_is_gone(self, fault, dora):
        Alert.objects.update(closed_at=NOW + timedelta(minutes=4))

        assert SENTENCE not in self.page(dora, minutes=5)


@pytest.fixture
def phones(dora, bob):
    """Dora is admin and owner, Bob is staff."""
    with running_push_service() as service:
        for person in (dora, bob):
            make_push_device(person, service.subscribe(), now=NOW)
        yield service


def pushed(phones, *, minutes):
    sending.send_due(now=NOW + timedelta(minutes=minutes))
    return phones.texts


def test_a_fault_of_the_connection_that_lasts_is_pushed_once(key, phones):
    key["is"] = sections.DOWN
    for minutes in (0, 3, 70):
        check(minutes=minutes)

    sentence = "The connection to the reservation service has a fault."
    assert pushed(phones, minutes=71) == [("Couvert", sentence)]
    assert phones.received[0].payload["url"] == "/setup/mirror/"


def test_a_fault_that_is_over_is_not_pushed(key, phones):
    key["is"] = sections.DOWN
    check(minutes=0)
    check(minutes=3)
    key["is"] = sections.GOOD
    check(minutes=4)

    assert pushed(phones, minutes=5) == []


def test_the_cause_stands_before_what_follows_from_it(dora):
    """A refused key was one of “2 more faults” below the reading that it held up."""
    account = testing.connection()
    for minutes, (cause, words) in enumerate(
        [("queue", "Reading is behind."), ("token", SENTENCE)]
    ):
        Alert.objects.create(
            cause=cause,
            connection=account,
            sentence=words,
            opened_at=NOW + timedelta(minutes=minutes),
            notified_at=NOW,
        )
    with time_machine.travel(NOW + timedelta(minutes=9), tick=False):
        shown = sign_in(dora).get("/").context["shell"].alerts

    assert shown == [SENTENCE, "Reading is behind."]
