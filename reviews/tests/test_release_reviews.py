"""A review that is assigned to somebody who has left goes back to nobody."""

import pytest
from django.utils import timezone

from accounts.rights import Role
from lib.testing import meanwhile
from live.models import Announcement
from restaurants.models import Membership
from restaurants.testing import make_member, make_user, sign_in
from reviews.models import ReviewAlert, Work
from reviews.tasks import update_inbox
from reviews.triage import leavers


@pytest.fixture
def assigned(review, alice, bob):
    """A review that Alice has assigned to Bob."""
    sign_in(alice).post(f"/reviews/{review.pk}/assign/", {"to": bob.pk})
    return Work.objects.get(pk=review.pk)


def holder(work):
    return Work.objects.get(pk=work.pk).assignee


def drop_roles(person):
    Membership.objects.filter(user=person).delete()


def test_it_works(assigned, alice, bob):
    drop_roles(bob)
    update_inbox()

    assert holder(assigned) is None
    assert not ReviewAlert.objects.filter(user=bob).exists()
    shown = sign_in(alice).get("/reviews/", {"who": "nobody"}).context["inbox"]
    assert [row.work.pk for row in shown.rows] == [assigned.pk]


def test_open_screens_hear_of_it(assigned, bob):
    before = Announcement.objects.filter(kind="work", uuid=assigned.pk).count()
    drop_roles(bob)
    update_inbox()

    assert Announcement.objects.filter(kind="work", uuid=assigned.pk).count() > before


def test_who_is_deactivated_answers_nothing(assigned, bob):
    bob.deactivate()
    update_inbox()

    assert holder(assigned) is None


def test_who_works_elsewhere_now_answers_there(assigned, bob, loft):
    drop_roles(bob)
    make_member(bob, loft, Role.STAFF)
    update_inbox()

    assert holder(assigned) is None


def test_who_stays_keeps_it(assigned, bob):
    update_inbox()

    assert holder(assigned) == bob


def test_a_role_in_the_group_is_enough(assigned, bob, harbour):
    drop_roles(bob)
    make_member(bob, harbour, Role.MANAGER)
    update_inbox()

    assert holder(assigned) == bob


def test_who_gets_it_meanwhile_keeps_it(assigned, alice, bob, harbour):
    carol = make_user("carol@example.org")
    make_member(carol, harbour, Role.STAFF)
    drop_roles(bob)

    def assign():
        sign_in(alice).post(f"/reviews/{assigned.pk}/assign/", {"to": carol.pk})

    with meanwhile(assign, before="SAVEPOINT"):
        leavers.release(now=timezone.now())

    assert holder(assigned) == carol
    assert ReviewAlert.objects.filter(user=carol).exists()
