from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("customers", "0005_counted")]

    operations = [
        migrations.RenameModel("HouseNote", "InternalNote"),
        migrations.AlterField(
            model_name="internalnote",
            name="text",
            field=models.TextField(blank=True, verbose_name="internal note"),
        ),
        migrations.RenameField("notsame", "told_by", "decided_by"),
        migrations.RenameField("notsame", "told_at", "decided_at"),
        migrations.RemoveConstraint("notsame", "told_apart_once"),
        migrations.AddConstraint(
            "notsame",
            models.UniqueConstraint(fields=["one", "other"], name="not_same_once"),
        ),
        migrations.RenameModel("Likeness", "DuplicateScore"),
        migrations.RenameIndex(
            "duplicatescore", new_name="duplicates_of_a_group", old_name="likeness_of_a_group"
        ),
        migrations.RemoveConstraint("duplicatescore", "one_likeness_a_pair"),
        migrations.AddConstraint(
            "duplicatescore",
            models.UniqueConstraint(fields=["one", "other"], name="one_score_a_pair"),
        ),
    ]
