"""What becomes of a sent reply, and why one was refused."""
