"""Closing and opening online booking for some slots of a day."""
