"""Views: the list and the search, one guest, duplicates, privacy."""
