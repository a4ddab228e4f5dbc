"""The service day: its bookings, sums, services, and whether arrivals are marked."""
