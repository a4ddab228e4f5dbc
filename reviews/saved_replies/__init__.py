"""Saved replies of a group."""
