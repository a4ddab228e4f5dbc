"""A restaurant's bookings for calendar programs."""
