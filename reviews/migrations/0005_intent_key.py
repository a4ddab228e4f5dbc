from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("reviews", "0004_giving")]

    operations = [
        migrations.RenameField(model_name="work", old_name="wish", new_name="intent_key"),
    ]
