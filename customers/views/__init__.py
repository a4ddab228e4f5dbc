"""Pages of the room: the list and the search, one guest, what the law asks of the copy."""
