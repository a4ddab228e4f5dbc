"""What the boards show."""
