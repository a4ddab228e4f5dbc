"""Changes of an existing booking: change, note, cancel, undo, decide."""
