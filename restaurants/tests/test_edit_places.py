"""The setup pages of groups and restaurants."""

import re
from datetime import time
from uuid import uuid4

import pytest
from auditlog.models import LogEntry

from accounts.models import User
from restaurants.models import Group, Membership, Restaurant
from restaurants.tasks import recompute_service_days
from restaurants.testing import make_member, make_root, make_user, sign_in

LIST = "/setup/restaurants/"
PERIOD_START, PERIOD_END = time(19), time(23)


def fields(**changed):
    blank = {
        "uuid": str(uuid4()),
        "name": "Mill",
        "short_name": "",
        "colour": "#155aa7",
        "timezone": "Europe/Paris",
        "country": "fr",
        "currency": "eur",
        "phone": "01 23 45 67 89",
        "host_app_url": "",
        "day_start": "04:00",
        "stay_up_to_2": "90",
        "stay_up_to_4": "105",
        "stay_up_to_6": "120",
        "stay_larger": "150",
        "periods-TOTAL_FORMS": "1",
        "periods-INITIAL_FORMS": "0",
    }
    return blank | changed


PERIOD = {
    "periods-0-name": "Dinner",
    "periods-0-start": "19:00",
    "periods-0-end": "01:00",
    "periods-0-weekdays": ["fri", "sat"],
}


def nobody_there():
    """What a broker that is away makes of a message."""
    raise OSError("connection refused")


class TestIndex:
    def test_it_works(self, cast):
        page = sign_in(cast.dora).get(LIST).content.decode()

        assert all(name in page for name in ("Harbour Group", "Hill Group", "Quay", "Cellar"))

    def test_an_empty_list_has_one_button(self, db):
        root = make_root()

        page = sign_in(root).get(LIST).text

        assert "No group yet" in page
        assert page.count("Add a group") == 1

    def test_it_needs_the_right(self, alice):
        assert sign_in(alice).get(LIST).status_code == 403

    def test_it_shows_an_admin_their_groups_only(self, charlie, hill):
        Membership.objects.filter(user=charlie).update(role="admin")

        page = sign_in(charlie).get(LIST).content.decode()

        assert "Hill Group" in page
        assert "Harbour Group" not in page


class TestAddGroup:
    def test_it_works(self, dora):
        client, uuid = sign_in(dora), uuid4()

        answer = client.post(f"{LIST}groups/add/", {"uuid": str(uuid), "name": "Valley"})

        assert answer.status_code == 302
        assert Group.objects.visible_to(dora).filter(uuid=uuid).exists()

    def test_it_refuses_a_bad_uuid_with_a_sentence(self, dora):
        page = sign_in(dora).post(f"{LIST}groups/add/", {"uuid": "12-34", "name": "Valley"})

        assert page.status_code == 422
        assert "“12-34” is not a uuid" in page.content.decode()

    def test_it_refuses_a_uuid_twice(self, dora, hill):
        page = sign_in(dora).post(f"{LIST}groups/add/", {"uuid": str(hill.uuid), "name": "Again"})

        assert page.status_code == 422


class TestEditGroup:
    def test_it_works(self, dora, harbour):
        sign_in(dora).post(f"{LIST}groups/{harbour.uuid}/", {"name": "New Harbour"})

        harbour.refresh_from_db()
        assert harbour.name == "New Harbour"

    def test_the_uuid_stays(self, dora, harbour):
        data = {"name": "New Harbour", "uuid": str(uuid4())}

        sign_in(dora).post(f"{LIST}groups/{harbour.uuid}/", data)

        assert Group.objects.get(pk=harbour.pk).uuid == harbour.uuid

    def test_an_outsider_finds_nothing(self, charlie, harbour):
        assert sign_in(charlie).get(f"{LIST}groups/{harbour.uuid}/").status_code == 404

    def test_a_manager_may_not(self, alice, harbour):
        assert sign_in(alice).get(f"{LIST}groups/{harbour.uuid}/").status_code == 403

    def test_the_admin_of_one_restaurant_may_not(self, cast):
        make_member(cast.charlie, cast.quay, "admin")

        assert sign_in(cast.charlie).get(f"{LIST}groups/{cast.harbour.uuid}/").status_code == 403


class TestAddRestaurant:
    def test_it_works(self, dora, harbour):
        answer = sign_in(dora).post(f"{LIST}groups/{harbour.uuid}/add/", fields() | PERIOD)

        mill = Restaurant.objects.get(name="Mill")
        assert answer.status_code == 302
        assert (mill.group, mill.country, mill.currency) == (harbour, "FR", "EUR")
        assert mill.phone == "+33123456789"
        assert sorted(period.weekday for period in mill.service_periods.all()) == [4, 5]

    def test_it_proposes_a_colour_that_others_do_not_have(self, dora, harbour):
        page = sign_in(dora).get(f"{LIST}groups/{harbour.uuid}/add/")

        proposed = page.context["form"]["colour"].value()
        assert proposed not in Restaurant.objects.values_list("colour", flat=True)

    @pytest.mark.parametrize(("language", "zone"), [("fr", "Paris"), ("es", "Madrid")])
    def test_the_likely_time_zones_of_a_language_come_first(self, dora, harbour, language, zone):
        User.objects.filter(pk=dora.pk).update(language=language)
        page = sign_in(dora).get(f"{LIST}groups/{harbour.uuid}/add/").content.decode()

        offered = re.findall(r'<option value="(\w+/[^"]+)"[^>]*>([^<]+)<', page)
        assert offered[0] == (f"Europe/{zone}", f"{zone} (Europe)")
        assert offered.count(offered[0]) == 2  # in its region, too

    def test_a_time_zone_is_found_by_the_first_letters_of_its_city(self, dora, harbour):
        page = sign_in(dora).get(f"{LIST}groups/{harbour.uuid}/add/")

        zones = dict(page.context["form"].fields["timezone"].choices)["America"]
        assert ("America/Argentina/Ushuaia", "Ushuaia (America/Argentina)") in zones
        assert [label for _name, label in zones] == sorted(label for _name, label in zones)

    @pytest.mark.parametrize(
        ("field", "value", "sentence"),
        [
            ("uuid", "nonsense", "“nonsense” is not a uuid"),
            ("timezone", "Europe/Atlantis", "“Europe/Atlantis” is not a known time zone"),
            ("currency", "EUX", "“EUX” is not a known currency"),
            ("country", "ZZ", "“ZZ” is not a known country"),
            ("colour", "red", "“red” is not a colour"),
            ("phone", "12", "“12” is not a telephone number"),
            ("stay_larger", "5", "Ensure this value is greater than or equal to 15."),
        ],
    )
    def test_it_refuses_with_a_sentence(self, dora, harbour, field, value, sentence):
        page = sign_in(dora).post(f"{LIST}groups/{harbour.uuid}/add/", fields(**{field: value}))

        assert page.status_code == 422
        assert sentence in page.content.decode()
        assert not Restaurant.objects.filter(name="Mill").exists()

    def test_it_refuses_an_empty_service(self, dora, harbour):
        page = sign_in(dora).post(
            f"{LIST}groups/{harbour.uuid}/add/", fields() | PERIOD | {"periods-0-end": "19:00"}
        )

        assert page.status_code == 422
        assert "A service that ends when it starts is empty." in page.content.decode()


class TestEditRestaurant:
    def test_it_works(self, dora, quay):
        quay.set_service_periods([(0, "Lunch", PERIOD_START, PERIOD_END)])
        client = sign_in(dora)
        assert "Lunch" in client.get(quay.get_absolute_url()).content.decode()

        client.post(quay.get_absolute_url(), fields(name="Old Quay") | PERIOD)

        quay.refresh_from_db()
        assert quay.name == "Old Quay"
        assert {period.name for period in quay.service_periods.all()} == {"Dinner"}

    @pytest.mark.parametrize("corrected", [{"timezone": "Asia/Kolkata"}, {"day_start": "06:00"}])
    def test_another_clock_says_that_bookings_move(self, dora, quay, corrected):
        client = sign_in(dora)
        moved = client.post(quay.get_absolute_url(), fields(**corrected), follow=True)
        same = client.post(quay.get_absolute_url(), fields(**corrected), follow=True)

        assert "move to the days of its new clock" in moved.content.decode()
        assert "move to the days of its new clock" not in same.content.decode()

    def test_it_is_saved_while_the_broker_is_down(
        self, dora, quay, monkeypatch, django_capture_on_commit_callbacks
    ):
        monkeypatch.setattr(recompute_service_days, "delay", nobody_there)
        client = sign_in(dora)
        sent = fields(uuid=str(quay.uuid), timezone="Asia/Kolkata") | PERIOD

        with django_capture_on_commit_callbacks(execute=True):
            answer = client.post(quay.get_absolute_url(), sent)

        assert answer.status_code == 302
        assert Restaurant.objects.get(pk=quay.pk).timezone == "Asia/Kolkata"

    def test_it_removes_a_service(self, dora, quay):
        quay.set_service_periods([(4, "Dinner", PERIOD_START, PERIOD_END)])
        gone = PERIOD | {"periods-INITIAL_FORMS": "1", "periods-0-DELETE": "on"}

        sign_in(dora).post(quay.get_absolute_url(), fields() | gone)

        assert not quay.service_periods.exists()

    def test_it_is_written_down(self, dora, quay):
        sign_in(dora).post(quay.get_absolute_url(), fields(name="Old Quay"))

        entry = LogEntry.objects.get_for_object(quay).first()
        assert entry.actor == dora
        assert entry.changes_dict["name"] == ["Quay", "Old Quay"]

    def test_an_outsider_finds_nothing(self, charlie, quay):
        assert sign_in(charlie).get(quay.get_absolute_url()).status_code == 404

    def test_staff_may_not(self, bob, quay):
        assert sign_in(bob).get(quay.get_absolute_url()).status_code == 403

    def test_a_superuser_without_a_role_finds_nothing(self, quay):
        root = make_user("root@example.org", is_superuser=True)

        assert sign_in(root).get(quay.get_absolute_url()).status_code == 404
