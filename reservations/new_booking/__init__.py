"""A new booking, from the restaurant to the answer of the service."""
