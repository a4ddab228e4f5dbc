"""Worlds: how a group, its guests and its months of bookings come about."""
