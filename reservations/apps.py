"""Boards, drawer, booking funnel, availability override."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReservationsConfig(AppConfig):
    name = "reservations"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models cannot be imported before the registry is ready.
        from mirror import clock_jumps
        from mirror.kinds import Kind, register, watch
        from reservations import (
            actions,
            guest_list_columns,
            moved_bookings,
            personal_data,
            requests,
            service_days,
            sync,
            visits,
        )
        from reservations.feed_models import Feed
        from reservations.models import ArrivalTracking, MovedBooking, Reservation
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
        guest_list_columns.register_all()
        personal_data.register_all()
        service_days.register_all()
        for label, count in (
            (_("Requests"), requests.waiting),
            (_("No date yet"), requests.undated),
        ):
            QUEUES.append(Queue(label=label, url_name="reservations:requests", count=count))
