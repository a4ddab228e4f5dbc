"""The page of one guest."""
