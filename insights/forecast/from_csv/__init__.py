"""Histories of bookings from a CSV file: parsed strictly, one restaurant after another."""
