import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("reviews", "0005_intent_key"),
    ]

    operations = [
        # Indexes with a condition on a renamed column are dropped before and built after.
        migrations.RemoveIndex("alarm", "alarm_unseen"),
        migrations.RemoveIndex("alarm", "alarm_unmailed"),
        migrations.RemoveIndex("work", "work_untold"),
        migrations.RemoveConstraint("alarm", "one_alarm_per_kind"),
        migrations.RenameModel("Alarm", "ReviewAlert"),
        migrations.RenameModel("AlarmChoice", "AlertPreferences"),
        migrations.RenameField("reviewalert", "on_bell", "in_app"),
        migrations.RenameField("alertpreferences", "low_on_bell", "low_in_app"),
        migrations.RenameField("work", "is_told", "is_notified"),
        migrations.AlterField(
            model_name="alertpreferences",
            name="low_in_app",
            field=models.BooleanField(
                default=False, verbose_name="low ratings: in the app, at once"
            ),
        ),
        migrations.AlterField(
            model_name="alertpreferences",
            name="user",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                primary_key=True,
                related_name="review_alerts",
                serialize=False,
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            "reviewalert",
            models.UniqueConstraint(fields=["user", "review", "kind"], name="one_alert_per_kind"),
        ),
        migrations.AddIndex(
            "reviewalert",
            models.Index(
                fields=["user"], condition=Q(seen_at=None, in_app=True), name="alert_unseen"
            ),
        ),
        migrations.AddIndex(
            "reviewalert",
            models.Index(
                fields=["at"], condition=Q(mailed_at=None, by_mail=True), name="alert_unmailed"
            ),
        ),
        migrations.AddIndex(
            "work",
            models.Index(
                fields=["review"],
                condition=Q(is_low=True, is_notified=False),
                name="work_unnotified",
            ),
        ),
    ]
