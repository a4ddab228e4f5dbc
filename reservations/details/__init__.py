"""The page of one booking."""
