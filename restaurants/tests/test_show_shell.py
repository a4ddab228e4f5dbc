"""The frame of every screen: scope and day from the address, menu and queues from the person."""

from datetime import date

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client, RequestFactory

from accounts.models import User
from lib.database.compiled_queries import COUNT, CountQuery, prepared
from restaurants.models import Group, Restaurant
from restaurants.shell import FRESHNESS, QUEUES, FreshnessLabel, Queue, Shell, shell_of
from restaurants.testing import Cast, make_restaurant, make_root, sign_in


def shell_for(user: User | AnonymousUser, **count: object) -> Shell:
    request = RequestFactory().get("/", {name: str(value) for name, value in count.items()})
    request.user = user
    return shell_of(request)


def test_it_works(alice: User, loft: Restaurant, quay: Restaurant):
    frame = shell_for(alice)

    assert frame.scope is None
    assert frame.scope_restaurants == [loft, quay]


def test_it_narrows_to_a_restaurant(alice: User, quay: Restaurant):
    frame = shell_for(alice, scope=quay.uuid)

    assert (frame.scope, frame.scope_restaurants) == (quay, [quay])


def test_it_narrows_to_a_group(cast: Cast):
    frame = shell_for(cast.dora, scope=cast.hill.uuid)

    assert (frame.scope, frame.scope_restaurants) == (cast.hill, [cast.cellar])


def test_it_hides_other_groups(alice: User, cellar: Restaurant):
    frame = shell_for(alice, scope=cellar.uuid)

    assert frame.scope is None
    assert cellar not in frame.restaurants


def test_it_shows_one_restaurant_to_those_who_work_at_one(bob: User, quay: Restaurant):
    frame = shell_for(bob)

    assert frame.restaurants == [quay]
    assert frame.scope_name == "Quay"
    assert "All restaurants" not in topbar_of(bob)


def test_the_only_restaurant_is_the_current_one_of_the_menu(bob: User, quay: Restaurant):
    page = sign_in(bob).get("/").text
    menu = page.split('id="scope-menu"')[1].split("</nav>")[0]

    assert "All restaurants" not in menu
    assert menu.count("<a ") == menu.count('aria-current="true"') == 1
    assert str(quay.uuid) in menu


def topbar_of(user: User, address: str = "/") -> str:
    page = sign_in(user).get(address).content.decode()
    return page[page.index("<header") : page.index("</header>")]


def test_a_day_of_another_year_names_it(bob: User):
    assert "Fri 17 Jan 2025<" in topbar_of(bob, "/?day=2025-01-17")


def test_it_asks_once_for_hundreds_of_restaurants(
    harbour: Group, alice: User, django_assert_num_queries
):
    for number in range(20):
        make_restaurant(harbour, f"Pier {number:02}")

    with django_assert_num_queries(1):
        frame = shell_for(alice)
        assert len(frame.groups[0][1]) == len(frame.scope_restaurants)


def test_it_reads_the_day_from_the_address(alice: User):
    frame = shell_for(alice, day="2026-03-01")

    assert frame.day == date(2026, 3, 1)
    assert (frame.previous_day, frame.next_day) == (date(2026, 2, 28), date(2026, 3, 2))
    assert (frame.previous_month, frame.next_month) == (date(2026, 2, 28), date(2026, 4, 1))
    assert all(len(week) == 7 for week in frame.weeks)


@pytest.mark.parametrize("day", ["", "tomorrow", "2026-02-30", "2026-3-1x"])
def test_it_takes_nonsense_for_today(alice: User, day: str):
    assert shell_for(alice, day=day).is_today


def test_links_to_other_sections_keep_scope_and_day(alice: User, quay: Restaurant):
    assert shell_for(alice).query == ""
    assert shell_for(alice, scope="nonsense").query == ""
    assert shell_for(alice, scope=quay.uuid, day="2026-03-01").query == (
        f"?scope={quay.uuid}&day=2026-03-01"
    )


def test_it_shows_the_sections_of_a_role(cast: Cast):
    def sections(user: User) -> list[str]:
        return [section.name for section in shell_for(user).sections]

    assert sections(cast.bob) == ["reservations", "customers", "reviews", "phone"]
    assert sections(cast.alice) == ["reservations", "customers", "reviews", "insights", "phone"]
    assert sections(cast.dora)[-1] == "setup"


@prepared
def count(names: list[str]):
    return Restaurant.objects.filter(name__in=names).order_by().values_list(COUNT)


def queue(label: str, count: CountQuery | None) -> Queue:
    return Queue(label=label, url_name="reservations:index", count=lambda _frame: count)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a domain adds at start."""
    late = queue("Late", count.about(["Quay", "Loft"]))
    none = queue("Nothing of it", None), queue("None here", count.about(["Nowhere"]))
    label = FreshnessLabel(state="stale", words="Stale · 6 min")
    monkeypatch.setattr(QUEUES, "entries", [*QUEUES, *none, late])
    monkeypatch.setattr(FRESHNESS, "entries", [lambda _shell: label])


def test_it_counts_what_waits(alice: User, registered: None):
    page = sign_in(alice).get("/").content.decode()

    assert "Late" in page
    assert "Nothing of it" not in page
    assert "None here" not in page


def test_it_says_how_fresh_the_data_is(alice: User, registered: None):
    page = sign_in(alice).get("/").content.decode()

    assert 'data-freshness="stale"' in page
    assert "Stale · 6 min" in page


@pytest.mark.parametrize("address", ["/", "/reservations/requests/"])
def test_it_opens_to_someone_without_any_restaurant(
    client: Client, django_user_model, address: str
):
    client.force_login(django_user_model.objects.create_user("eve@example.org"))

    assert "You have no restaurant yet" in client.get(address).content.decode()


def test_a_page_of_restaurants_tells_someone_without_any_why_it_is_closed(
    client: Client, bob: User, django_user_model
):
    client.force_login(django_user_model.objects.create_user("eve@example.org"))

    page = client.get("/phone/").content.decode()

    assert "You have no restaurant yet" in page
    assert ">403<" not in page
    assert "Not part of your role" in sign_in(bob).get("/setup/").content.decode()


def test_who_can_name_the_first_restaurant_is_led_to_setup(client: Client, db):
    client.force_login(make_root())

    assert 'href="/setup/">Open setup' in client.get("/customers/").content.decode()


def test_a_person_without_a_role_has_no_restaurants(db):
    assert shell_for(AnonymousUser()).restaurants == []


def test_the_demo_says_on_every_page_that_it_is_one(alice: User, settings):
    assert "nobody here exists" not in sign_in(alice).get("/").content.decode()

    settings.DEMO_SANDBOX = "http://127.0.0.1:8100"

    for page in ("/", "/customers/", "/accounts/2fa/"):
        assert "nobody here exists" in sign_in(alice).get(page).content.decode()
