"""Backfills and sweeps."""
