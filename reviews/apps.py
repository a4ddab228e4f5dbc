"""The inbox, the reply workflow, moderation tracking."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReviewsConfig(AppConfig):
    name = "reviews"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from customers.profile import pages as profile
        from mirror.kinds import Kind, register
        from mirror.processes import clock_jumps
        from restaurants.shell import QUEUES, Queue
        from reviews import actions, personal_data, service_days, sync
        from reviews.alerts import counts
        from reviews.guest_panels import guest_panel, visit_panel
        from reviews.models import Presence, ReplyStep, Review, ReviewAlert, Work

        register(
            Kind(
                name="review",
                label=_("Review"),
                model=Review,
                fetch=sync.fetch,
                build=sync.build,
                place=sync.place,
                list=sync.list_uuids,
                held=sync.held,
                owner=sync.owner,
                joins=("restaurant__group",),
                known=sync.known,
                related=sync.related,
                reread=sync.reread,
                diary=sync.DIARY,
                stored=personal_data.stored,
            )
        )
        clock_jumps.register(Work, "drafted_at", "problem_at", "sent_at", "archived_at")
        clock_jumps.register(Presence, "seen_at")
        clock_jumps.register(ReplyStep, "at")
        clock_jumps.register(ReviewAlert, "at", "seen_at", "mailed_at")
        actions.register_all()
        visit_panel.register_all()
        personal_data.register_all()
        service_days.register_all()
        profile.register(guest_panel.PANEL)
        QUEUES.extend(
            [
                Queue(
                    label=_("Low ratings"),
                    url_name="reviews:alerts",
                    count=counts.low,
                    is_urgent=True,
                ),
                Queue(label=_("Given to you"), url_name="reviews:alerts", count=counts.assigned),
            ]
        )
