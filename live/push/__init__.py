"""Push messages: what happened, whom it concerns, and the rows that wait to be sent."""
