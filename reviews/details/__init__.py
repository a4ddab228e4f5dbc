"""The page of one review."""
