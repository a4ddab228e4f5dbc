"""What people may get a push message of: bookings of today, and the kitchen's list."""
