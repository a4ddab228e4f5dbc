"""A stand-in for the Restaurant Reservation Partner API: a program of its own."""
