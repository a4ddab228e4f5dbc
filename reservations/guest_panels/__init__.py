"""What bookings add to a guest's page and to the guest list."""
