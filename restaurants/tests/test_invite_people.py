"""Invitations: what the inviter learns, who answers, and when a role is given."""

from urllib.parse import urlsplit

import pytest
import time_machine
from auditlog.models import LogEntry
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone

from accounts.models import QueuedMail, User
from accounts.tasks import send_mails
from lib.testing import meanwhile
from restaurants.invitations.models import LIFETIME, Invitation
from restaurants.models import Membership
from restaurants.tasks import delete_expired_invitations
from restaurants.testing import make_invitation, make_member, make_user, sign_in

PEOPLE = "/setup/people/"
INVITE = f"{PEOPLE}invite/"
MINE = "/invitations/"
PASSWORD = "correct horse battery staple"  # noqa: S105  # of nobody
CONSOLE = "django.core.mail.backends.console.EmailBackend"


@pytest.fixture
def harbour_admin(harbour):
    admin = make_user("erin@example.org")
    make_member(admin, harbour, "admin")
    return admin


def page(answer):
    return answer.content.decode()


def fields(email, place, role="staff"):
    return {"email": email, "name": "Fay", "place": place.uuid, "role": role}


def path_of(link):
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}"


def accept_as_new(client, invitation, password=PASSWORD):
    data = {"new_password1": password, "new_password2": password}
    return client.post(path_of(invitation.link), data)


class TestInvite:
    def test_it_works(self, harbour_admin, quay):
        answer = sign_in(harbour_admin).post(INVITE, fields("Fay@example.org", quay))
        send_mails()

        invitation = Invitation.objects.get()
        assert answer.status_code == 302
        assert (invitation.email, invitation.place) == ("fay@example.org", quay)
        assert mail.outbox[0].to == ["fay@example.org"]
        assert invitation.link in mail.outbox[0].body

    def test_nobody_has_a_place_or_an_account_before_they_accept(self, harbour_admin, cast):
        people, roles = User.objects.count(), Membership.objects.count()
        client = sign_in(harbour_admin)

        client.post(INVITE, fields("charlie@example.org", cast.loft))
        client.post(INVITE, fields("fay@example.org", cast.loft))

        assert (User.objects.count(), Membership.objects.count()) == (people, roles)

    def test_the_answer_is_the_same_for_an_address_with_an_account(self, harbour_admin, cast):
        """Every page the inviter comes to, and the mail too, but for the address."""
        pages, mails = [], []
        client = sign_in(harbour_admin)
        for email in ("charlie@example.org", "nobody2@example.org"):
            answer = client.post(INVITE, fields(email, cast.loft))
            followed = page(client.get(answer.headers["Location"]))
            pages.append((answer.headers["Location"], rows_about(followed, email)))
            send_mails()
            invitation = Invitation.objects.get()
            mails.append(mail.outbox.pop().body.replace(invitation.link, ""))
            invitation.delete()

        assert pages[0] == pages[1]
        assert mails[0] == mails[1]

    def test_it_tells_nothing_of_a_person_of_another_group(self, harbour_admin, cast):
        client = sign_in(harbour_admin)
        client.post(INVITE, fields("charlie@example.org", cast.loft))

        assert client.get(f"{PEOPLE}{cast.charlie.pk}/").status_code == 404
        for shown in (page(client.get(PEOPLE)), page(client.get(f"{PEOPLE}audit/"))):
            assert "Charlie" not in shown
            assert "Hill" not in shown

    def test_without_mail_the_link_is_shown_to_the_admin(self, harbour_admin, quay, settings):
        settings.EMAIL_BACKEND = CONSOLE

        answer = sign_in(harbour_admin).post(INVITE, fields("fay@example.org", quay))

        assert Invitation.objects.get().link in page(answer)

    def test_a_mail_server_that_is_away_holds_nothing_up(self, harbour_admin, quay, monkeypatch):
        """Nor is the link shown to the inviter then: it waits in the queue."""

        def refuse(*_args):
            raise ConnectionRefusedError

        monkeypatch.setattr(EmailBackend, "send_messages", refuse)

        answer = sign_in(harbour_admin).post(INVITE, fields("fay@example.org", quay))
        send_mails()

        assert answer.status_code == 302
        assert QueuedMail.objects.get().recipient == "fay@example.org"

    def test_it_offers_no_place_of_others(self, harbour_admin, cellar):
        answer = sign_in(harbour_admin).post(INVITE, fields("fay@example.org", cellar))

        assert answer.status_code == 422
        assert not Invitation.objects.exists()

    def test_the_admin_of_a_restaurant_cannot_give_its_group(self, cast):
        make_member(cast.charlie, cast.quay, "admin")
        data = fields("fay@example.org", cast.harbour, "admin")

        assert sign_in(cast.charlie).post(INVITE, data).status_code == 422

    def test_of_a_double_click_the_later_link_holds(self, harbour_admin, quay):
        def click():
            make_invitation("fay@example.org", quay, invited_by=harbour_admin)

        client = sign_in(harbour_admin)
        with meanwhile(click, before="SAVEPOINT", number=3):  # that of the row to be stored
            answer = client.post(INVITE, fields("fay@example.org", quay))
        send_mails()

        assert answer.status_code == 302
        assert Invitation.objects.get().link in mail.outbox[0].body

    def test_a_second_one_to_the_same_place_replaces_the_first(self, harbour_admin, quay, client):
        first = make_invitation("fay@example.org", quay, harbour_admin).link

        sign_in(harbour_admin).post(INVITE, fields("fay@example.org", quay, "manager"))

        assert Invitation.objects.get().role == "manager"
        assert client.get(path_of(first)).status_code == 404

    def test_it_is_written_down_without_the_address(self, harbour_admin, quay):
        sign_in(harbour_admin).post(INVITE, fields("fay@example.org", quay))

        entry = LogEntry.objects.get(additional_data__verb="invited a person")
        assert entry.actor == harbour_admin
        assert "fay" not in f"{entry.object_repr}{entry.additional_data}".lower()


def rows_about(shown, email):
    """The text of a page, without the address and what differs on every page."""
    main = shown.split("<main", 1)[1].split("</main", 1)[0]
    lines = [line for line in main.splitlines() if "csrf" not in line and "action=" not in line]
    return "\n".join(lines).replace(email, "")


class TestWaiting:
    def test_it_can_be_sent_again(self, harbour_admin, quay):
        invitation = make_invitation("fay@example.org", quay, harbour_admin)
        Invitation.objects.update(expires_at=timezone.now())

        sign_in(harbour_admin).post(f"{PEOPLE}invitations/{invitation.key}/again/")
        send_mails()

        assert Invitation.objects.open().exists()
        assert len(mail.outbox) == 1

    def test_it_can_be_withdrawn(self, harbour_admin, quay, client):
        invitation = make_invitation("fay@example.org", quay, harbour_admin)

        sign_in(harbour_admin).post(f"{PEOPLE}invitations/{invitation.key}/withdraw/")

        assert client.get(path_of(invitation.link)).status_code == 404

    def test_other_admins_neither_see_nor_touch_it(self, cast, harbour_admin):
        make_member(cast.charlie, cast.cellar, "admin")
        invitation = make_invitation("fay@example.org", cast.quay, harbour_admin)
        client = sign_in(cast.charlie)

        assert "fay@example.org" not in page(client.get(PEOPLE))
        for verb in ("again", "withdraw"):
            answer = client.post(f"{PEOPLE}invitations/{invitation.key}/{verb}/")
            assert answer.status_code == 404

    def test_who_never_answered_is_forgotten(self, harbour_admin, quay):
        make_invitation("fay@example.org", quay, harbour_admin)

        with time_machine.travel(timezone.now() + LIFETIME, tick=False):
            delete_expired_invitations()

        assert not Invitation.objects.exists()


class TestSeveralPlaces:
    """One invitation, one link and one answer for a role at several places."""

    @pytest.fixture
    def to_both(self, harbour_admin, quay, loft):
        data = fields("fay@example.org", quay, "manager") | {"place": [quay.uuid, loft.uuid]}
        sign_in(harbour_admin).post(INVITE, data)
        return Invitation.objects.get(restaurant=quay)

    def test_it_works(self, to_both, client, quay, loft):
        send_mails()
        assert "Manager · Quay, Loft" in mail.outbox[0].body
        assert "Manager · Quay, Loft" in page(client.get(path_of(to_both.link)))

        accept_as_new(client, to_both)

        fay = User.objects.get(email="fay@example.org")
        assert {one.restaurant for one in fay.memberships.all()} == {quay, loft}
        assert not Invitation.objects.exists()

    def test_the_inviter_ticks_places_of_their_own_only(self, harbour_admin, cast):
        form = sign_in(harbour_admin).get(INVITE).context["form"]

        assert form.fields["place"].widget.input_type == "checkbox"
        assert set(form.places.values()) == {cast.harbour, cast.quay, cast.loft}

    @pytest.mark.parametrize("other", ["cellar", "hill"])
    def test_with_one_place_of_others_nothing_is_offered(self, harbour_admin, cast, other):
        places = [cast.quay.uuid, getattr(cast, other).uuid]
        answer = sign_in(harbour_admin).post(
            INVITE, fields("fay@example.org", cast.quay) | {"place": places}
        )

        assert answer.status_code == 422
        assert not Invitation.objects.exists()

    def test_the_admin_of_a_restaurant_cannot_add_its_group_or_sibling(self, cast):
        make_member(cast.charlie, cast.quay, "admin")
        for more in (cast.harbour, cast.loft):
            data = fields("fay@example.org", cast.quay) | {"place": [cast.quay.uuid, more.uuid]}

            assert sign_in(cast.charlie).post(INVITE, data).status_code == 422
        assert not Invitation.objects.exists()

    def test_a_group_includes_its_restaurants(self, harbour_admin, harbour, quay):
        data = fields("fay@example.org", quay) | {"place": [harbour.uuid, quay.uuid]}
        sign_in(harbour_admin).post(INVITE, data)

        assert Invitation.objects.get().place == harbour

    def test_who_has_an_account_answers_once(self, harbour_admin, charlie, quay, loft):
        data = fields(charlie.email, quay) | {"place": [quay.uuid, loft.uuid]}
        sign_in(harbour_admin).post(INVITE, data)
        client = sign_in(charlie)

        assert page(client.get(MINE)).count("Accept<") == 1
        client.post(f"{MINE}{Invitation.objects.get(restaurant=quay).key}/accept/")

        assert charlie.memberships.filter(restaurant__in=[quay, loft]).count() == 2
        assert not Invitation.objects.exists()

    def test_a_no_declines_all(self, to_both, client):
        client.post(path_of(to_both.link).replace("/open/", "/open/decline/"))

        assert not Invitation.objects.exists()

    def test_a_place_that_is_withdrawn_is_not_given(self, to_both, harbour_admin, client, loft):
        sign_in(harbour_admin).post(f"{PEOPLE}invitations/{to_both.key}/withdraw/")

        accept_as_new(client, Invitation.objects.get(restaurant=loft))

        fay = User.objects.get(email="fay@example.org")
        assert [one.restaurant for one in fay.memberships.all()] == [loft]

    def test_who_withdraws_one_place_reads_that_the_link_still_offers_the_others(
        self, to_both, harbour_admin
    ):
        client = sign_in(harbour_admin)

        def withdraw(key):
            return page(client.post(f"{PEOPLE}invitations/{key}/withdraw/", follow=True))

        first = withdraw(to_both.key)
        last = withdraw(Invitation.objects.get().key)

        assert "its link still offers the other places" in first
        assert "its link no longer works" in last

    def test_where_the_inviter_may_no_longer_invite_nothing_is_given(
        self, cast, client, harbour_admin
    ):
        """They are the admin of two restaurants, and then of one."""
        charlie = cast.charlie
        for place in (cast.quay, cast.loft):
            make_member(charlie, place, "admin")
        data = fields("fay@example.org", cast.quay) | {"place": [cast.quay.uuid, cast.loft.uuid]}
        sign_in(charlie).post(INVITE, data)
        charlie.memberships.filter(restaurant=cast.loft).delete()

        accept_as_new(client, Invitation.objects.get(restaurant=cast.loft))

        fay = User.objects.get(email="fay@example.org")
        assert [one.restaurant for one in fay.memberships.all()] == [cast.quay]

    def test_who_sends_it_again_gets_no_link_to_places_of_others(
        self, to_both, cast, client, settings
    ):
        """Where no mail leaves, one answer to what they are shown would give both roles."""
        settings.EMAIL_BACKEND = CONSOLE
        make_member(cast.charlie, cast.quay, "admin")
        again = f"{PEOPLE}invitations/{to_both.key}/again/"
        shown = page(sign_in(cast.charlie).post(again))

        to_both.refresh_from_db()
        assert to_both.link in shown
        assert "Loft" not in page(client.get(path_of(to_both.link)))
        accept_as_new(client, to_both)

        fay = User.objects.get(email="fay@example.org")
        assert [one.restaurant for one in fay.memberships.all()] == [cast.quay]
        assert Invitation.objects.get().place == cast.loft

    def test_a_link_of_before_still_opens_its_own_place(self, to_both, client, quay, loft):
        Invitation.objects.update(batch=None)  # as the version before stored them
        to_both.refresh_from_db()

        accept_as_new(client, to_both)

        assert User.objects.get(email="fay@example.org").memberships.get().restaurant == quay
        assert Invitation.objects.get().place == loft
