"""Setup pages of people and their roles."""
