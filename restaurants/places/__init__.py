"""Setup pages of groups and restaurants."""
