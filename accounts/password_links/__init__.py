"""Links with which a person chooses a password."""
