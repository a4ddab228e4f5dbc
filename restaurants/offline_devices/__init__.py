"""Devices on which an admin allows an offline copy."""
