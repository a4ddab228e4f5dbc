"""`manage.py provision`: lists of connections, what names them, and the plan of changes."""

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from partner.models import Connection, PosIdentity
from restaurants.models import Group
from restaurants.testing import make_user
from restaurants.tests.test_provision_from_file import EXTRAS, FILE, GROUP, run

__all__ = ["run"]

GROUP_LINE = "[[group]]\n"
OTHER_GROUP = "44444444-0000-4000-8000-000000000001"
LIST = f"""\
[[connection]]
name = "Harbour"
base_url = "https://api.example.com"
auth_url = "https://auth.example.com"
audience = "api"
client_id = "harbour"
client_secret = "secret of the harbour"

[[connection]]
name = "Hill"
base_url = "https://api.example.com"
auth_url = "https://auth.example.com"
audience = "api"
client_id = "hill"
client_secret = "secret of the hill"
webhook_token = "token-of-the-hill"

[[pos]]
connection = "Hill"
base_url = "https://pos.example.com"
api_key = "another secret"
uuid = "33333333-0000-4000-8000-000000000099"

[[owner]]
connection = "Hill"
email = "olga@example.org"

[[group]]
connection = "Harbour"
uuid = "{GROUP}"
name = "Valley"

[[group]]
connection = "Hill"
uuid = "{OTHER_GROUP}"
name = "Ridge"
"""


@pytest.fixture(autouse=True)
def olga(db):
    return make_user("olga@example.org")


def named(name):
    return Connection.objects.get(name=name)


class TestList:
    def test_it_works(self, run, olga):
        code, out, _err = run(LIST)

        assert code == 0
        assert out.count("created") == 6
        assert Group.objects.get(name="Valley").connection == named("Harbour")
        assert Group.objects.get(name="Ridge").connection == named("Hill")
        assert PosIdentity.objects.get().connection == named("Hill")
        assert list(named("Hill").owners.all()) == [olga]
        assert not named("Harbour").owners.exists()
        assert "Webhook address of Hill: " in out

    def test_an_owner_whom_nobody_knows_gets_an_account_and_a_link(self, run):
        new = LIST.replace("olga@example.org", "new@example.org")
        _code, out, _err = run(new)

        person = User.objects.get(email="new@example.org")
        assert list(person.owned_connections.all()) == [named("Hill")]
        assert "Sign-in link of new@example.org: http" in out
        assert "Nothing to change." in run(new)[1]

    def test_who_may_not_sign_in_owns_nothing(self, run, olga):
        olga.deactivate()

        assert "owner.email: This person may not sign in." in run(LIST)[2]

    def test_the_second_time_there_is_nothing_to_change(self, run):
        run(LIST)

        assert "Nothing to change." in run(LIST)[1]
        assert Connection.objects.count() == 2

    def test_what_the_single_form_made_is_found_by_its_name(self, run):
        run(FILE)

        code, out, _err = run(
            LIST.replace('"Harbour"', '"Main"').replace(GROUP, OTHER_GROUP[:-1] + "2")
        )

        assert code == 0
        assert "changed  connection Main" in out
        assert {one.name for one in Connection.objects.all()} == {"Main", "Hill"}

    def test_the_single_form_changes_one_of_several_by_its_name(self, run):
        run(LIST)
        single = LIST[: LIST.index("[[connection]]", 5)].replace("[[connection]]", "[connection]")

        assert "Nothing to change." in run(single)[1]
        code, _out, err = run(single.replace('"Harbour"', '"Valley"'))
        assert code == 1
        assert "line 1: connection: To add one to several, write it as [[connection]]." in err

    @pytest.mark.parametrize(
        ("old", "new", "sentence"),
        [
            ('name = "Hill"', 'name = "Harbour"', "line 10: connection.name: Another connection"),
            (
                'id = "hill"',
                'id = "harbour"',
                "connection.client_id: Another connection has the same",
            ),
            ('name = "Harbour"\n', "", "line 1: connection: Several connections are parted by"),
            ('connection = "Hill"\nuuid', 'connection = "Dale"\nuuid', "“Dale” does not name one"),
            ('connection = "Hill"\nuuid', "uuid", "group: Several connections: write connection"),
            ('connection = "Hill"\nbase', "base", "pos: Several connections: write connection"),
            ("olga@example.org", "olga", "owner.email: Enter a valid email address."),
            ("email =", "role =", "owner.role: There is no such key."),
        ],
    )
    def test_what_is_wrong_has_its_line_and_nothing_changes(self, run, old, new, sentence):
        code, _out, err = run(LIST.replace(old, new))

        assert code == 1
        assert sentence in err
        assert not Connection.objects.exists()

    def test_a_webhook_token_of_another_connection_is_refused(self, run):
        run(LIST)
        shared = 'client_secret = "secret of the harbour"\nwebhook_token = "token-of-the-hill"'

        code, _out, err = run(
            LIST[: LIST.index("[[pos]]")].replace('client_secret = "secret of the harbour"', shared)
        )

        assert code == 1
        assert "line 8: connection.webhook_token: Another connection has this webhook token." in err

    def test_a_group_does_not_move_to_another_connection(self, run):
        run(LIST)

        code, _out, err = run(
            LIST.replace('connection = "Hill"\nuuid', 'connection = "Harbour"\nuuid')
        )

        assert code == 1
        assert "This group belongs to another connection" in err


class TestPlan:
    @pytest.fixture
    def plan(self, tmp_path, capsys):
        def print_plan(text: str) -> str:
            path = tmp_path / "plan.toml"
            path.write_text(text, encoding="utf-8")
            call_command("provision", path, "--plan")
            return str(capsys.readouterr().out)

        return print_plan

    def test_it_works(self, run, plan):
        run(FILE + EXTRAS)
        changed = FILE.replace('"Mill"', '"Old Mill"').replace("a very secret", "quite another")

        out = plan(
            changed
            + EXTRAS.replace("19:00", "18:00")
            + "\n"
            + GROUP_LINE
            + f'uuid = "{OTHER_GROUP}"\nname = "Ridge"\n'
        )

        assert "changed  connection Main: client_secret\n" in out
        assert "changed  restaurant Old Mill: name Mill → Old Mill, service_periods\n" in out
        assert "left     pos 33333333" in out
        assert "created  group Ridge\n" in out
        assert "secret thing" not in out
        assert "token=" not in out
        assert "Nothing was written" in out
        assert list(Group.objects.values_list("name", flat=True)) == ["Valley"]

    def test_of_an_empty_installation_it_writes_nothing(self, plan, olga):
        out = plan(LIST)

        assert "created  owner olga@example.org of Hill" in out
        assert not Connection.objects.exists()
        assert not User.objects.get().is_owner


class TestMakeOwner:
    def test_of_several_one_is_named(self, run, olga, capsys):
        run(LIST)

        with pytest.raises(CommandError, match="Say which connection"):
            call_command("make_owner", olga.email)
        call_command("make_owner", olga.email, "--connection", "Harbour")

        assert "olga@example.org is an owner of Harbour." in capsys.readouterr().out
        assert set(olga.owned_connections.all()) == {named("Harbour"), named("Hill")}
