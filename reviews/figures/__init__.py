"""Ratings over time, and how fast comments were answered."""
