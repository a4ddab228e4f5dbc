"""What marks of arrivals tell of a restaurant."""

from django.db import models

from restaurants.models import Restaurant


class ArrivalTracking(models.Model):
    """What marks of arrivals tell: whether a restaurant makes them, and how long parties stay.

    Without marks no booking is late.
    """

    restaurant = models.OneToOneField(
        Restaurant, models.CASCADE, primary_key=True, related_name="arrival_tracking"
    )
    bookings = models.PositiveIntegerField()
    marked = models.PositiveIntegerField()
    measured_at = models.DateTimeField()
    # By cell: median, 80th percentile, parties. See `service_clock.length_of`.
    stays = models.JSONField(default=dict)
    stays_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.restaurant}: {self.marked} of {self.bookings}"
