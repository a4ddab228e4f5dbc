"""What goes wrong on request: refusals, delays, foreign and empty answers."""
