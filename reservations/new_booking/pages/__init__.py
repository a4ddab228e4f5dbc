"""What the steps of a new booking show."""
