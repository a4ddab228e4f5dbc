"""Hop is named for what it is: a sample of latency. Every row stays."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("live", "0002_hop")]

    operations = [
        migrations.RemoveConstraint("Hop", "one_hop_per_version"),
        migrations.RenameModel("Hop", "LatencySample"),
        migrations.RenameIndex(
            "LatencySample", old_name="hop_stored_at", new_name="sample_stored_at"
        ),
        migrations.AddConstraint(
            "LatencySample",
            models.UniqueConstraint(
                fields=["uuid", "version", "kind"], name="one_sample_per_version"
            ),
        ),
    ]
