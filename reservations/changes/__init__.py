"""What people do with a booking that exists: change, note, cancel, undo, decide."""
