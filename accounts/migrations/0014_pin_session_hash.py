"""A PIN ends with the password of its person; those of before belong to the present password."""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils.crypto import salted_hmac

# As `AbstractBaseUser.get_session_auth_hash` has it, which models of a migration lack.
SALT = "django.contrib.auth.models.AbstractBaseUser.get_session_auth_hash"


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Only rows of before: a tablet in use stays in use. Repeating it changes nothing."""
    pins: Any = apps.get_model("accounts", "Pin").objects
    for pin in pins.filter(person_session_hash="").select_related("person"):
        present = salted_hmac(SALT, pin.person.password, algorithm="sha256").hexdigest()
        pins.filter(pk=pin.pk).update(person_session_hash=present)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0013_second_factor_of_a_connection"),
    ]

    operations = [
        migrations.AddField(
            model_name="pin",
            name="person_session_hash",
            field=models.CharField(db_default="", editable=False, max_length=64),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
