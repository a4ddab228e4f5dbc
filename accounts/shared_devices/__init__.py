"""Tablets on which several people take turns."""
