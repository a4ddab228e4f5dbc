"""The connection page."""
