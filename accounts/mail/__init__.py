"""Mails about accounts: queued, batched, to the owners."""
