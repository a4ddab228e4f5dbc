"""What the audit trail holds, and what it must not."""

import pytest
from auditlog.models import LogEntry
from django.test import Client

from accounts import audit
from accounts.tests.conftest import PASSWORD


def test_it_works(alice):
    audit.record(alice, "exported", details={"rows": 12})

    entry = LogEntry.objects.filter(additional_data__verb="exported").get()
    assert entry.actor == alice
    assert entry.additional_data["rows"] == 12


def test_it_sees_changes_of_people(bob):
    bob.name = "Robert"
    bob.save()

    assert LogEntry.objects.get_for_object(bob).first().changes_dict["name"] == ["Bob", "Robert"]


def test_it_never_holds_a_password(with_password, bob):
    with_password(bob)

    assert "password" not in str(list(LogEntry.objects.values_list("changes", flat=True)))


def test_it_notes_sign_ins_and_failures(enter, bob):
    client = enter(bob)
    client.post("/accounts/logout/")
    Client().post("/accounts/login/", {"login": bob.email, "password": "wrong"})

    verbs = LogEntry.objects.get_for_object(bob).values_list("additional_data__verb", flat=True)
    assert {"signed in", "failed to sign in"} <= set(verbs)


@pytest.mark.parametrize("forged", ["6.6.6.6", "not an address"])
def test_a_visitor_does_not_choose_the_address_that_is_noted(with_password, bob, forged):
    with_password(bob)
    Client().post(
        "/accounts/login/",
        {"login": bob.email, "password": PASSWORD},
        headers={"X-Forwarded-For": forged},
    )

    entry = LogEntry.objects.filter(additional_data__verb="signed in").get()
    assert entry.remote_addr == "127.0.0.1"
