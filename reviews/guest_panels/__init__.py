"""What reviews add to a guest's page and to a booking."""
