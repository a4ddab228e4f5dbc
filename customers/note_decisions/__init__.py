"""Readings of notes that a person has confirmed or dismissed."""
