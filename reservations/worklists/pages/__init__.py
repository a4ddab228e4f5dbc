"""What the worklists show."""
