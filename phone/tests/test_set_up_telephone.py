"""The setup page: the address with its token, and the milestones of the onboarding."""

import re
from io import StringIO
from uuid import uuid4

import pytest
from auditlog.models import LogEntry
from django.core.management import CommandError, call_command
from django.utils import timezone

from outbox import engine
from outbox.models import Intent
from partner.testing import FakeTransport, connection, speak_through
from phone.models import PhoneSystem
from phone.testing import TOKEN, make_system
from restaurants.testing import sign_in


@pytest.fixture
def admin(dora):
    return sign_in(dora)


@pytest.fixture
def report(admin, quay):
    def post(status="LeadReceived", *, restaurant=quay, key=None, **fields):
        body = {"key": str(key or uuid4()), "status": status} | fields
        return admin.post(f"/setup/telephone/{restaurant.uuid}/report/", body)

    return post


class TestMakeAddress:
    def test_it_works(self, admin):
        admin.post("/setup/telephone/address/")

        system = PhoneSystem.objects.get()
        assert system.address in admin.get("/setup/telephone/").content.decode()
        assert system.accepts(system.token, now=timezone.now())

    def test_a_new_one_stands_beside_the_old_one(self, admin):
        make_system()
        admin.post("/setup/telephone/address/")

        system = PhoneSystem.objects.get()
        assert system.token != TOKEN
        assert system.accepts(TOKEN, now=timezone.now())

    def test_the_old_one_can_be_closed(self, admin):
        make_system()
        admin.post("/setup/telephone/address/")
        admin.post("/setup/telephone/address/revoke/")

        assert not PhoneSystem.objects.get().accepts(TOKEN, now=timezone.now())

    def test_a_script_gets_the_same_one(self, db):
        fields = [StringIO(), StringIO()]
        for out in fields:
            call_command("phone_address", stdout=out)

        assert fields[0].getvalue().strip() == PhoneSystem.objects.get().address
        assert fields[0].getvalue() == fields[1].getvalue()

    def test_a_script_gets_that_of_the_connection_it_names(self, db):
        """Never that of the first: it would take the calls of another tenant."""
        connection(name="Main"), connection(name="Second")
        with pytest.raises(CommandError, match="Say which"):
            call_command("phone_address")
        assert not PhoneSystem.objects.exists()

        call_command("phone_address", "--connection", "Second", stdout=StringIO())
        assert PhoneSystem.objects.get(connection__name="Second")

    def test_one_that_is_retired_has_no_address(self, db):
        connection(name="Main").retire()
        with pytest.raises(CommandError, match="Main is retired"):
            call_command("phone_address", "--connection", "Main")

        assert not PhoneSystem.objects.exists()

    def test_the_audit_trail_holds_no_token(self, admin):
        admin.post("/setup/telephone/address/")
        system = PhoneSystem.objects.get()

        trail = str(list(LogEntry.objects.values_list("changes", "additional_data")))
        assert "phone.rotate_token" in trail
        assert system.token not in trail
        assert system.token_hash not in trail

    @pytest.mark.parametrize("person", ["alice", "bob", "charlie"])
    def test_it_is_for_admins(self, cast, person):
        client = sign_in(getattr(cast, person))

        assert client.get("/setup/telephone/").status_code == 403
        assert client.post("/setup/telephone/address/").status_code == 403
        assert not PhoneSystem.objects.exists()


class TestReportMilestones:
    def test_it_works(self, report, admin, quay):
        transport = FakeTransport(report_integration_status=(200, {"statusCode": 200}))
        speak_through(transport)
        report()
        engine.work(now=timezone.now())

        assert transport.bodies("report_integration_status") == [
            {"restaurantUuid": str(quay.uuid), "status": "LeadReceived"}
        ]
        html = admin.get(f"/setup/telephone/?restaurant={quay.uuid}").content.decode()
        assert "The service has noted: Lead received." in html

    def test_they_stand_in_the_contract_s_order(self, admin):
        html = admin.get("/setup/telephone/").content.decode()
        words = ["Lead received", "Discovery under way", "Questionnaire sent", "Discovery failed"]
        places = [html.index(word) for word in [*words, "Installation completed"]]

        assert places == sorted(places)

    def test_what_may_go_wrong_is_no_step_to_take(self, admin):
        """Numbered like the others, “Discovery failed” looked like the fourth thing to do."""
        html = admin.get("/setup/telephone/").content.decode()
        marks = re.findall(r"telephone-step__mark[^>]*>\s*(\d?)", html)

        assert "".join(marks) == "123456"
        assert len(marks) == 9
        assert html.count("only if it happens") == 3

    def test_a_double_click_is_one_report(self, report):
        key = uuid4()
        report(key=key)
        report(key=key)

        assert Intent.objects.count() == 1

    @pytest.mark.parametrize("typed", ["", "yes", "Hill Group"])
    def test_the_last_one_asks_for_the_group_s_name(self, report, typed):
        response = report("InstallationCompleted", confirm=typed)

        assert response.status_code == 422
        assert not Intent.objects.exists()

    def test_the_last_one_leaves_once_confirmed(self, report):
        assert report("InstallationCompleted", confirm=" harbour  group").status_code == 302
        assert Intent.objects.get().payload == {"status": "InstallationCompleted"}

    def test_a_refusal_is_shown_in_words(self, report, admin, quay):
        transport = FakeTransport(report_integration_status=(403, {"message": "Forbidden"}))
        speak_through(transport)
        report()
        engine.work(now=timezone.now())

        html = admin.get(f"/setup/telephone/?restaurant={quay.uuid}").content.decode()
        assert "Our key lacks the right" in html

    def test_an_unknown_step_is_refused(self, report):
        assert report("Finished").status_code == 422

    @pytest.mark.parametrize("person", ["alice", "bob", "charlie"])
    def test_it_is_for_admins(self, cast, person, quay):
        client = sign_in(getattr(cast, person))
        response = client.post(f"/setup/telephone/{quay.uuid}/report/", {"status": "LeadReceived"})

        assert response.status_code == 403
        assert not Intent.objects.exists()
