"""Logo, telephone, second factor and ownership: each account decides about its own."""

from functools import partial

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client

from accounts.mail import mail_queue
from accounts.models import QueuedMail, SecondFactorRule, User
from config.requests.app_names import connections_of
from mirror.models import Slice
from partner.models import Connection
from partner.testing import connection as make_connection
from partner.wording.names import HOST_APP_NAMES, READER, host_app
from phone.models import Call, PhoneSystem
from phone.testing import NUMBER
from pos.models import Logo
from pos.testing import make_logo
from reservations.changes.pages.summaries import change_summaries
from reservations.testing import make_intent, make_reservation
from restaurants.models import Group, Membership
from restaurants.testing import make_member, make_offline_device, make_user, sign_in
from tests import tenants
from tests.sessions import session_of
from webhooks.models import Delivery
from webhooks.testing import delivery

pytestmark = pytest.mark.django_db
PHONE, POS, PEOPLE = "/setup/telephone/", "/setup/pos/", "/setup/people/"


@pytest.fixture
def sides(cast):
    return tenants.two_tenants(cast)


@pytest.fixture
def own(sides):
    return sides["hill"]


@pytest.fixture
def other(sides):
    return sides["harbour"]


@pytest.fixture
def owner(own):
    return confirmed(own.dora)


def confirmed(person):
    """A browser in which the person has just confirmed the password."""
    browser = Client()
    browser.cookies[settings.SESSION_COOKIE_NAME] = session_of(person)
    return browser


def connection_of(side):
    return Group.objects.get(pk=side.harbour.pk).connection


def of_both(person, *sides):
    """The person owns the connections of these tenants."""
    person.make_owner([connection_of(side).pk for side in sides])
    return confirmed(User.objects.get(pk=person.pk))


class TestLogo:
    def test_an_owner_has_the_logos_of_the_own_connection(self, owner, own, other):
        mine = make_logo(connection=connection_of(own))
        theirs = make_logo(connection=connection_of(other))
        page = owner.get(POS).text

        assert f"/pos/{mine.pk}.png" in page
        assert f"/pos/{theirs.pk}.png" not in page
        assert owner.get(f"{POS}{theirs.pk}.png").status_code == 404
        assert owner.post(f"{POS}{theirs.pk}/send/").status_code == 404
        assert owner.get(f"{POS}?connection={connection_of(other).pk}").status_code == 404

    def test_who_owns_two_chooses(self, own, other):
        client = of_both(own.dora, own, other)
        logo = make_logo(connection=connection_of(other))

        assert "Second account" in client.get(POS).text
        page = client.get(f"{POS}?connection={connection_of(other).pk}").text
        assert f"/pos/{logo.pk}.png" in page

    def test_old_ones_of_one_leave_those_of_the_other(self, own, other):
        kept = make_logo(connection=connection_of(other))
        for _count in range(14):
            make_logo(connection=connection_of(own))
        Logo.objects.filter(connection=connection_of(own)).delete_old()

        assert Logo.objects.filter(pk=kept.pk).exists()


class TestTelephone:
    def call(self, system, **fields):
        body = {"call_id": "42", "event": "incoming", "number": NUMBER} | fields
        return Client().post(f"/phone/calls/?token={system.token}", body, "application/json")

    def test_each_has_an_address_for_its_own_calls(self, owner, own, other):
        owner.post(f"{PHONE}address/")
        system = PhoneSystem.objects.get(connection=connection_of(own))

        assert self.call(system, restaurant=str(own.quay.uuid)).status_code == 200
        assert self.call(system, call_id="1", restaurant=str(other.quay.uuid)).status_code == 400
        assert Call.objects.get().restaurant == own.quay

    def test_a_line_is_looked_for_among_the_own_restaurants(self, owner, own, other):
        for place in (own.quay, other.quay):
            type(place).objects.filter(pk=place.pk).update(phone="+33142685300")
        owner.post(f"{PHONE}address/")
        system = PhoneSystem.objects.get(connection=connection_of(own))

        assert self.call(system, line="+33142685300").status_code == 200
        assert Call.objects.get().restaurant == own.quay

    def test_the_same_id_of_two_systems_is_two_calls(self, owner, own, other):
        confirmed(other.dora).post(f"{PHONE}address/")
        owner.post(f"{PHONE}address/")
        for side in (own, other):
            system = PhoneSystem.objects.get(connection=connection_of(side))
            assert self.call(system, restaurant=str(side.quay.uuid)).status_code == 200

        assert {call.restaurant for call in Call.objects.all()} == {own.quay, other.quay}

    def test_an_id_of_anothers_call_changes_nothing(self, owner, own, other):
        first = PhoneSystem.objects.get(connection=connection_of(other))
        first.rotate(now=first.rotated_at)
        self.call(first, restaurant=str(other.quay.uuid))
        owner.post(f"{PHONE}address/")
        PhoneSystem.objects.filter(connection=connection_of(own)).update(namespace="")
        system = PhoneSystem.objects.get(connection=connection_of(own))

        assert self.call(system, event="ended", restaurant=str(own.quay.uuid)).status_code == 400
        assert Call.objects.get().ended_at is None

    def test_the_page_of_the_other_is_not_found(self, owner, other):
        theirs = connection_of(other).pk

        assert owner.get(f"{PHONE}?connection={theirs}").status_code == 404
        assert owner.post(f"{PHONE}address/?connection={theirs}").status_code == 404

    @pytest.mark.parametrize("page", ["", "address/", "address/revoke/"])
    def test_a_superuser_has_that_of_the_own_connection_only(self, own, other, page):
        User.objects.filter(pk=own.dora.pk).update(is_superuser=True)
        client, theirs = confirmed(User.objects.get(pk=own.dora.pk)), connection_of(other)
        before = PhoneSystem.objects.get(connection=theirs).token

        ask = client.post if page else client.get
        assert ask(f"{PHONE}{page}?connection={theirs.pk}").status_code == 404
        assert PhoneSystem.objects.get(connection=theirs).token == before
        assert f"connection={theirs.pk}" not in client.get(PHONE).text

    def test_a_role_at_the_other_s_restaurant_opens_no_address(self, owner, own, other):
        """The page of a refused report shows the address of that restaurant's connection."""
        make_member(own.dora, other.quay, "admin")

        assert owner.post(f"{PHONE}{other.quay.uuid}/report/").status_code == 404

    def test_who_owns_two_chooses(self, own, other):
        client = of_both(own.dora, own, other)

        assert "Second account" in client.get(PHONE).text


class TestSecondFactor:
    def require(self, client, side, roles=("staff",)):
        path = f"{PEOPLE}second-factor/?connection={connection_of(side).pk}"
        return client.post(path, {"roles": list(roles)})

    def test_it_binds_the_people_of_the_own_account(self, owner, own, other):
        assert self.require(owner, own).status_code == 302

        assert sign_in(own.bob).get("/reviews/").headers["Location"] == "/accounts/2fa/"
        assert sign_in(other.bob).get("/reviews/").status_code == 200

    def test_nobody_chooses_for_another_account(self, owner, other):
        assert self.require(owner, other).status_code == 404
        assert not SecondFactorRule.objects.exists()

    def test_who_works_for_both_has_one_where_one_asks(self, owner, own, other):
        make_member(other.bob, own.quay)
        self.require(owner, own)

        assert sign_in(other.bob).get("/").headers["Location"] == "/accounts/2fa/"

    def test_what_admins_need_an_owner_needs(self, owner, own, other):
        Membership.objects.filter(user__in=[own.dora, other.dora]).delete()
        self.require(owner, own, ["admin"])

        assert sign_in(own.dora).get("/").headers["Location"] == "/accounts/2fa/"
        assert sign_in(other.dora).get("/").headers.get("Location") != "/accounts/2fa/"

    def test_each_keeps_its_own_rules(self, owner, own, other):
        self.require(owner, own, ["staff"])
        self.require(confirmed(other.dora), other, ["admin"])
        self.require(owner, own, [])

        assert [rule.role for rule in SecondFactorRule.objects.all()] == ["admin"]


class TestOwners:
    def test_the_chosen_connection_is_given_and_no_other(self, own, other):
        client = of_both(own.dora, own, other)
        page = client.get(f"{PEOPLE}{own.bob.pk}/").text
        assert 'name="connections"' in page

        chosen = {"connections": [connection_of(own).pk]}
        client.post(f"{PEOPLE}{own.bob.pk}/owner/", chosen)

        assert list(own.bob.owned_connections.all()) == [connection_of(own)]

    def test_without_a_choice_nothing_is_given(self, own, other):
        of_both(own.dora, own, other).post(f"{PEOPLE}{own.bob.pk}/owner/")

        assert not own.bob.owned_connections.exists()

    def test_ending_one_leaves_the_other(self, own, other):
        client = of_both(own.dora, own, other)
        own.bob.make_owner([connection_of(own).pk, connection_of(other).pk])
        chosen = {"connections": [connection_of(own).pk]}
        client.post(f"{PEOPLE}{own.bob.pk}/owner/end/", chosen)

        assert list(own.bob.owned_connections.all()) == [connection_of(other)]

    def test_that_of_a_deactivated_owner_ends(self, owner, own):
        own.bob.make_owner([connection_of(own).pk])
        own.bob.deactivate()

        owner.post(f"{PEOPLE}{own.bob.pk}/owner/end/")
        own.bob.reactivate()

        bob = User.objects.get(pk=own.bob.pk)
        assert not bob.is_owner
        assert not bob.owned_connection_ids
        assert not bob.owned_connections.exists()

    def test_a_connection_of_another_is_no_choice(self, owner, own, other):
        chosen = {"connections": [connection_of(other).pk]}
        owner.post(f"{PEOPLE}{own.bob.pk}/owner/", chosen)

        assert not own.bob.owned_connections.exists()


class TestWhatNamesBoth:
    def test_a_role_elsewhere_is_as_unknown_as_none(self, owner, own, other):
        elsewhere = make_member(own.bob, other.quay, "manager")

        path = f"{PEOPLE}{own.bob.pk}/roles/%s/take/"
        assert owner.post(path % elsewhere.pk).status_code == 404
        assert owner.post(path % 2_000_000_000).status_code == 404

    def test_a_device_of_both_names_the_own_restaurants(self, own, other):
        device = make_offline_device(own.quay, other.quay)
        client = confirmed(own.dora)

        page = client.get("/setup/offline/").text
        assert own.quay.name in page
        assert other.quay.name not in page
        client.post(f"/setup/offline/{device.pk}/stop/")
        assert list(device.restaurants.all()) == [other.quay]

    def test_a_change_of_another_account_is_at_no_booking(self, own, other):
        booking = make_reservation(own.quay)
        make_intent(other.quay, result_uuid=booking.uuid)
        mine = make_intent(own.quay, uuid=booking.uuid)

        assert [one.intent for one in change_summaries(booking, can_move=True)] == [mine]

    def test_an_event_for_another_account_is_shown_to_whose_address_it_came_by(self, own, other):
        foreign = delivery(
            b"{}",
            connection=connection_of(own),
            restaurant_uuid=other.quay.uuid,
            state=Delivery.State.ODD,
            reason=Delivery.Reason.NOT_OURS,
        )

        assert foreign in Delivery.objects.visible_to(own.dora)
        assert foreign not in Delivery.objects.visible_to(other.dora)
        assert foreign not in Delivery.objects.visible_to(own.alice)


class TestErrorsAndMails:
    @pytest.mark.parametrize("path", ["/reservations/nothing/", "/setup/connection/999999/"])
    def test_a_page_that_is_not_found_names_no_account(self, own, other, path):
        pages = [sign_in(side.dora).get(path) for side in (own, other)]

        assert [page.status_code for page in pages] == [404, 404]
        for page, side in zip(pages, (other, own), strict=True):
            named = (side.harbour.name, side.quay.name, str(connection_of(side)), side.dora.email)
            assert not any(word in page.text for word in named)

    def test_pages_without_anybody_name_no_account(self, own, other):
        names = [str(one) for one in (*Connection.objects.all(), own.harbour, other.harbour)]
        for path in ("/nothing/", "/accounts/login/", "/accounts/password/reset/"):
            page = Client().get(path, follow=True).text
            assert [name for name in names if f">{name}<" in page] == []

    def test_every_mail_comes_from_the_same_sender(self, own, other):
        for side in (own, other):
            mail_queue.enqueue(side.dora.email, subject="An address was changed", body="…")
        mail_queue.send_due(now=QueuedMail.objects.latest("pk").not_before)

        assert {letter.from_email for letter in mail.outbox} == {settings.DEFAULT_FROM_EMAIL}
        assert all(len(letter.recipients()) == 1 for letter in mail.outbox)
        assert {letter.to[0] for letter in mail.outbox} == {own.dora.email, other.dora.email}


class TestHostApp:
    def test_nobody_reads_the_name_of_another_account(self, own, other):
        for side, name in ((own, "Hostess"), (other, "Tableside")):
            Connection.objects.filter(pk=connection_of(side).pk).update(host_app_name=name)
        Connection.objects.filter(pk=connection_of(own).pk).update(state="paused")
        HOST_APP_NAMES.clear()
        assert host_app() == "the reservation app"

        for side, name in ((own, "Hostess"), (other, "Tableside")):
            token = READER.set(partial(connections_of, side.alice))
            assert host_app() == name
            READER.reset(token)


class TestHealth:
    def test_an_owner_compares_the_own_groups(self, owner, own, other):
        assert "Compare with the service now" in owner.get("/setup/mirror/").text
        owner.post("/setup/mirror/sweep/")

        groups = set(Slice.objects.values_list("group_uuid", flat=True))
        assert groups == {own.harbour.uuid}

    def test_the_key_leads_to_its_connection(self, owner, own):
        page = owner.get("/setup/mirror/").text

        assert f'href="/setup/connection/{connection_of(own).pk}/"' in page

    def test_of_many_accounts_those_with_something_wrong_are_shown(self, sides):
        for number in range(8):
            state = "paused" if number == 3 else "active"
            make_connection(name=f"Account {number}", client_id=str(number), state=state)
        root = sign_in(make_user("root@example.org", is_superuser=True))
        page = root.get("/setup/mirror/").context["page"]

        shown = {block.name for block in page.blocks if block.connection}
        assert "Account 3" in shown
        assert len(shown) + len(page.folded) == 10
        chosen = page.folded[-1]
        page = root.get(f"/setup/mirror/?account={chosen.connection}").context["page"]
        assert [block.name for block in page.blocks] == [chosen.name, "This installation"]
