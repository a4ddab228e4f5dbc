"""Sign-in: passwords, second factor, sessions, known devices."""
