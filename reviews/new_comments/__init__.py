"""New comments, listed on demand."""
