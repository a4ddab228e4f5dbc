import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("restaurants", "0005_filing")]

    operations = [
        migrations.RenameModel("Filing", "AppliedClock"),
        migrations.AlterField(
            model_name="appliedclock",
            name="restaurant",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                primary_key=True,
                related_name="applied_clock",
                serialize=False,
                to="restaurants.restaurant",
            ),
        ),
    ]
