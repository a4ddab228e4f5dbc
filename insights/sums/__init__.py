"""Sums by day and month: counted, kept true, read."""
