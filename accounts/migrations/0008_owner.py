from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_mail_queue")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="is_owner",
            field=models.BooleanField(default=False, verbose_name="owner of the installation"),
        ),
    ]
