"""Requests, undated bookings, open past bookings."""
