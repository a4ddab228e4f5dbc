"""The guide from nothing to the first event: what is done, where one is, what comes next."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from uuid import UUID, uuid4

import pytest
from django.utils.translation import gettext_lazy as _

from partner import testing
from partner.models import Token
from partner.schemas import ReservationPayload
from restaurants.models import Restaurant
from restaurants.places.sync import find_restaurants
from restaurants.setup.pages import GUIDE_IS_OVER, SetupGuide, SetupStep, StepLine
from restaurants.testing import make_user, sign_in


def guide(*done: int, section: str = "") -> SetupGuide:
    """Connect · test · places · people (optional) · events (waits) · first copy."""
    pages = ["partner", "partner", "restaurants", "people", "partner", "mirror"]
    steps = [
        SetupStep(
            place=number,
            title=_("Done"),
            text=_("Done"),
            action=_("Done"),
            url_name=f"{page}:index",
            is_done=bool,
            is_optional=number == 4,
            is_waiting=number == 5,
        )
        for number, page in enumerate(pages, start=1)
    ]
    return SetupGuide([StepLine(step, step.place in done) for step in steps], section)


def place(line: StepLine | None) -> int:
    return line.step.place if line else 0


@pytest.mark.parametrize(
    ("done", "section", "here", "following"),
    [
        ((), "partner", 1, 2),
        ((1, 2), "partner", 2, 3),  # its third step has to wait for its turn
        ((1, 2, 3), "restaurants", 3, 4),
        ((1, 2, 3), "people", 4, 5),
        ((1, 2, 3), "partner", 5, 6),
        ((1, 2, 3, 5), "mirror", 6, 6),
        ((), "mirror", 0, 1),  # not reached yet
    ],
)
def test_each_page_leads_to_the_next_step(done, section, here, following):
    shown = guide(*done, section=section)

    assert (place(shown.here), place(shown.following)) == (here, following)


def test_it_waits_for_others_only_when_nothing_else_is_left():
    assert place(guide(1, 2, 3).current) == 6
    assert place(guide(1, 2, 3, 6).current) == 5


def test_it_is_over_without_what_is_optional():
    assert guide(1, 2, 3, 5, 6).is_over
    assert not guide(1, 2, 3, 6).is_over


@pytest.mark.django_db
class TestPages:
    @pytest.fixture
    def owner(self):
        return sign_in(make_user("Noor", is_owner=True))

    def test_an_owner_without_a_restaurant_is_led_through(self, owner):
        GUIDE_IS_OVER.clear()

        assert "Set up Couvert" in owner.get("/setup/guide/").content.decode()
        assert "Groups and restaurants" in owner.get("/setup/restaurants/").content.decode()
        assert 'href="/setup/"' in owner.get("/").content.decode()
        assert "All steps" in owner.get("/setup/people/").content.decode()

    def test_the_bar_goes_with_the_last_step(self, owner):
        assert "All steps" not in owner.get("/setup/people/").content.decode()

    def test_the_bar_stays_away_when_a_key_is_refused_later(self, owner):
        testing.connection()
        Token.objects.update(is_refused=True, usable_until=None)
        GUIDE_IS_OVER.clear()
        guide = owner.get("/setup/guide/").context["guide"]

        assert place(guide.current) > 20

    def test_only_who_may_connect_is_guided(self, alice):
        assert sign_in(alice).get("/setup/guide/").status_code == 403


class TestFindRestaurants:
    DAY = datetime(2026, 6, 1, tzinfo=UTC).date()

    def test_it_reads_one_booking_of_each(self):
        group, first, second = uuid4(), uuid4(), uuid4()
        api = FakeService({UUID(int=1): first, UUID(int=2): first, UUID(int=3): second})

        found = list(find_restaurants(group, api=api, today=self.DAY))  # type: ignore[arg-type]

        assert [(one.uuid, one.bookings) for one in found] == [(first, 2), (second, 1)]
        assert found[0].offset == "+02:00"
        assert api.reads == 2

    def test_a_group_without_bookings_names_none(self):
        api = FakeService({})

        assert list(find_restaurants(uuid4(), api=api, today=self.DAY)) == []  # type: ignore[arg-type]


class FakeService:
    """Bookings by uuid, each with its restaurant."""

    def __init__(self, bookings):
        self.bookings, self.reads = bookings, 0

    def reservation_uuids(self, *, start, end, by, group=None, restaurant=None):
        assert (end - start, by) == (timedelta(days=6), "mealDate")
        return (one for one, place in self.bookings.items() if restaurant in (None, place))

    def reservation(self, uuid):
        self.reads += 1
        payload = {"restaurantUuid": self.bookings[uuid], "mealDate": "2026-06-01T20:30:00+02:00"}
        return SimpleNamespace(entity=ReservationPayload.model_validate(payload))


@pytest.mark.django_db
def test_a_new_restaurant_begins_with_the_place_of_its_sibling(cast):
    found = uuid4()
    address = f"/setup/restaurants/groups/{cast.harbour.uuid}/add/?uuid={found}"

    page = sign_in(cast.dora).get(address).content.decode()

    assert str(found) in page
    newest = Restaurant.objects.filter(group=cast.harbour).latest("pk")
    assert f'<option value="{newest.timezone}" selected' in page
