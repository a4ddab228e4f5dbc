"""The queue of sync requests: claim, read in many threads, store in batches, retry."""
