"""Notes of days: holidays and events, written by admins and shown beside what is expected."""
