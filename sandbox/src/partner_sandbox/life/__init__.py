"""What happens by itself: evenings, decisions, the first minute of the demo."""
