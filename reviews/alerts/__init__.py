"""Alerts of low ratings and of assigned reviews, digests, and the targets of a group."""
