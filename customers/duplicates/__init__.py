"""Profiles that may be of one person."""
