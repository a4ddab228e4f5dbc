import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("partner", "0002_budget_odd_at")]

    operations = [
        migrations.RemoveIndex("tokenrequest", "partner_tok_connect_6573c8_idx"),
        migrations.RenameField("tokenrequest", "asked_at", "requested_at"),
        migrations.AlterField(
            model_name="tokenrequest",
            name="connection",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="token_requests",
                to="partner.connection",
            ),
        ),
        migrations.AddIndex(
            "tokenrequest",
            models.Index(
                fields=["connection", "identity", "-requested_at"],
                name="partner_tok_connect_4013e1_idx",
            ),
        ),
    ]
