"""No two connections share a webhook token: nobody could tell whose event it is."""

# Safe because: every token is random, and the code before adds no second connection by a page or file

import hashlib
import secrets

from django.db import migrations, models


def part_shared_tokens(apps, schema_editor):
    """The oldest connection keeps a token that was typed twice; the others get one of their own."""
    seen = {""}
    rows = apps.get_model("partner", "Connection").objects.order_by("pk")
    for row in rows.only("webhook_token_hash"):  # the secrets may have lost their key
        if row.webhook_token_hash in seen and row.webhook_token_hash:
            row.webhook_token = secrets.token_urlsafe(32)
            row.webhook_token_hash = hashlib.sha256(row.webhook_token.encode()).hexdigest()
            row.save(update_fields=["webhook_token", "webhook_token_hash"])
        seen.add(row.webhook_token_hash)


class Migration(migrations.Migration):
    dependencies = [("partner", "0006_identity_of_a_connection")]

    operations = [
        migrations.RunPython(part_shared_tokens, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="connection",
            constraint=models.UniqueConstraint(
                condition=models.Q(("webhook_token_hash", ""), _negated=True),
                fields=("webhook_token_hash",),
                name="partner_one_webhook_token",
            ),
        ),
    ]
