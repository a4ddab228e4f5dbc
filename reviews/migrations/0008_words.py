from decimal import Decimal

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reviews", "0007_queues")]

    operations = [
        migrations.AlterField(
            model_name="rules",
            name="low_rating",
            field=models.DecimalField(
                decimal_places=1,
                default=Decimal(6),
                help_text="Low ratings are marked, and whoever wants it gets an alert at once.",
                max_digits=3,
                validators=[
                    django.core.validators.MinValueValidator(0),
                    django.core.validators.MaxValueValidator(10),
                ],
                verbose_name="a rating is low up to",
            ),
        ),
    ]
