"""Search of guests: by name, number, e-mail or uuid."""
