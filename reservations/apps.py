"""Boards, drawer, booking funnel, availability override."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReservationsConfig(AppConfig):
    name = "reservations"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from mirror.kinds import Kind, register, watch
        from mirror.processes import clock_jumps
        from reservations import actions, personal_data, sync
        from reservations.briefing import moved_bookings
        from reservations.calendar_feed.models import Feed
        from reservations.guest_panels import list_columns, visits
        from reservations.models import ArrivalTracking, MovedBooking, Reservation
        from reservations.service_day import recompute
        from reservations.worklists import counts
        from restaurants.shell import QUEUES, Queue

        register(
            Kind(
                name="reservation",
                label=_("Booking"),
                model=Reservation,
                fetch=sync.fetch,
                build=sync.build,
                place=sync.place,
                list=sync.list_uuids,
                held=sync.held,
                owner=sync.owner,
                joins=("restaurant__group",),
                related=sync.related,
                diary=sync.DIARY,
                stored=personal_data.stored,
            )
        )
        clock_jumps.register(ArrivalTracking, "measured_at")
        clock_jumps.register(MovedBooking, "at")
        clock_jumps.register(Feed, "used_at")
        watch("reservation", moved_bookings.note)
        actions.register_all()
        visits.register_all()
        list_columns.register_all()
        personal_data.register_all()
        recompute.register_all()
        for label, count in (
            (_("Requests"), counts.waiting),
            (_("No date yet"), counts.undated),
        ):
            QUEUES.append(Queue(label=label, url_name="reservations:requests", count=count))
