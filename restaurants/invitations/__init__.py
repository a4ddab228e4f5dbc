"""Invitations: sent, answered, and the links to join."""
