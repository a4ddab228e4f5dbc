from django.db import migrations, models
from django.db.models import Q

# Indexes over the renamed column, by name: dropped before it is renamed, built after.
BY_QUEUE = {
    "work_of_place": (["restaurant", "queue", "-is_late", "score", "since"], None),
    "work_urgent": (["queue", "-is_late", "score", "since", "restaurant"], None),
    "work_of_place_by_time": (["restaurant", "queue", "since"], None),
    "work_by_time": (["queue", "since", "restaurant"], None),
    "work_assigned": (["assignee", "queue", "since"], Q(assignee__isnull=False)),
    "work_on_the_clock": (
        ["restaurant", "is_late", "since"],
        Q(queue__in=["rewrite", "reply", "drafts", "approve"]),
    ),
    "work_unplaced": (["review"], Q(queue="")),
}
FORMER_NAMES = {"work_unplaced": "work_unfiled"}


class Migration(migrations.Migration):
    dependencies = [("reviews", "0006_alerts")]

    operations = [
        *(migrations.RemoveIndex("work", FORMER_NAMES.get(name, name)) for name in BY_QUEUE),
        migrations.RenameField("work", "lane", "queue"),
        *(
            migrations.AddIndex("work", models.Index(fields=fields, condition=condition, name=name))
            for name, (fields, condition) in BY_QUEUE.items()
        ),
        migrations.RenameIndex("review", new_name="review_queue", old_name="review_lane"),
    ]
