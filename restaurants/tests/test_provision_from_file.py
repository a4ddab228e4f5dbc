"""`manage.py provision FILE.toml`: what operators' scripts rely on."""

from uuid import uuid4

import pytest
from django.core.management import call_command

from partner import testing
from partner.models import Connection, PosIdentity
from restaurants.models import Group, Restaurant
from restaurants.testing import make_group, make_restaurant

GROUP = "33333333-0000-4000-8000-000000000001"
RESTAURANT = "33333333-0000-4000-8000-000000000011"

FILE = f"""\
[connection]
name = "Main"
base_url = "http://127.0.0.1:8100"
auth_url = "http://127.0.0.1:8100/token"
audience = "api"
client_id = "couvert"
client_secret = "a very secret thing"
requests_per_minute = 600

[pos]
base_url = "http://127.0.0.1:8100/pos"
api_key = "another secret"
uuid = "33333333-0000-4000-8000-000000000099"

[[group]]
uuid = "{GROUP}"
name = "Valley"

  [[group.restaurant]]
  uuid = "{RESTAURANT}"
  name = "Mill"
  timezone = "Europe/Paris"
  currency = "EUR"
  country = "FR"
"""

EXTRAS = """\
  short_name = "M"
  colour = "#AA0000"
  phone = "01 23 45 67 89"
  day_start = 05:00:00
  host_app_url = "https://host.example/mill"
  stay_minutes = [80, 100, 110, 140]
  service_periods = [
    { name = "Dinner", start = "19:00", end = "01:00", weekdays = ["fri", "sat"] },
  ]
"""


@pytest.fixture
def run(tmp_path, capsys, db):
    def provision(text: str) -> tuple[int, str, str]:
        path = tmp_path / "installation.toml"
        path.write_text(text, encoding="utf-8")
        code = 0
        try:
            call_command("provision", path)
        except SystemExit as stop:
            code = int(stop.code or 0)
        out = capsys.readouterr()
        return code, out.out, out.err

    return provision


class TestProvision:
    def test_it_works(self, run):
        code, out, _err = run(FILE)

        assert code == 0
        assert Restaurant.objects.get(uuid=RESTAURANT).group == Group.objects.get(uuid=GROUP)
        assert Connection.objects.current().requests_per_minute == 600
        assert str(PosIdentity.objects.get()) == "33333333-0000-4000-8000-000000000099"
        assert out.count("created") == 4

    def test_restaurants_without_a_colour_get_one_each(self, run):
        _group, one = FILE.split("  [[group.restaurant]]")
        second = one.replace(RESTAURANT, str(uuid4())).replace("Mill", "Weir")
        run(f"{FILE}\n  [[group.restaurant]]{second}")

        assert len(set(Restaurant.objects.values_list("colour", flat=True))) == 2

    def test_it_prints_the_webhook_address(self, run):
        _code, out, _err = run(FILE)

        token = Connection.objects.get().webhook_token
        assert len(token) >= 32
        assert f"/webhooks/partner/?token={token}" in out

    def test_it_takes_the_webhook_token_of_the_file(self, run):
        run(FILE.replace("requests_per", 'webhook_token = "chosen-by-hand-0001"\nrequests_per'))

        assert Connection.objects.get().webhook_token == "chosen-by-hand-0001"

    def test_the_second_time_there_is_nothing_to_change(self, run):
        run(FILE + EXTRAS)
        address = run(FILE + EXTRAS)[1].splitlines()[-1]

        code, out, _err = run(FILE + EXTRAS)

        assert code == 0
        assert "Nothing to change." in out
        assert out.splitlines()[-1] == address
        assert Restaurant.objects.count() == 1

    def test_it_names_what_it_changed_but_no_value(self, run):
        run(FILE)

        _code, out, _err = run(
            FILE.replace('"Mill"', '"Old Mill"').replace("a very secret", "quite another")
        )

        assert "changed  restaurant Old Mill: name" in out
        assert "changed  connection Main: client_secret" in out
        assert "quite another" not in out

    def test_a_changed_webhook_token_overlaps_with_the_old_one(self, run):
        run(FILE)
        old = Connection.objects.get().webhook_token

        run(FILE.replace("requests_per", 'webhook_token = "chosen-by-hand-0001"\nrequests_per'))

        assert testing.slot_of("chosen-by-hand-0001")
        assert testing.slot_of(old)

    def test_it_leaves_what_the_file_does_not_name(self, run):
        run(FILE)
        Restaurant.objects.update(colour="#123456", short_name="typed by hand")

        _code, out, _err = run(FILE)

        assert Restaurant.objects.get().colour == "#123456"
        assert "Nothing to change." in out

    def test_it_reads_the_optional_keys(self, run):
        run(FILE + EXTRAS)

        mill = Restaurant.objects.get()
        assert mill.phone == "+33123456789"
        assert mill.colour == "#aa0000"
        assert mill.day_start.hour == 5
        assert mill.stay(8).total_seconds() == 140 * 60
        assert sorted(period.weekday for period in mill.service_periods.all()) == [4, 5]

    def test_it_needs_no_connection(self, run):
        code, out, _err = run(FILE[FILE.index("[[group]]") :])

        assert code == 0
        assert "No connection yet" in out


class TestFaults:
    def test_each_gets_a_sentence_with_its_line_and_nothing_changes(self, run):
        faulty = (
            FILE.replace(GROUP, "not-a-uuid")
            .replace("Europe/Paris", "Europe/Atlantis")
            .replace('"EUR"', '"EURO"')
        )

        code, out, err = run(faulty)

        lines = err.splitlines()
        assert code == 1
        assert out == ""
        assert len(lines) == 3
        assert "line 16: group.uuid: “not-a-uuid” is not a uuid" in lines[0]
        assert "line 22: group.restaurant.timezone: “Europe/Atlantis” is not a" in lines[1]
        assert "line 23: group.restaurant.currency:" in lines[2]
        assert not Connection.objects.exists()
        assert not Group.objects.exists()

    @pytest.mark.parametrize(
        ("old", "new", "sentence"),
        [
            ("[connection]", "[links]", "line 1: links: There is no such table or key."),
            ('  name = "Mill"', '  title = "Mill"', "line 21: group.restaurant.title: There is no"),
            ('  timezone = "Europe/Paris"\n', "", "line 19: group.restaurant.timezone: This field"),
            ('"FR"', '"XX"', "line 24: group.restaurant.country: “XX” is not a known country"),
            ("600", '600\nwebhook_token = "two words"', "webhook_token: A token holds no space."),
            ("600", '"many"', "line 8: connection.requests_per_minute: Enter a whole number."),
            ("http://127.0.0.1:8100/token", "ftp://x", "line 4: connection.auth_url: The address"),
            ("http://127.0.0.1:8100/pos", "https://10.0.0.1", "line 11: pos.base_url: The address"),
            ('"Valley"', "[1]", "line 17: group.name: Write a single value."),
            ("[[group]]", "[group", "line 15: This is not TOML"),
            (RESTAURANT, GROUP, "line 20: group.restaurant.uuid: This uuid is used on line 16."),
        ],
    )
    def test_it_says_what_is_wrong(self, run, settings, old, new, sentence):
        settings.PARTNER_ALLOW_PRIVATE = False

        code, _out, err = run(FILE.replace(old, new))

        assert code == 1
        assert sentence in err
        assert not Group.objects.exists()

    @pytest.mark.parametrize(
        ("extra", "sentence"),
        [
            ("  stay_minutes = [1, 2]\n", "stay_minutes: Write four numbers of minutes."),
            ('  colour = "red"\n', "“red” is not a colour"),
            ('  phone = "call me"\n', "“call me” is not a telephone number"),
            (
                '  service_periods = [{ name = "A", start = "1:00", end = "1:00", '
                'weekdays = ["mon"] }]\n',
                "A service that ends when it starts is empty.",
            ),
            ('  service_periods = "always"\n', "Write it as a list of tables"),
        ],
    )
    def test_it_checks_the_optional_keys(self, run, extra, sentence):
        code, _out, err = run(FILE + extra)

        assert code == 1
        assert sentence in err

    def test_a_restaurant_does_not_move_to_another_group(self, run):
        make_restaurant(make_group("Elsewhere"), uuid=RESTAURANT)

        code, _out, err = run(FILE)

        assert code == 1
        assert "This restaurant belongs to another group." in err

    def test_a_missing_file_is_one_sentence(self, capsys, tmp_path):
        with pytest.raises(SystemExit) as stop:
            call_command("provision", tmp_path / "none.toml")

        assert stop.value.code == 1
        assert "cannot be read" in capsys.readouterr().err
