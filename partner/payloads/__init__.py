"""Payloads: read tolerantly, checked, and written strictly."""
